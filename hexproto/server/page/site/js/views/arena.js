// The runs of the arena.

import { follow } from "../arena/api.js";
import { bar, number, state } from "../arena/words.js";
import { when } from "../dates.js";
import { el, put } from "../dom.js";

export const arena = {
  path: "arena",
  title: "Arena",
  nav: "Arena",
  free: true,

  open({ settings }, place) {
    const list = el("ul", { class: "list games" });
    const note = el("div", { "aria-live": "polite" });
    const empty = el("p", { class: "empty" }, "…");
    put(
      place,
      el("div", { class: "narrow stack" }, el("h1", {}, "Arena"), note, el("section", { class: "panel", "aria-label": "runs" }, el("h2", {}, "Runs"), empty, list)),
    );
    return follow(settings, "runs", {}, ({ runs }) => {
      put(note);
      empty.hidden = runs?.length > 0;
      empty.textContent = runs ? "No run yet: gamebots arena run CONFIG.toml begins one." : "This server shows no arena: it was started without --arena.";
      put(list, (runs ?? []).map((run) => el("li", {}, row(run))));
    }, (error) => {
      put(note, el("div", { class: "notice bad" }, el("strong", {}, error.message), error.hint && el("p", {}, error.hint)));
    });
  },
};

function row(run) {
  return el(
    "a",
    { class: "game-link", href: `#/run/${encodeURIComponent(run.run)}` },
    el("span", { class: "versus" }, el("span", { class: "person-name" }, run.run), el("span", { class: "tag" }, run.game)),
    el("small", {}, `${run.players} players, ${run.tables === 1 ? "1 table" : `${number(run.tables)} tables`}, ${number(run.games)} ${run.kind === "board" ? "games" : "hands"} · begun ${when(run.begun)}`),
    el("span", { class: "state" }, run.ended ? "finished" : bar(run), !run.ended && ` ${state(run)}`),
  );
}
