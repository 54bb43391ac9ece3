// The list of moves, with buttons to step through the game.

import { button, el, put, set } from "../dom.js";
import { LEGEND } from "./judge.js";

export class Moves {
  // view is called with the number of turns to show, and step with that of a step, which counts
  // those of a variation, too. below is shown under the list.
  constructor({ view, step, below }) {
    this.view = view;
    this.list = el("ol", { class: "moves", "aria-label": "moves" });
    const to = (text, label, at) => button(text, () => step(at()), { "aria-label": label, title: label });
    this.back = [
      to("«", "to the start (Home)", () => 0),
      to("‹", "a move back (left arrow)", () => this.shown - 1),
    ];
    this.on = [
      to("›", "a move on (right arrow)", () => this.shown + 1),
      to("»", "to the latest move (End)", () => this.turns),
    ];
    this.where = el("small", { class: "where" });
    this.steps = el("div", { class: "steps" }, this.back, this.where, this.on);
    this.buttons = [];
    this.legend = el("p", { class: "legend" }, LEGEND);
    this.element = el("section", { class: "panel", "aria-label": "moves" }, this.steps, this.list, this.legend, below);
  }

  // draw shows the moves, and marks the position on the board, which is the one after
  // shown turns, and after moves of a variation. say formats a move; marks are the mistakes by
  // turn (see judge.js), and here is the turn that the list marks.
  draw(game, shown, say, steppable, { at, line }, marks = new Map(), here = shown - 1) {
    const { moves, turn } = game;
    this.shown = shown + at;
    this.turns = at > 0 ? shown + line.length : turn;
    this.where.textContent = at > 0 ? `variation, ${at} of ${line.length}` : shown === turn ? (turn === 0 ? "start" : `${turn} ${turn === 1 ? "move" : "moves"}`) : `after ${shown} of ${turn}`;
    this.back.forEach((b) => set(b, { disabled: !steppable || this.shown === 0 }));
    this.on.forEach((b) => set(b, { disabled: !steppable || this.shown === this.turns }));
    this.legend.hidden = marks.size === 0;
    const key = JSON.stringify([moves.map((m) => m.move), steppable, [...marks]]);
    if (key !== this.key) this.fill(game, say, steppable, marks);
    this.key = key;
    this.buttons.forEach(([turnOf, b]) => set(b, { "aria-current": turnOf === here ? "step" : null }));
    const current = this.buttons.find(([turnOf]) => turnOf === here)?.[1];
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
