// How games are played, for beginners, and the keys of the page. Other games have no
// help.

import { el } from "./dom.js";

const picture = (name, alt) =>
  el("figure", {}, el("img", { src: `img/${name}.svg`, alt: "", width: 160, height: 148, loading: "lazy" }), el("figcaption", {}, alt));

// ABOUT says in a sentence what a game is.
const ABOUT = {
  havannah: "Connect your stones to a ring, a bridge or a fork, on a board of hexagons.",
  nim: "Take sticks from rows in turn; the last stick decides.",
  poker: "A match of hands with virtual chips. Every hand begins with full stacks, unless there is a buy-in, and the button moves on.",
  matrix: "Both choose at once, as in rock, paper, scissors; a table of payoffs decides.",
};

// of returns what a table has for a game, or undefined. Games with hidden cards are poker.
const of = (table, { name, hidden }) => table[name] ?? (hidden ? table.poker : undefined);

// aboutGame returns what a game is, "" for an unknown one.
export const aboutGame = (game) => of(ABOUT, game) ?? "";

const RULES = {
  havannah: () => [
    el("p", {}, "White begins. Players take turns to place a stone of their colour on an empty cell; stones never move. " +
      "The second player may swap instead of the first move: the first stone becomes black, and white moves again."),
    el("p", {}, "You win with a connected group of your stones that forms one of these:"),
    el(
      "div",
      { class: "figures" },
      picture("ring", "a ring, around at least one cell"),
      picture("bridge", "a bridge of two corners"),
      picture("fork", "a fork of three edges; corners do not count"),
    ),
  ],
  nim: () => [
    el("p", {}, "Players take turns to take sticks: at least one, and all from one row. Choose a stick to take it and all sticks to its right."),
    el("p", {}, "Whoever takes the last stick wins; in misère play, whoever takes it loses."),
  ],
  poker: () => [
    el("p", {}, "You see your own cards and those on the board. In turn, each player folds, calls what the others have put into the pot, " +
      "or raises it; nobody has to pay for a check. When all have called, the next board cards are dealt and the betting begins again."),
    el("p", {}, "After the last round whoever has the best cards takes the pot. Whoever is left when all others have folded takes it without showing them."),
  ],
  matrix: () => [
    el("p", {}, "Both players choose at the same time, one a row, the other a column, and neither sees the other's choice before both have chosen. " +
      "The cell where they meet has the payoffs: first that of the row player, then that of the column player."),
    el("p", {}, "After all rounds, whoever has more wins."),
  ],
};

const KEYS = [
  ["← →", "one move back or forward"],
  ["Home End", "to the start, or to the latest move"],
  ["arrows", "on the board, while you play: to another cell"],
  ["Shift arrows", "on the board: to another cell, at any time"],
  ["Enter", "play there"],
  ["F C R N", "in poker: fold, check or call, bet or raise, the next hand"],
  ["Esc", "undo a choice or a planned move, or leave the board"],
];

// howTo returns help for a game, or null for an unknown one.
export function howTo(game, open = false) {
  const rules = of(RULES, game);
  return rules ? el("details", { class: "help", open }, el("summary", {}, `${game.title}: the rules`), el("div", { class: "stack" }, rules())) : null;
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
