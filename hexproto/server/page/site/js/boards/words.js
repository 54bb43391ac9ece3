// Text and buttons, for boards without a drawing here.

import { button, el, put } from "../dom.js";
import { legalMoves } from "./legal.js";

export class Words {
  constructor(board, names, { play }) {
    this.play = play;
    this.text = el("p", { class: "position" });
    this.moves = el("div", { class: "row", role: "group", "aria-label": "moves" });
    this.element = el("div", { class: "board words", tabindex: -1 }, this.text, this.moves);
  }

  draw({ view, seat, chosen }) {
    this.text.textContent = view.text;
    put(this.moves, seat === null ? [] : legalMoves(view, seat).map((move) =>
      button(move, () => this.play(move), { "aria-pressed": String(chosen === move) })));
  }

  focus() {
    (this.moves.querySelector("button") ?? this.element).focus();
  }
}
