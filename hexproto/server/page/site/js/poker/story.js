// A hand in words, and as a line of an ACPC log, to copy.

import { copyButton } from "../copy.js";
import { el, put } from "../dom.js";
import { lineOf, storyOf } from "./text.js";

export class Story {
  constructor(notices) {
    this.notices = notices;
    this.lines = el("ul", { class: "story" });
    this.line = el("code", { class: "acpc" });
    this.copy = el("div", { class: "row" });
    this.element = el("details", { class: "panel" }, el("summary", {}, "The hand in words"), el("div", { class: "stack" }, this.lines, this.line, this.copy));
  }

  // draw shows a hand, in which names may tell the seats of a bot apart; players are their names.
  draw(hand, players, terms) {
    const story = storyOf(hand, terms);
    const line = lineOf(hand, players);
    put(this.lines, story.map((text) => el("li", {}, text)));
    this.line.textContent = line;
    put(this.copy, copyButton(this.notices, "The hand", () => story.join("\n"), "Copy the words"), copyButton(this.notices, "The ACPC line", () => line, "Copy the ACPC line"));
  }
}
