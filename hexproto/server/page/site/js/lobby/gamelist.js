// A list of games: running ones, or records.

import { describe } from "../clock.js";
import { el } from "../dom.js";
import { optionsOf, person, resultOf } from "../people.js";
import { keep } from "./rows.js";

export class GameList {
  // empty is the text of a list without games. Without a text such a list is hidden.
  constructor({ session }, title, empty) {
    this.session = session;
    this.list = el("ul", { class: "list games" });
    this.empty = el("p", { class: "empty" }, empty);
    this.element = el("section", { class: "panel", "aria-label": title }, el("h2", {}, title), this.empty, this.list);
  }

  draw(games) {
    this.empty.hidden = games.length > 0;
    this.element.hidden = games.length === 0 && !this.empty.textContent;
    const key = (g) => JSON.stringify([g.game, g.turn, g.to_move, g.result, g.seats]);
    keep(this.list, games, key, (game) => this.#row(game));
  }

  #row(game) {
    const { session } = this;
    const rules = session.rules(game.rules);
    const [first, second] = game.seats;
    const yours = game.you >= 0 && game.to_move?.includes(game.you);
    const state = game.result ? resultOf(game) : yours ? "Your move" : `move ${game.turn + 1}`;
    return el(
      "li",
      {},
      el(
        "a",
        { href: `#/game/${encodeURIComponent(game.game)}`, class: "game-link" },
        el("span", { class: "versus" }, person(first), el("span", { class: "vs" }, "against"), person(second)),
        el(
          "small",
          {},
          [rules?.title ?? game.rules, optionsOf(game.options), describe(game.clock), game.rated && "rated"].filter(Boolean).join(" · "),
        ),
        el("span", { class: `state ${game.result ? "result" : yours ? "yours" : ""}` }, state),
      ),
    );
  }
}
