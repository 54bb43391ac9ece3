// Poker: a table with cards and chips, and the actions of who is to act. A match is shown
// hand by hand; the end of a hand stays until the player goes on.

import { PokerTable, stepsOf, storyOf } from "../arena/hand.js";
import { action, number, sentence } from "../arena/words.js";
import { button, el, put, set } from "../dom.js";
import { Hands } from "../game/hands.js";
import { Report } from "../game/report.js";
import { positionOf, seatAt } from "./positions.js";

// named returns a hand with the names of the players.
const named = (hand, seats) => ({ ...hand, players: hand.players.map((_, p) => seats[seatAt(hand, p)].name) });

// before returns a hand as it was before an action, by number.
function before(hand, actions) {
  if (actions >= hand.actions.length && hand.values) return hand;
  const made = hand.actions.slice(0, actions);
  const rounds = Math.max(0, ...made.map(({ round }) => round), actions < hand.actions.length ? hand.actions[actions].round : hand.board.length - 1);
  return { ...hand, actions: made, board: hand.board.slice(0, rounds + 1), values: null, showdown: false };
}

export class Poker {
  // A seat of the table has its player's name and clock.
  static seated = true;
  // Its actions are buttons that say what they do.
  explicit = true;
  static Moves = Hands;
  static Report = Report;

  // replay returns the view after some of the moves.
  static replay(board, moves, { view }) {
    const { finished = [], hand } = view.poker;
    let turn = moves.length;
    const all = hand.values ? finished : [...finished, hand];
    const at = all.find((h) => turn <= h.actions.length || ((turn -= h.actions.length), false)) ?? hand;
    return { ...view, legal: [], poker: { ...view.poker, hand: before(at, turn), replayed: true } };
  }

  // say names a move in a view, by what it is in its round.
  static say(move, { legal, poker: { names = [], before = 0 } }) {
    const known = names[legal.indexOf(move)];
    if (known) return action(known);
    const raise = names.at(-1)?.startsWith("bet") ? "bet" : "raise to"; // of the raises the view lists only some
    return `${raise} ${number(Number(move.slice(1)) - before)}`;
  }

  constructor(board, names, { play, seats, redraw }) {
    this.board = board;
    this.play = play;
    this.heads = seats;
    this.redraw = redraw;
    this.felt = el("div");
    this.buttons = el("div", { class: "row poker-buttons", role: "group", "aria-label": "actions" });
    this.story = el("ul", { class: "story" });
    this.element = el("div", { class: "board poker", tabindex: -1 }, this.felt, this.buttons, el("details", {}, el("summary", {}, "The hand in words"), this.story));
  }

  get hand() {
    return this.shows.hand;
  }

  // words tells the player what to do, where the state of the game does not.
  get words() {
    return this.waits ? "The hand is over" : "";
  }

  // look chooses the hand to show: the one of the view, unless the player has yet to go on
  // from the end of an earlier one.
  look({ poker }, { result }) {
    const { finished = [] } = poker;
    this.read ??= finished.length; // hands whose end the player has seen
    this.waits = !poker.replayed && !result && finished.length > this.read;
    this.shows = this.waits ? finished[this.read] : poker.hand;
  }

  draw({ view, seat, chosen, game }) {
    const { poker } = view;
    const { finished = [] } = poker;
    this.view = view;
    this.seat = seat;
    this.#table(named(this.shows, game.seats), game);
    const key = JSON.stringify([this.waits, seat, chosen, view.legal, poker.call, poker.raise_to]);
    if (key === this.offered) return;
    this.offered = key;
    put(this.buttons, this.waits ? this.#next(finished.length - this.read) : seat === null ? [] : this.#actions(view, chosen));
  }

  #table(hand, game) {
    const { finished = [], replayed } = this.view.poker;
    const key = JSON.stringify([hand, this.waits, replayed]);
    if (key === this.shown) return;
    this.shown = key;
    const earlier = finished.filter((h) => h.hand < hand.hand);
    const total = (seat) => earlier.reduce((sum, h) => sum + h.values[positionOf(h, seat)], 0);
    const first = Math.max(0, game.you); // the player of this page is the first of the list
    const order = hand.players.map((_, i) => positionOf(hand, first + i));
    const table = new PokerTable(hand, {
      order, heads: hand.players.map((_, p) => this.heads[seatAt(hand, p)].element), cards: this.board.hole_cards, positions: this.board.positions, totals: hand.players.map((_, p) => total(seatAt(hand, p))),
      title: `Hand ${hand.hand + 1} of ${this.board.hands}`,
    });
    table.draw(stepsOf(hand).at(-1));
    put(this.story, storyOf(hand, this.board.streets).map((line) => el("li", {}, line)));
    put(this.felt, set(table.element, { "data-over": this.waits || Boolean(replayed) }));
  }

