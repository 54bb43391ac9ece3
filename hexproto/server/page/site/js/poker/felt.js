// The table of a hand of poker: an oval with the seats around it.

import { amount } from "../words.js";
import { back, card, cut } from "../cards.js";
import { el, put, set } from "../dom.js";
import { pile } from "./chips.js";
import { potsOf } from "./steps.js";

// Where the players after the first are on the oval, from -1 to 1 to the right and downwards: those
// on the left, from the bottom to the top. Those on the right mirror them, and one of an odd number
// is at the top. Nobody is beside the board where there is no room.
const WIDE = {
  2: [], 3: [[-0.8, -0.65]], 4: [[-1, -0.4]], 5: [[-0.95, 0.45], [-0.6, -0.95]], 6: [[-0.95, 0.5], [-0.95, -0.55]],
  7: [[-0.8, 0.75], [-1, -0.1], [-0.45, -1]], 8: [[-0.8, 0.75], [-1, -0.05], [-0.75, -0.85]],
  9: [[-0.75, 0.8], [-1, 0.25], [-0.95, -0.4], [-0.33, -1]], 10: [[-0.7, 0.85], [-1, 0.3], [-1, -0.35], [-0.6, -0.95]],
};
const TALL = {
  2: [], 3: [[-0.9, -0.7]], 4: [[-1, -0.6]], 5: [[-1, 0.5], [-0.55, -0.95]], 6: [[-1, 0.5], [-1, -0.6]],
  7: [[-1, 0.55], [-1, -0.15], [-0.6, -0.95]], 8: [[-1, 0.6], [-1, 0.05], [-1, -0.5]],
  9: [[-1, 0.62], [-1, 0.12], [-1, -0.38], [-0.5, -0.95]], 10: [[-1, 0.62], [-1, 0.2], [-1, -0.22], [-1, -0.64]],
};
const CROWD = 7; // seats from which on they have less room each

// place returns where a seat of several is. The first is at the bottom, and the others follow clockwise.
function place(seat, seats, left) {
  if (seat === 0) return [0, 1];
  const mirrored = left[seats].map(([x, y]) => [-x, y]).reverse();
  return [...left[seats], ...(seats % 2 ? [] : [[0, -1]]), ...mirrored][seat - 1];
}

// Felt shows a step of a hand.
export class Felt {
  // By default the players are shown by position, with their names, and the first position is at
  // the bottom. Order has the positions in another order, heads elements instead of the names by
  // position, and totals the chips won so far. Cards is how many hole cards each player
  // has; those that are not seen have their backs up. Positions are the names of the positions.
  // Title names the hand. Amounts are in the hand's unit. Mine is whether the seat at the bottom is that of the reader.
  constructor(hand, { order = hand.players.map((_, p) => p), heads, totals, cards = 0, positions, title, mine = false } = {}) {
    this.hand = hand;
    this.board = el("div", { class: "board-cards" });
    this.pot = el("p", { class: "pot" });
    this.pots = el("p", { class: "pots" });
    this.words = el("p", { class: "turn", role: "status" });
    this.seats = [];
    order.forEach((position, i) => { this.seats[position] = this.#seat(position, i, { order, heads, totals, cards, positions }); });
    this.element = el(
      "div",
      { class: "felt", "data-mine": mine, "data-crowded": order.length >= CROWD },
      el("div", { class: "cloth" }),
      title && el("p", { class: "hand-title" }, title),
      el("div", { class: "middle" }, this.pot, this.pots, this.board, this.words),
      el("ul", { class: "poker-seats" }, order.map((position) => this.seats[position].element)),
    );
  }

  #seat(position, i, { order, heads, totals, cards, positions }) {
    const { hand } = this;
    const name = hand.players[position];
    const at = positions?.[position];
    const seen = cut(hand.holes[position]).map(card);
    const total = totals?.[position] ? el("span", { class: "bet" }, amount(totals[position], hand.unit, true), el("span", { class: "so-far" }, " so far")) : null;
    const bet = el("span", { class: "chips-in", title: "chips put in in this round" });
    const behind = el("span", { class: "behind" });
    const said = el("span", { class: "said" });
    const [, first, second = ""] = /^(.).*?( \d+)?$/.exec(name) ?? [];
    const element = el(
      "li", { class: "poker-seat" },
      el("div", { class: "hole" }, seen.length > 0 ? seen : Array.from({ length: cards }, back)),
      el(
        "div", { class: "plate" },
        el("span", { class: "avatar", "aria-hidden": "true" }, first.toUpperCase(), second.trim()),
        heads?.[position] ?? el("span", { class: "person-name" }, name), behind, total,
        at && el("span", { class: "at" }, at),
      ),
      said, bet,
      at === "BTN" && el("span", { class: "dealer", role: "img", "aria-label": "dealer button", title: "dealer button" }, "D"),
    );
    const [wide, tall] = [WIDE, TALL].map((left) => place(i, order.length, left));
    const side = Math.sign(-wide[0]) || -1; // where the middle is
    const where = { "--wide-x": wide[0], "--wide-y": wide[1], "--tall-x": tall[0], "--tall-y": tall[1], "--side": side, "--seat": i };
    for (const [property, value] of Object.entries(where)) element.style.setProperty(property, value);
    set(element, { "data-place": i === 0 ? "first" : wide[1] < -0.9 ? "top" : wide[1] > 0.4 ? "low" : wide[1] < -0.3 ? "high" : "mid" });
    return { element, bet, behind, said };
  }

  draw(step) {
    const { board, made, values, stacks, unit } = this.hand;
    const shown = board.slice(0, step.rounds).filter(Boolean);
    put(this.board, shown.map((cards) => el("span", { class: "street" }, cut(cards).map(card))));
    const staked = (p) => (step.over ? 0 : step.spent[p] - step.before[p]);
    const collected = step.pot - this.seats.reduce((sum, _, p) => sum + staked(p), 0);
    put(this.pot, collected > 0 && pile(collected), `Pot ${amount(step.pot, unit)}`);
    const [main, ...side] = potsOf(step, stacks);
    this.pots.textContent = side.length > 0 ? `main pot ${amount(main, unit)}, side ${side.length > 1 ? "pots" : "pot"} ${side.map((chips) => amount(chips, unit)).join(", ")}` : "";
    this.words.textContent = step.words;
    this.seats.forEach(({ element, bet, behind, said }, p) => {
      const won = step.over && values[p] > 0;
      set(element, { "data-folded": step.folded[p], "data-actor": step.actor === p, "data-won": won });
      said.textContent = step.over ? made?.[p] ?? "" : step.said[p];
      set(said, { "data-made": step.over });
      set(bet, { hidden: staked(p) === 0 });
      put(bet, pile(staked(p)), amount(staked(p), unit).replace(" bb", "")); // a phone has no room for the unit
      const left = stacks && stacks[p] - step.spent[p];
      behind.textContent = step.over ? (values[p] ? amount(values[p], unit, true) : "±0") : !stacks ? "" : left > 0 ? amount(left, unit) : "all-in";
      set(behind, { title: step.over ? "chips won or lost" : "chips left", "data-sign": step.over ? Math.sign(values[p]) : null });
    });
  }
}
