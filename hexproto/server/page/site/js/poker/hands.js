// The hands of a match, in place of a list of moves. The hand that is shown is marked.

import { amount } from "../words.js";
import { positionOf } from "./positions.js";
import { unitOf } from "./sizes.js";
import { cut, short } from "../cards.js";
import { button, el, put } from "../dom.js";
import { Moves } from "../game/moves.js";

export class Hands extends Moves {
  fill({ view, seats, you }) {
    const { finished = [], hand } = view.poker;
    let turns = 0;
    this.buttons = [];
    const rows = (hand.values ? finished : [...finished, hand]).map((h) => {
      turns += h.actions.length;
      const to = turns;
      const mine = Math.max(0, you);
      const position = positionOf(h, mine);
      const cards = cut(h.holes[position]).map(short).join(" ");
      const end = h.values ? `${you < 0 ? `${seats[0].name} ` : ""}${amount(h.values[position], unitOf(h), true)}` : "in play";
      const b = button("", () => this.view(to), { class: "move hand-row", "aria-label": `hand ${h.hand + 1}: ${cards} ${end}` });
      b.append(el("span", {}, cards || "–"), el("span", { class: "hand-end", "data-sign": h.values ? Math.sign(h.values[position]) : null }, end));
      this.buttons.push([h.hand, b]);
      return el("li", {}, b);
    });
    put(this.list, rows);
  }
}
