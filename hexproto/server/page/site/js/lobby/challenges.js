// Open challenges with filters, the player's own among them.

import { describe } from "../clock.js";
import { button, choice, el } from "../dom.js";
import { orderOf, playersOf } from "../invitations.js";
import { optionsOf, person } from "../people.js";
import { keep } from "./rows.js";

export class Challenges {
  constructor(app) {
    this.app = app;
    this.all = [];
    const { session } = app;
    const redraw = () => this.draw(this.all);
    this.rules = choice("rules", [["", "all games"], ...session.welcome.rules.map((r) => [r.name, r.title])], "");
    this.from = choice("from", [["", "by anybody"], ["people", "by people"], ["bots", "by bots"]], "");
    this.rated = choice("rated", [["", "rated or not"], ["rated", "rated"], ["casual", "not rated"]], "");
    for (const [select, label] of [[this.rules, "game"], [this.from, "from"], [this.rated, "rated"]]) {
      select.setAttribute("aria-label", `filter: ${label}`);
      select.addEventListener("change", redraw);
    }
    this.list = el("ul", { class: "list" });
    this.empty = el("p", { class: "empty" });
    this.element = el(
      "section",
      { class: "panel", "aria-label": "challenges" },
      el("h2", {}, "Challenges"),
      el("div", { class: "filters" }, this.rules, this.from, this.rated),
      this.empty,
      this.list,
    );
  }

  draw(challenges) {
    this.all = challenges;
    const shown = challenges.filter((c) => this.#passes(c));
    this.empty.hidden = shown.length > 0;
    this.empty.textContent = challenges.length > 0
      ? `None of ${challenges.length} fits the filters.`
      : "There are none. Make one: everybody sees it here.";
    keep(this.list, shown, (c) => JSON.stringify([c.challenge, c.joined]), (c) => this.#row(c));
  }

  #passes({ rules, from, rated }) {
    const wants = this.from.value;
    return (!this.rules.value || rules === this.rules.value) &&
      (!wants || (wants === "bots") === Boolean(from.bot)) &&
      (!this.rated.value || (this.rated.value === "rated") === Boolean(rated));
  }

  #row({ challenge, from, to, rules, options, kind, clock, rated, seat, only, players, joined, fill, bots }) {
    const { session } = this.app;
    const known = session.rules(rules);
    const mine = from.name === session.you.name;
    const accepted = joined?.some(({ name }) => name === session.you.name);
    const why = mine ? "" : refusal(only, { ...session.you, ...session.ratingIn(kind) });
    const order = orderOf({ seat }, known);
    return el(
      "li",
      { class: "challenge" },
      el("div", { class: "row spread" }, person(from), mine
        ? button("Cancel", (event) => this.#do(event, "cancel", challenge), { "aria-label": "Cancel your challenge" })
        : accepted ? button("Leave", (event) => this.#do(event, "cancel", challenge), { "aria-label": `Leave the challenge of ${from.name}` })
        : button("Play", (event) => this.#do(event, "accept", challenge), {
          class: "primary", disabled: Boolean(why), title: why, "aria-label": `Play against ${from.name}`,
        })),
      el("small", {}, [
        known?.title ?? rules, optionsOf(options), describe(clock), rated && "rated", !mine && order, to && `to ${to}`, playersOf({ players, joined, fill, bots }), why || restriction(only),
      ].filter(Boolean).join(" · ")),
    );
  }

  #do(event, type, challenge) {
    const pressed = event.currentTarget;
    pressed.disabled = true;
    this.app.session.ask(type, { challenge }).then(
      ({ game }) => game && this.app.go("game", game),
      (error) => { pressed.disabled = false; this.app.notices.error(error); },
    );
  }
}

// restriction describes who may accept a challenge, "" for anybody.
function restriction(only) {
  if (!only) return "";
  return [
    only.bots && "bots only", only.humans && "people only",
    only.min_rating && `rated ${only.min_rating} at least`, only.max_rating && `rated ${only.max_rating} at most`,
  ].filter(Boolean).join(", ");
}

// refusal returns why a player may not accept a challenge, "" if they may.
function refusal(only, { bot, rating }) {
  if (!only) return "";
  if (only.bots && !bot) return "only for bots";
  if (only.humans && bot) return "only for people";
  if (only.min_rating && rating < only.min_rating) return `only for ratings from ${only.min_rating}`;
  if (only.max_rating && rating > only.max_rating) return `only for ratings up to ${only.max_rating}`;
  return "";
}
