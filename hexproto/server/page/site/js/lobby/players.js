// Who is connected.

import { button, el } from "../dom.js";
import { person } from "../people.js";
import { keep } from "./rows.js";

export class Players {
  // challenge is called with the name of a player to challenge.
  constructor({ session }, challenge) {
    this.session = session;
    this.challenge = challenge;
    this.list = el("ul", { class: "list" });
    this.count = el("small", {});
    this.element = el("section", { class: "panel", "aria-label": "players" }, el("h2", { class: "row spread" }, "Players", this.count), this.list);
  }

  draw(players, connected) {
    this.count.textContent = `${connected} connected`;
    keep(this.list, players, (p) => JSON.stringify(p), (p) => el(
      "li",
      { class: "row spread" },
      person(p),
      p.name === this.session.you.name
        ? el("small", {}, "you")
        : button("Challenge", () => this.challenge(p.name), { "aria-label": `Challenge ${p.name}` }),
    ));
  }
}
