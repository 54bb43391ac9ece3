// The options of a game as fields of a form.

import { choice, el, field } from "../dom.js";

// Options shows the fields of a list of options, and reads them.
export class Options {
  constructor(options) {
    this.inputs = options.map((option) => [option, input(option)]);
    this.elements = this.inputs.map(([option, element]) =>
      option.kind === "bool"
        ? el("label", { class: "check" }, element, option.title)
        : wide(option, field(option.title, element, note(option))));
  }

  // write fills in the options of an earlier challenge.
  write(options) {
    for (const [{ name, kind }, element] of this.inputs) {
      if (!(name in options)) continue;
      if (kind === "bool") element.checked = options[name];
      else element.value = [options[name]].flat().join(" ");
    }
  }

  // read returns the options of a challenge.
  read() {
    return Object.fromEntries(this.inputs.map(([{ name, kind }, element]) => [name, value(kind, element)]));
  }
}

// wide makes fields of texts and lists twice as wide.
function wide({ kind }, element) {
  element.classList.toggle("wide", kind === "text" || kind === "ints");
  return element;
}

function input({ name, kind, default: preset, min, max, choices }) {
  switch (kind) {
    case "int": return el("input", { type: "number", name, value: preset, min: min ?? 0, max, required: true });
    case "ints": return el("input", { name, value: preset.join(" "), inputmode: "numeric", pattern: "[0-9]+([ ,;]+[0-9]+)*", required: true });
    case "bool": return el("input", { type: "checkbox", name, checked: preset });
    case "choice": return choice(name, choices.map((c) => [c, c]), preset);
  }
  return el("input", { name, value: preset });
}

function note({ kind, min, max }) {
  if (kind === "int" && max) return `${min ?? 0} to ${max}`;
  if (kind === "ints") return `numbers${max ? ` from ${min ?? 0} to ${max}` : ""} with spaces between them`;
  return null;
}

function value(kind, element) {
  switch (kind) {
    case "int": return Number(element.value);
    case "ints": return element.value.trim().split(/[ ,;]+/).map(Number);
    case "bool": return element.checked;
  }
  return element.value;
}
