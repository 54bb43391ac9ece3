// All cards to choose from, a row for each suit.

import { nameOf, short } from "../cards.js";
import { button, el, set } from "../dom.js";

const RANKS = [..."AKQJT98765432"];

export class CardPicker {
  // chosen is called with a card that is clicked.
  constructor(label, chosen) {
    this.buttons = new Map([..."shdc"].flatMap((suit) => RANKS.map((rank) => rank + suit)).map((card) => {
      const text = short(card).replace("10", "T");
      return [card, button(text, () => chosen(card), { "aria-label": `${text}, ${nameOf(card)}`, "data-suit": card[1] })];
    }));
    const all = [...this.buttons.values()];
    this.element = el("div", { class: "picker", role: "group", "aria-label": label }, [0, 13, 26, 39].map((from) => el("div", {}, all.slice(from, from + 13))));
  }

  // show marks the cards of a list, of which there may be so many.
  show(cards, most) {
    for (const [card, b] of this.buttons) {
      const on = cards.includes(card);
      set(b, { "aria-pressed": String(on), disabled: !on && cards.length >= most });
    }
  }
}
