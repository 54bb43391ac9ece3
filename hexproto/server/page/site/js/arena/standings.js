// The standings of a run, and the results of each pair of players.

import { el, put, svg } from "../dom.js";
import { interval, mean, number } from "./words.js";

export class Standings {
  constructor() {
    this.note = el("p", { class: "about" });
    this.table = el("div", { class: "scrolls", tabindex: 0, role: "group", "aria-label": "standings" });
    this.element = el("section", { class: "panel" }, el("h2", {}, "Standings"), this.table, this.note);
  }

  draw(run) {
    const { kind, standings, unit, kinds, ranked } = run;
    const rated = standings.some((s) => ranked[s.name]?.elo !== undefined);
    const runoff = standings.some((s) => ranked[s.name]?.runoff);
    const board = kind === "board";
    const reach = Math.max(1e-9, ...standings.map((s) => Math.abs(s.mean - (board ? 0.5 : 0)) + (s.interval95 ?? 0)));
    put(this.table, el(
      "table",
      { class: "standings" },
      el("thead", {}, el("tr", {}, ["", "Player", board ? "Points a game" : unit, "95%", ""].map((text) => el("th", { scope: "col" }, text)),
        rated && [el("th", { scope: "col" }, "Elo"), el("th", { scope: "col" }, "95%")],
        runoff && el("th", { scope: "col", title: "rank by instant runoff: who has won least is out, and so on" }, "Runoff"),
        board && ["Won", "Drawn", "Lost"].map((text) => el("th", { scope: "col" }, text)), el("th", { scope: "col" }, board ? "Games" : "Hands"))),
      el("tbody", {}, standings.map((s, i) => el(
        "tr",
        {},
        el("td", {}, i + 1),
        el("th", { scope: "row" }, s.name, " ", kinds[s.name] !== s.name && el("span", { class: "tag" }, kinds[s.name])),
        el("td", {}, s.games ? mean(kind, s.mean) : ""),
        el("td", {}, s.games ? interval(kind, s.interval95) : ""),
        el("td", { class: "whisker" }, s.games ? whisker(s, board ? 0.5 : 0, reach) : null),
        rated && eloOf(ranked[s.name]).map((text) => el("td", {}, text)),
        runoff && el("td", {}, ranked[s.name]?.runoff),
        board && [s.wins ?? 0, s.draws ?? 0, s.losses ?? 0].map((n) => el("td", {}, number(n))),
        el("td", {}, number(s.games)),
      ))),
    ));
    const faults = standings.filter((s) => s.faults).map((s) => `${s.name} failed in ${number(s.faults)} games.`);
    put(this.note, faults.join(" "));
    this.note.hidden = faults.length === 0;
  }
}

// eloOf formats a rating and its confidence interval.
function eloOf({ elo, elo95 } = {}) {
  return elo === undefined ? ["", ""] : [number(elo, 0, true), elo95 === null ? "" : `± ${number(elo95)}`];
}

// whisker draws a mean with its confidence interval, and the line of an even result.
function whisker({ mean: middle, interval95: half }, even, reach) {
  const x = (value) => 50 + (46 * (value - even)) / reach;
  return svg(
    "svg",
    { viewBox: "0 0 100 14", width: 100, height: 14, "aria-hidden": "true" },
    svg("line", { class: "even", x1: 50, x2: 50, y1: 0, y2: 14 }),
    half !== null && svg("line", { class: "half", x1: x(middle - half), x2: x(middle + half), y1: 7, y2: 7 }),
    svg("circle", { class: middle >= even ? "above" : "below", cx: x(middle), cy: 7, r: 3.4 }),
  );
}

// Cross is the cross table of games of two players.
export class Cross {
  constructor() {
    this.table = el("div", { class: "scrolls", tabindex: 0, role: "group", "aria-label": "cross table" });
    this.element = el("section", { class: "panel" }, el("h2", {}, "Who won what from whom"), this.table);
  }

  draw({ kind, standings, results }) {
    const pairs = results.filter(({ names, units }) => names.length === 2 && units > 0);
    this.element.hidden = pairs.length < 2;
    const names = standings.map((s) => s.name);
    const of = (name, other) => {
      for (const { names: [a, b], players } of pairs) {
        if (a === name && b === other) return players[0];
        if (b === name && a === other) return players[1];
      }
      return null;
    };
    put(this.table, el(
      "table",
      { class: "cross" },
      el("thead", {}, el("tr", {}, el("td"), names.map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, names.map((name) => el("tr", {}, el("th", { scope: "row" }, name), names.map((other) => {
        const s = name === other ? null : of(name, other);
        if (!s) return el("td", {}, name === other ? "–" : "");
        const even = kind === "board" ? 0.5 : 0;
        const sure = s.interval95 !== null && Math.abs(s.mean - even) > s.interval95;
        return el("td", { "data-sure": sure && (s.mean > even ? "won" : "lost") }, el("b", {}, mean(kind, s.mean)), " ", el("small", {}, interval(kind, s.interval95)));
      })))),
    ));
  }
}
