// The size of a bet or raise in a no-limit game: a field, a slider, and the usual sizes.

import { number } from "../words.js";
import { button, el } from "../dom.js";
import { stepsOf } from "./steps.js";

export class Sizes {
  // hand is that which is played, and view that of who is to act. play is called with a move.
  constructor(hand, { legal, poker: { call = 0, before = 0, names, raise_to: [least, most] } }, play) {
    const verb = names.at(-1).startsWith("bet") ? "Bet" : "Raise to";
    const bounds = { min: least - before, max: most - before, step: 1, value: least - before, required: true };
    this.field = el("input", { type: "number", ...bounds, "aria-label": `${verb}, from ${bounds.min} to ${bounds.max} chips`, inputmode: "numeric" });
    this.range = el("input", { type: "range", ...bounds, "aria-label": verb, tabindex: -1 });
    this.amount = el("b", {});
    this.field.addEventListener("input", () => { this.range.value = this.field.value; this.#show(); });
    this.range.addEventListener("input", () => this.#fill(this.range.value));
    const { spent, pot } = stepsOf(hand).at(-1);
    const usual = (to) => {
      const share = (to - Math.max(...spent)) / (pot + call);
      return to === most ? "All-in" : to === least ? "Min" : share === 1 ? "Pot" : "½ pot";
    };
    this.element = el(
      "form",
      { class: "raise", onsubmit: (event) => { event.preventDefault(); play(`r${Math.round(Number(this.field.value)) + before}`); } },
      el("span", { class: "row sizes" }, legal.filter((move) => move[0] === "r").map((move) => {
        const to = Number(move.slice(1));
        return button(usual(to), () => this.#fill(to - before), { title: number(to - before), "aria-label": `${usual(to)}, ${number(to - before)}: fill in` });
      })),
      el("span", { class: "row amount" }, this.range, this.field),
      el("button", { class: "primary", title: "R" }, verb, " ", this.amount),
    );
    this.#show();
  }

  #fill(size) {
    this.field.value = this.range.value = size;
    this.#show();
  }

  #show() {
    const size = Number(this.field.value);
    this.amount.textContent = this.field.value && this.field.checkValidity() ? number(size) : "…";
  }

  select() {
    this.field.select();
  }
}
