// Finished games.

import { listRecords } from "../archive.js";
import { button, choice, el, field, put } from "../dom.js";
import { GameList } from "../lobby/gamelist.js";

const PAGE = 50;

export const records = {
  path: "records",
  title: "Records",
  nav: "Records",

  open(app, place) {
    const { session, settings, notices } = app;
    const player = el("input", { name: "player", autocomplete: "off", spellcheck: "false", placeholder: session.you.name });
    const rules = choice("rules", [["", "all games"], ...session.welcome.rules.map((r) => [r.name, r.title])], "");
    const list = new GameList(app, "Games", "No games.");
    const more = button("Older games", () => load(games.at(-1)?.game));
    let games = [];

    async function load(before) {
      try {
        const page = await listRecords(settings, { player: player.value.trim(), rules: rules.value, before, limit: PAGE });
        games = before ? [...games, ...page] : page;
        more.hidden = page.length < PAGE;
        list.draw(games, player.value.trim() || session.you.name);
      } catch (error) {
        notices.error(error);
      }
    }

    put(
      place,
      el(
        "div",
        { class: "narrow stack" },
        el("h1", {}, "Records"),
        el(
          "form",
          { class: "panel row", onsubmit: (event) => { event.preventDefault(); load(); } },
          field("Player", player),
          field("Game", rules),
          el("button", { class: "primary" }, "Find"),
          button("Mine", () => { player.value = session.you.name; load(); }),
        ),
        list.element,
        more,
      ),
    );
    load();
  },
};
