// The size of a bet or raise in a no-limit game: a field, a slider, and usual sizes, as the player has set them.

import { settings } from "../settings.js";
import { amount } from "../words.js";
import { button, el } from "../dom.js";
import { hasAntes, stepsOf } from "./steps.js";

const NAMES = { "50%": "½ pot", "100%": "Pot" };

// unitOf returns how many chips of a hand are one in the amounts that the player sees: a big blind, or 1.
export const unitOf = (hand) => (settings.get("blinds") && !hasAntes(hand) ? Math.max(...hand.blinds) : 1);

// sizesOf reads sizes such as "33%, 75%, 2.5x": parts of the pot after a call, and multiples of the bet. It returns null
// if there is anything else.
export function sizesOf(text) {
  const sizes = text.split(/[\s,;]+/).filter(Boolean).map((name) => /^(\d{1,4}(?:\.\d+)?)([%x])$/.exec(name));
  return sizes.includes(null) ? null : sizes.map(([name, value, kind]) => ({ name, value: Number(value), kind }));
}

export class Sizes {
  // hand is that which is played, and view that of who is to act. play is called with a move.
  constructor(hand, { poker: { call = 0, before = 0, names, raise_to: [least, most] } }, play) {
    const verb = names.at(-1).startsWith("bet") ? "Bet" : "Raise to";
    Object.assign(this, { unit: unitOf(hand), least: least - before, most: most - before });
    const inUnits = (chips) => Math.round((100 * chips) / this.unit) / 100;
    const bounds = { min: inUnits(this.least), max: inUnits(this.most), step: this.unit === 1 ? 1 : "any", value: inUnits(this.least), required: true };
    this.field = el("input", { type: "number", ...bounds, "aria-label": `${verb}, from ${bounds.min} to ${bounds.max} ${this.unit === 1 ? "chips" : "big blinds"}`, inputmode: this.unit === 1 ? "numeric" : "decimal" });
    this.range = el("input", { type: "range", min: this.least, max: this.most, step: 1, value: this.least, "aria-label": verb, tabindex: -1 });
    this.amount = el("b", {});
    this.fill = (chips) => { this.field.value = inUnits(chips); this.#show(); };
    this.field.addEventListener("input", () => this.#show());
    this.range.addEventListener("input", () => this.fill(Number(this.range.value)));
    const { spent, pot } = stepsOf(hand).at(-1);
    const bet = Math.max(...spent) - before;
    const own = sizesOf(settings.get("sizes")).map(({ name, value, kind }) => [NAMES[name] ?? name, Math.floor(kind === "x" ? value * bet : bet + (value / 100) * (pot + call))]);
    const sizes = [["Min", this.least], ...own.filter(([, size]) => size > this.least && size < this.most).sort((a, b) => a[1] - b[1]), ["All-in", this.most]];
    this.element = el(
      "form",
      { class: "raise", onsubmit: (event) => { event.preventDefault(); play(`r${this.#chips() + before}`); } },
      el("span", { class: "row sizes" }, sizes.map(([name, size]) =>
        button(name, () => this.fill(size), { title: amount(size, this.unit), "aria-label": `${name}, ${amount(size, this.unit)}: fill in` }))),
      el("span", { class: "row amount" }, this.range, this.field),
      el("button", { class: "primary", title: "R" }, verb, " ", this.amount),
    );
    this.#show();
  }

  // chips returns the size in the field. In big blinds it is rounded to chips.
  #chips() {
    const chips = Math.round(Number(this.field.value) * this.unit);
    return this.unit === 1 ? chips : Math.min(this.most, Math.max(this.least, chips));
  }

  #show() {
    const fits = this.field.value && this.field.checkValidity();
    if (fits) this.range.value = this.#chips();
    this.amount.textContent = fits ? amount(this.#chips(), this.unit) : "…";
  }

  select() {
    this.field.select();
  }
}