  #next(behind) {
    const go = () => { this.#read(this.read + 1); };
    return [
      button("Next hand", go, { class: "primary", title: "N" }),
      behind > 1 && button("To the hand in play", () => this.#read(Infinity)),
    ];
  }

  #read(hands) {
    this.read = Math.min(hands, this.view.poker.finished?.length ?? 0);
    this.offered = "";
    this.redraw();
    this.focus();
  }

  #actions({ legal, poker }, chosen) {
    this.size = null;
    const [least, most] = poker.raise_to ?? [0, 0];
    const plain = legal.filter((move) => move[0] !== "r" || least === most);
    return [
      poker.call > 0 && this.#odds(poker.call),
      plain.map((move) => button(sentence(action(poker.names[legal.indexOf(move)])), () => this.play(move), {
        "aria-pressed": chosen ? String(chosen === move) : null, title: move[0].toUpperCase(),
      })),
      least < most && this.#raise(legal, poker),
    ];
  }

  // odds says what a call may win. Chips that others have put in beyond it are not to be won by it.
  #odds(call) {
    const { spent } = stepsOf(this.shows).at(-1);
    const mine = spent[positionOf(this.shows, this.seat)] + call;
    const pot = spent.reduce((sum, chips) => sum + Math.min(chips, mine), 0);
    const odds = Math.round((10 * pot) / call) / 10;
    return el("p", { class: "odds" }, `${number(call)} to win ${number(pot)} · pot odds ${number(odds, odds % 1 ? 1 : 0)} : 1 · needs ${number((100 * call) / (pot + call))}%`);
  }

  // raise has a field for the size of a bet or raise in this round, with the usual sizes.
  #raise(legal, { call = 0, before = 0, names, raise_to: [least, most] }) {
    const verb = names.at(-1).startsWith("bet") ? "Bet" : "Raise to";
    const bounds = { min: least - before, max: most - before, step: 1, value: least - before };
    const size = el("input", { type: "number", ...bounds, "aria-label": `${verb}, from ${bounds.min} to ${bounds.max} chips`, inputmode: "numeric" });
    const range = el("input", { type: "range", ...bounds, "aria-label": verb, tabindex: -1 });
    size.addEventListener("input", () => { range.value = size.value; });
    range.addEventListener("input", () => { size.value = range.value; });
    const { spent, pot } = stepsOf(this.shows).at(-1);
    const usual = (to) => {
      const share = (to - Math.max(...spent)) / (pot + call);
      return to === most ? "All-in" : to === least ? "Min" : share === 1 ? "Pot" : "½ pot";
    };
    this.size = size;
    return el(
      "form",
      { class: "raise", onsubmit: (event) => { event.preventDefault(); this.play(`r${Math.round(Number(size.value)) + before}`); } },
      el("button", { class: "primary" }, verb), size, range,
      el("span", { class: "row sizes" }, legal.filter((move) => move[0] === "r").map((move) => {
        const to = Number(move.slice(1));
        const fill = () => { size.value = range.value = to - before; };
        return button(usual(to), fill, { title: number(to - before), "aria-label": `${usual(to)}, ${number(to - before)}: fill in` });
      })),
    );
  }

  // allows reports whether a move is legal: of the raises without a limit the view lists
  // only some.
  allows(move) {
    const { legal, poker } = this.view;
    const [least, most] = poker.raise_to ?? [1, 0];
    const to = Number(move.slice(1));
    return legal.includes(move) || (move[0] === "r" && to >= least && to <= most);
  }

  // key handles a key that was pressed anywhere, and reports whether it did.
  key({ key }) {
    const letter = key.toLowerCase();
    if (this.waits) {
      if (letter !== "n") return false;
      this.#read(this.read + 1);
      return true;
    }
    if (this.seat === null || !["f", "c", "r"].includes(letter)) return false;
    const move = this.view.legal.find((legal) => legal[0] === letter);
    if (letter === "r" && this.size) this.size.select();
    else if (move) this.play(move);
    return true;
  }

  focus() {
    (this.buttons.querySelector("button") ?? this.element).focus({ preventScroll: true });
  }
}
