// One run of the arena: standings, charts and games, live or finished.

import { follow, request } from "../arena/api.js";
import { LineChart } from "../arena/chart.js";
import { ArenaGames } from "../arena/gamelist.js";
import { Cross, Standings } from "../arena/standings.js";
import { bar, number, state } from "../arena/words.js";
import { when } from "../dates.js";
import { button, el, put } from "../dom.js";

export const run = {
  path: "run",
  title: "Run",
  of: "arena",
  free: true,

  open(app, place, [name]) {
    const { settings } = app;
    const standings = new Standings();
    const cross = new Cross();
    const charts = el("div", { class: "stack" });
    const games = new ArenaGames(app, name);
    const about = el("p", { class: "lead" });
    const progress = el("p", { class: "row run-progress" });
    const note = el("div", { class: "stack", "aria-live": "polite" });
    const remove = button("Remove this run", removeRun, { class: "danger", hidden: true });
    let drawn = [];
    let end;
    put(
      place,
      el(
        "div",
        { class: "stack run" },
        el("div", {}, el("a", { href: "#/arena" }, "Arena"), el("h1", {}, name), about),
        progress,
        note,
        el("div", { class: "run-parts" }, el("div", { class: "stack" }, standings.element, charts, cross.element), el("div", { class: "stack" }, games.element)),
        el("div", {}, remove),
      ),
    );

    function draw(now) {
      about.textContent = [now.game, `${now.players} players`, now.results.length > 1 && `${number(now.results.length)} tables`, `seed ${now.seed}`].filter(Boolean).join(" · ");
      put(progress, !now.ended && bar(now), [
        now.ended ? `Ended ${when(now.ended)}` : state(now),
        `${number(now.played)} of ${number(now.games)} ${now.kind === "board" ? "games" : "hands"}`,
        now.rate && `${number(now.rate, now.rate < 10 ? 1 : 0)} a second`,
      ].filter(Boolean).join(" · "));
      standings.draw(now);
      cross.draw(now);
      while (drawn.length < now.charts.length) {
        const chart = new LineChart();
        drawn.push(chart);
        charts.append(chart.element);
      }
      now.charts.forEach((data, i) => drawn[i].draw(data));
      games.draw(now);
      remove.hidden = !now.may_write;
      put(note, [
        ...(now.troubles ?? []).map(({ shard, tries, error }) => `Shard ${shard} could not be played, after ${tries} tries: ${error}`),
        ...now.results.filter(({ decided }) => decided).map(({ names, decided }) => `${names.join(" – ")}: ${decided}`),
      ].map((text) => el("div", { class: "notice" }, text)));
    }

    function begin() {
      end = follow(settings, "run", { run: name }, draw, (error) => {
        put(note, el("div", { class: "notice bad" }, el("strong", {}, error.message), error.hint && el("p", {}, error.hint)));
      });
    }

    async function removeRun() {
      if (!window.confirm(`Remove ${name} and all that was played in it, for good?`)) return;
      end(); // it would be told that there is no such run
      try {
        await request(settings, "run", { run: name }, { method: "DELETE" });
        app.go("arena");
      } catch (error) {
        app.notices.error(error);
        begin();
      }
    }

    begin();
    return () => {
      end();
      drawn.forEach((chart) => chart.close());
      drawn = [];
    };
  },
};
