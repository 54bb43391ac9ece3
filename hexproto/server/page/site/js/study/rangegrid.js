// A range as a grid of classes of hands, which is painted: a drag gives its cells the weight of the brush, or takes them
// out if the first of them has that weight. Fingers paint sideways, and scroll up and down.

import { button, el, put, set } from "../dom.js";
import { number } from "../words.js";
import { nameAt, Range } from "./ranges.js";

const SIDE = 13;
const BRUSHES = [1, 0.75, 0.5, 0.25];

export class RangeGrid {
  #brush = 1;
  #cells = [];
  #at = 0; // the cell that has the focus of the grid
  #stroke = null; // the weight that is being painted

  // changed is called with the text of the range that was painted.
  constructor(label, changed) {
    this.changed = changed;
    for (let i = 0; i < SIDE * SIDE; i++) {
      const name = nameAt(Math.floor(i / SIDE), i % SIDE);
      this.#cells.push(el("div", { role: "gridcell", tabindex: i ? -1 : 0, "data-hands": name }, name));
    }
    this.grid = el("div", {
      class: "hand-grid painted", role: "grid", "aria-label": label,
      onpointerdown: (event) => this.#begin(event), onpointermove: (event) => this.#go(event),
      onpointerup: (event) => { this.#go(event); this.#end(); }, onpointercancel: () => this.#end(), onkeydown: (event) => this.#key(event),
    }, this.#cells.map((_, i) => i % SIDE === 0 && el("div", { role: "row" }, this.#cells.slice(i, i + SIDE))));
    this.brushes = BRUSHES.map((weight) => button(`${100 * weight}%`, () => { this.#brush = weight; this.#draw(); }, { "aria-label": `paint with a weight of ${100 * weight}%` }));
    this.size = el("small");
    this.element = el("div", { class: "stack tight" }, this.grid, el("div", { class: "row spread" }, el("span", { class: "row", role: "group", "aria-label": "weight" }, this.brushes), this.size));
  }

  // show shows the range of a text, and throws if it is none.
  show(text) {
    this.range = new Range(text);
    this.#draw();
  }

  #draw() {
    this.brushes.forEach((b, i) => set(b, { "aria-pressed": String(BRUSHES[i] === this.#brush) }));
    for (const cell of this.#cells) {
      const weight = this.range.mean(cell.dataset.hands);
      cell.style.setProperty("--part", weight);
      set(cell, { "aria-label": `${cell.dataset.hands}, ${number(100 * weight)}%`, "aria-selected": String(weight > 0) });
    }
    const [hands, part] = this.range.size();
    put(this.size, `${number(hands, Number.isInteger(hands) ? 0 : 1)} hands, ${number(100 * part, 1)}%`);
  }

  #paint(cell) {
    const { hands } = cell.dataset;
    this.#stroke ??= this.range.mean(hands) === this.#brush ? 0 : this.#brush;
    if (this.range.mean(hands) === this.#stroke) return;
    this.range.set(hands, this.#stroke);
    this.#draw();
    this.changed(this.range.toString());
  }

  #under = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest("[data-hands]");

  #begin(event) {
    this.#stroke = null;
    this.first = this.#under(event);
    this.last = event;
    if (!this.first || event.button) return;
    this.grid.setPointerCapture(event.pointerId);
    if (event.pointerType !== "touch") this.#paint(this.first); // a finger may be about to scroll
  }

  #go(event) {
    if (!this.first) return;
    if (event.type === "pointermove" && this.#stroke === null && this.#under(event) === this.first) return;
    this.#stroke ?? this.#paint(this.first);
    const { clientX: x, clientY: y } = event;
    const parts = Math.ceil(Math.hypot(x - this.last.clientX, y - this.last.clientY) / 8) || 1; // fast pointers skip cells
    for (let k = 1; k <= parts; k++) {
      const cell = this.#under({ clientX: this.last.clientX + (x - this.last.clientX) * k / parts, clientY: this.last.clientY + (y - this.last.clientY) * k / parts });
      if (cell && this.grid.contains(cell)) this.#paint(cell);
    }
    this.last = { clientX: x, clientY: y };
  }

  #end() {
    this.first = null;
  }

  #key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -SIDE, ArrowDown: SIDE }[event.key];
    if (event.key === " " || event.key === "Enter") {
      this.#stroke = null;
      this.#paint(this.#cells[this.#at]);
    } else if (step && this.#cells[this.#at + step]) {
      set(this.#cells[this.#at], { tabindex: -1 });
      this.#at += step;
      set(this.#cells[this.#at], { tabindex: 0 }).focus();
    } else return;
    event.preventDefault();
  }
}
