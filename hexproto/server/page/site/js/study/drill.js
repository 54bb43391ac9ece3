// Hands of a solved spot to play against its solution, which judges each decision.

import { card, cut } from "../cards.js";
import { button, el, put } from "../dom.js";
import { number, sentence } from "../words.js";

const RESULTS = { win: "You win the pot at the showdown.", lose: "You lose the showdown.", "share the pot": "You share the pot.", fold: "The hand ends without a showdown." };

const cost = (lost) => (lost < 0.005 ? "as good as any" : `costs ${number(lost, 2)} chips`);

export class Drill {
  #hand = Math.floor(Math.random() * 2 ** 31);
  #actions = [];
  #asking = false;
  #played = { hands: 0, decisions: 0, lost: 0 };

  // Costs are compared with the pot of the spot. The function ask returns the state of a hand for its number and the player's actions.
  constructor(pot, ask) {
    this.pot = pot;
    this.ask = ask;
    this.place = el("div", { class: "stack" });
    this.news = el("p", { "aria-live": "polite" });
    this.sums = el("small");
    this.element = el("section", { class: "panel stack", "aria-label": "drill" }, el("h2", {}, "Drill"), this.news, this.place, this.sums);
    this.#go();
  }

  // #go shows the hand after an action, or without one the next hand.
  async #go(action) {
    if (this.#asking) return; // the second click of two
    const [hand, actions] = action ? [this.#hand, [...this.#actions, action]] : [this.#hand + 1, []];
    this.#asking = true;
    const drill = await this.ask({ hand, actions: actions.join(" ") });
    this.#asking = false;
    if (!drill) return; // it can be asked for again
    [this.#hand, this.#actions] = [hand, actions];
    this.#draw(drill);
    if (this.element.isConnected) this.place.querySelector("button").focus(); // else it was left
  }

  #draw({ player, cards, other, board, pot, to_call: call, told, actions, judged, result }) {
    const last = judged.at(-1);
    if (last && this.#actions.length === judged.length) {
      this.#played.decisions += 1;
      this.#played.lost += last.lost;
    }
    if (result) this.#played.hands += 1;
    const { hands, decisions, lost } = this.#played;
    this.news.textContent = [last && `${sentence(last.name)}: ${cost(last.lost)}.`, result && RESULTS[result]].filter(Boolean).join(" ") || `You are ${player}.`;
    put(
      this.place,
      el("div", { class: "row" }, [[`Your hand, ${player}`, cards], ["Board", board], ["The other hand", other]].map(([label, text]) => text
        && el("div", { class: "row" }, el("span", {}, label), el("div", { class: "cards" }, cut(text).map(card))))),
      !result && el("p", {}, `Pot ${number(pot)}${call > 0 ? `, ${number(call)} to call` : ""}`),
      told.length > 0 && el("small", {}, told.map(sentence).join(" · ")),
      el("div", { class: "row", role: "group", "aria-label": "your action" }, result
        ? button("Next hand", () => this.#go(), { class: "primary" }) : actions.map(({ text, name }) => button(sentence(name), () => this.#go(text)))),
      el("ul", { class: "best decisions" }, judged.map((j) => el(
        "li", { class: "apart" }, el("b", {}, sentence(j.name)), el("small", {}, cost(j.lost)),
        el("small", { class: "line" }, j.advised.map(({ name, share, value }) => `${name} ${number(100 * share)}% (${number(value, 2)})`).join(", ")),
      ))),
    );
    this.sums.textContent = decisions ? `Hands ${hands}, decisions ${decisions}: they cost ${number(lost, 2)} chips in all, ${number(100 * lost / decisions / this.pot, 2)}% of the pot each. In brackets is what an action wins.` : "";
  }
}
