// How games are played, for who has never seen them, and the keys of the page.
// A game that is not here has no help.

import { el } from "./dom.js";

const picture = (name, alt) =>
  el("figure", {}, el("img", { src: `img/${name}.svg`, alt: "", width: 160, height: 148, loading: "lazy" }), el("figcaption", {}, alt));

const RULES = {
  havannah: () => [
    el("p", {}, "White begins. Players put a stone of their colour on an empty cell in turn; stones stay. " +
      "The second player may swap instead of the first move: the first stone becomes black, and white moves again."),
    el("p", {}, "You win with a group of touching stones that has one of these:"),
    el(
      "div",
      { class: "figures" },
      picture("ring", "a ring, around at least one cell"),
      picture("bridge", "a bridge of two corners"),
      picture("fork", "a fork of three edges; a corner is on no edge"),
    ),
  ],
  nim: () => [
    el("p", {}, "Players take sticks in turn: at least one, and all from one row. Choose a stick, and it is taken with all that are right of it."),
    el("p", {}, "Who takes the last stick wins; in misère play who takes it loses."),
  ],
  matrix: () => [
    el("p", {}, "Both players choose at the same time, the one a row, the other a column, and neither sees the other's choice before both have made it. " +
      "The cell where they meet has what each of them gets: first the row's, then the column's."),
    el("p", {}, "After all rounds, who has more wins."),
  ],
};

const KEYS = [
  ["arrows", "on the board: to another cell"],
  ["Enter", "play there"],
  ["Esc", "take a choice back, leave the board"],
  ["← →", "elsewhere: a move back, a move on"],
  ["Home End", "to the start, to the latest move"],
];

// howTo returns help for a game, by the name of its rules, or null.
export function howTo({ name, title }, open = false) {
  const rules = RULES[name];
  return rules ? el("details", { class: "help", open }, el("summary", {}, `How ${title} is played`), el("div", { class: "stack" }, rules())) : null;
}

// keys returns a list of the keys.
export function keys() {
  return el(
    "details",
    { class: "help keys" },
    el("summary", {}, "Keys"),
    el("dl", {}, KEYS.map(([key, does]) => [el("dt", {}, key), el("dd", {}, does)])),
  );
}
