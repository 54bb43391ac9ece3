// A list of games: running ones, or records.

import { byDays, describe, show } from "../clock.js";
import { when } from "../dates.js";
import { el } from "../dom.js";
import { timeOf } from "../games.js";
import { optionsOf, outcomeOf, person, resultOf } from "../people.js";
import { keep } from "./rows.js";

export class GameList {
  // empty is the text of a list without games. Without a text such a list is hidden.
  // pictures draws the boards of some games (see boards.js); without it there are none.
  constructor({ session }, title, empty, pictures = null) {
    this.session = session;
    this.pictures = pictures;
    this.list = el("ul", { class: "list games" });
    this.empty = el("p", { class: "empty" }, empty);
    this.element = el("section", { class: "panel", "aria-label": title }, el("h2", {}, title), this.empty, this.list);
  }

  // draw shows games. The results are those of a player, if one is named.
  draw(games, player = "") {
    this.empty.hidden = games.length > 0;
    this.element.hidden = games.length === 0 && !this.empty.textContent;
    this.pictures?.choose(games);
    const key = (g) => JSON.stringify([g.game, this.#left(g), g.turn, g.hand?.number, g.idle, g.to_move, g.result, g.seats, player, Boolean(this.pictures?.of(g))]);
    keep(this.list, games, key, (game) => this.#row(game, player));
  }

  // left is the time that is left where players have days, of games whose clocks are known.
  #left(game) {
    return game.time && !game.result && byDays(game.clock) ? show(timeOf(game, this.session.now())) : "";
  }

  #row(game, player) {
    const { session } = this;
    const rules = session.rules(game.rules);
    const [first, second] = game.seats.map((seat, i) => ({ ...seat, change: game.changes?.[i] }));
    const yours = game.you >= 0 && game.to_move?.includes(game.you);
    const left = this.#left(game);
    const state = game.result ? ended(game) : yours ? `Your move${left && `, ${left}`}` : left ? `their move, ${left}` : game.hand ? `hand ${game.hand.number} of ${game.hand.of}` : `move ${game.turn + 1}`;
    const outcome = outcomeOf(game, player);
    const picture = this.pictures?.of(game);
    return el(
      "li",
      { class: picture ? "game-row pictured" : "game-row", "data-idle": game.idle },
      picture,
      el("span", { class: "versus" }, person(first), el("span", { class: "vs" }, "against"), person(second), game.seats.length > 2 && el("span", { class: "vs" }, `and ${game.seats.length - 2} more`)),
      el(
        "small",
        {},
        [
          rules?.title ?? game.rules, optionsOf(game.options), describe(game.clock), game.rated && "rated", game.result && when(game.ended ?? game.started),
        ].filter(Boolean).join(" · "),
      ),
      el(
        "span",
        { class: `state ${game.result ? "result" : yours ? "yours" : ""}` },
        outcome && el("span", { class: `tag ${outcome}` }, outcome), outcome && " ",
        game.idle && !byDays(game.clock) && el("span", { class: "tag", title: "Nobody plays it: no player is connected, or nobody has moved for ten minutes" }, "idle"), game.idle && " ",
        el("a", { class: "game-open", href: `#/game/${encodeURIComponent(game.game)}`, "aria-label": `${state}: ${first.name} against ${second.name}` }, state),
      ),
    );
  }
}

// ended formats how a game ended, beside its outcome.
function ended(game) {
  const { how, reason } = game.result;
  return how === "abort" ? reason || "does not count" : resultOf(game);
}
