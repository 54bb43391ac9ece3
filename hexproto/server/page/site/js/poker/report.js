// What a bot's strategy says of the player's decisions in hands of poker that are over.

import { action, chips, number, sentence } from "../words.js";
import { report } from "../archive.js";
import { cut, short } from "../cards.js";
import { button, el, put, set } from "../dom.js";
import { positionOf } from "./positions.js";
import { hasAntes } from "./steps.js";

const AGAIN = 1000; // ms until a report that took too long is asked for again

const NOTHING = 0.5; // mb that a decision costs without being a mistake

const cardsOf = (text) => cut(text).map(short).join(" ");

// costOf formats an amount in thousandths of the big blind, or of the ante, as chips and, where
// there are blinds, as big blinds.
function costOf(mb, hand) {
  const big = mb / 1000;
  const amount = big * Math.max(...hand.blinds);
  const text = `${number(amount, amount >= 10 ? 0 : amount >= 1 ? 1 : 2)} chips`;
  return hasAntes(hand) ? text : `${text} (${number(big, 2)} bb)`;
}

export class Report {
  constructor(app, id) {
    this.app = app;
    this.id = id;
    this.who = el("select", { "aria-label": "whose decisions", hidden: true, onchange: () => { this.you = Number(this.who.value); this.name = this.who.selectedOptions[0].text; this.#ask(); } }); // in a game from elsewhere
    this.always = el("input", { type: "checkbox", onchange: () => this.always.checked && this.#ask() });
    this.ask = button("Judge my decisions", () => this.#ask());
    this.sums = el("p");
    this.which = el("h3");
    this.list = el("ul", { class: "best decisions" });
    this.link = el("a", {}, "The whole strategy");
    this.element = el(
      "section",
      { class: "panel stack", "aria-label": "your decisions" },
      this.title = el("h2", {}, "Your decisions"),
      el("div", { class: "row spread" }, el("span", { class: "row" }, this.ask, this.who), this.after = el("label", { class: "check plain" }, this.always, "after each hand")),
      this.sums,
      this.which,
      this.list,
      this.link,
    );
  }

  // draw shows what is known about a hand. Spectators have no decisions.
  draw(game, hand) {
    this.streets = game.board.streets;
    this.you = game.you;
    if (game.record) {
      if (!this.who.options.length) put(this.who, game.seats.map(({ name }, seat) => el("option", { value: seat }, name)));
      this.you = Number(this.who.value);
      this.title.textContent = "The decisions";
      this.ask.textContent = "Judge the decisions of";
    }
    this.who.hidden = !game.record;
    this.after.hidden = Boolean(game.record);
    this.whose = game.record ? "the" : "your";
    this.name = game.record ? game.seats[this.you].name : "you";
    this.finished = game.view.poker.finished ?? [];
    this.hands = this.finished.length;
    this.element.hidden = this.you < 0 || this.hands === 0 || !this.app.session.rules(game.rules)?.methods ||
       this.app.session.contested(game);
    if (this.element.hidden) return;
    const kept = game.options.buy_in > 0;
    set(this.ask.parentElement, { hidden: kept });
    if (kept) this.sums.textContent = "Strategies are for full stacks: at a table with a buy-in decisions are not judged.";
    else if (this.always.checked && this.asked !== this.hands) this.#ask();
    this.hand = hand;
    const { rules, seats } = game;
    const methods = this.app.session.rules(rules).methods;
    const bot = seats.map(({ name }) => name).find((name) => methods.includes(name)) ?? methods[0];
    set(this.link, { href: `#/strategy/${[rules, bot].map(encodeURIComponent).join("/")}` });
    this.#show();
  }

  async #ask() {
    const hands = (this.asked = this.hands);
    try {
      const known = await report(this.app.settings, this.id, this.you);
      if (this.asked !== hands) return;
      this.known = known;
      this.#show();
      if (known.partial) setTimeout(() => this.asked === hands && this.#ask(), AGAIN);
    } catch (error) {
      this.app.notices.error(error);
    }
  }

  #show() {
    const { known } = this;
    if (!known) return;
    const hands = known.hands.length;
    this.sums.textContent = [
      `In ${hands} ${hands === 1 ? "hand" : "hands"} ${this.name} ${known.won < 0 ? "lost" : "won"} ${number(Math.abs(known.won), Number.isInteger(known.won) ? 0 : 2)}`,
      known.fair !== undefined && `, without luck ${number(known.fair, 1, true)} ± ${number(known.fair_error, 1)}`,
      `. ${this.#cost()}`,
    ].filter(Boolean).join("");
    const about = known.hands.find(({ hand }) => hand === this.hand);
    const hand = this.finished.find((h) => h.hand === this.hand);
    this.which.textContent = about && hand ? this.#titleOf(hand) : "";
    put(this.list, about && hand && about.decisions.map((d) => this.#decision(d, hand)));
  }

  // #cost says what the decisions cost. In large games that is known in the last round only, or never.
  #cost() {
    const { by, lost, hands } = this.known;
    const decisions = hands.flatMap((hand) => hand.decisions);
    const priced = decisions.filter((decision) => decision.lost !== undefined).length;
    if (decisions.length === 0) return "There was nothing to decide.";
    if (priced === 0) return `What ${this.whose} decisions cost is not known.`;
    const cost = lost < NOTHING ? "nothing" : `${costOf(lost, this.finished[0])} in all`;
    if (priced === decisions.length) return `By the strategy of ${by} ${this.whose} decisions cost ${cost}.`;
    return `By the strategy of ${by} ${priced} of ${this.whose} ${decisions.length} decisions cost ${cost}; of the others that is not known.`;
  }

  #titleOf(hand) {
    const position = positionOf(hand, this.you);
    return `Hand ${hand.hand + 1}: ${cardsOf(hand.holes[position])}, ${chips(hand.values[position])}`;
  }

  #decision({ name, round, lost, advised }, hand) {
    const verdict = !advised ? "not in the strategy" : lost === undefined ? "" : lost < NOTHING ? "as good as any" : `costs ${costOf(lost, hand)}`;
    const board = cardsOf(hand.board.slice(0, round + 1).join(""));
    return el(
      "li",
      { class: "apart" },
      el("b", {}, sentence(action(name))), el("small", {}, verdict), el("span", { class: "line" }, [sentence(this.streets[round]), board].filter(Boolean).join(", ")),
      el("small", { class: "line" }, advised?.map((a) => `${action(a.name)} ${number(100 * a.share)}%${a.value === undefined ? "" : ` (${number(a.value, 2, true)} chips)`}`).join(", ")),
    );
  }
}
