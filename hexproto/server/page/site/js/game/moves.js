// The list of moves, with buttons to step through the game.

import { button, el, put, set } from "../dom.js";
import { LEGEND } from "./judge.js";

export class Moves {
  // view is called with the number of turns to show.
  constructor(view) {
    this.view = view;
    this.list = el("ol", { class: "moves", "aria-label": "moves" });
    const step = (text, label, to) => button(text, () => view(to()), { "aria-label": label, title: label });
    this.back = [
      step("«", "to the start (Home)", () => 0),
      step("‹", "a move back (left arrow)", () => this.shown - 1),
    ];
    this.on = [
      step("›", "a move on (right arrow)", () => this.shown + 1),
      step("»", "to the latest move (End)", () => this.turns),
    ];
    this.where = el("small", { class: "where" });
    this.steps = el("div", { class: "steps" }, this.back, this.where, this.on);
    this.buttons = [];
    this.legend = el("p", { class: "legend" }, LEGEND);
    this.element = el("section", { class: "panel", "aria-label": "moves" }, this.steps, this.list, this.legend);
  }

  // draw shows the moves, and marks the position on the board, which is the one after
  // shown turns. say formats a move; marks are the mistakes by turn (see judge.js).
  draw(game, shown, say, steppable, marks = new Map()) {
    const { moves, turn } = game;
    this.shown = shown;
    this.turns = turn;
    this.where.textContent = shown === turn ? (turn === 0 ? "start" : `${turn} ${turn === 1 ? "move" : "moves"}`) : `after ${shown} of ${turn}`;
    this.back.forEach((b) => set(b, { disabled: !steppable || shown === 0 }));
    this.on.forEach((b) => set(b, { disabled: !steppable || shown === turn }));
    this.legend.hidden = marks.size === 0;
    const key = JSON.stringify([moves.map((m) => m.move), steppable, [...marks]]);
    if (key !== this.key) this.fill(game, say, steppable, marks);
    this.key = key;
    this.buttons.forEach(([turnOf, b]) => set(b, { "aria-current": turnOf === shown - 1 ? "step" : null }));
    const current = this.buttons.find(([turnOf]) => turnOf === shown - 1)?.[1];
    if (current) reveal(this.list, current);
  }

  // fill fills the list.
  fill({ moves, names }, say, steppable, marks) {
    const rows = Object.values(Object.groupBy(moves, ({ turn, seat }) => turn - (turnsAreShared(moves) ? 0 : seat)));
    this.buttons = [];
    put(this.list, rows.map((row) => el("li", { "data-turn": row[0].turn }, [0, 1].map((seat) => {
      const move = row.find((m) => m.seat === seat);
      if (!move) return el("span", {});
      const mark = marks.get(move.turn);
      const b = button(say(move.move), () => this.view(move.turn + 1), {
        class: "move", disabled: !steppable,
        "aria-label": [`move ${move.turn + 1}, ${names[seat]}: ${say(move.move)}`, mark?.words].filter(Boolean).join(", "),
        title: [`after ${(move.ms / 1000).toFixed(1)} s`, mark?.words].filter(Boolean).join("; "),
      });
      if (mark) b.append(el("span", { class: "sign", "aria-hidden": "true" }, mark.sign));
      this.buttons.push([move.turn, b]);
      return b;
    }))));
  }
}

// turnsAreShared returns whether both players move in each turn.
function turnsAreShared(moves) {
  return moves.length > 1 && moves[0].turn === moves[1].turn;
}

// reveal scrolls a list, and only the list, to one of its elements.
function reveal(list, element) {
  const top = element.offsetTop - list.offsetTop;
  if (top < list.scrollTop) list.scrollTop = top;
  const bottom = top + element.offsetHeight - list.clientHeight;
  if (bottom > list.scrollTop) list.scrollTop = bottom;
}
