// A phase of the program's work, and how far it is.

import { el, put } from "./dom.js";

export class Progress {
  element = el("div", { class: "stack", role: "status" });

  #phase = null;

  // show shows a part from 0 to 1 of a phase, or that it is unknown.
  show({ phase, part, text = "" }) {
    if (phase !== this.#phase) {
      this.#phase = phase;
      this.bar = el("progress", { max: 1, "aria-label": phase });
      this.words = el("small");
      put(this.element, el("p", {}, `${phase.charAt(0).toUpperCase()}${phase.slice(1)} …`), this.bar, this.words);
    }
    if (part !== undefined) this.bar.value = part;
    this.words.textContent = text || `${Math.floor(100 * part)}%`;
  }

  clear() {
    this.#phase = null;
    put(this.element);
  }
}
