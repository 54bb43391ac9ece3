// What is shown until the program runs.

import { el, put } from "../dom.js";
import { Progress } from "../progress.js";
import { program } from "../server.js";

export const enter = {
  path: "enter",
  title: "Loading",

  open(app, place) {
    const progress = new Progress();
    progress.show({ phase: "loading the program", part: 0 });
    put(place, el(
      "div",
      { class: "narrow stack" },
      el("h1", {}, "Havannah, poker and Nim in your browser"),
      el("p", { class: "lead" }, "Nothing is installed, and nothing that you do leaves this page: the bots and solvers of gamebots run in it."),
      el("section", { class: "panel" }, progress.element),
    ));
    return program.on("progress", (news) => progress.show(news));
  },
};
