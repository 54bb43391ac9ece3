// Poker: a table with cards and chips, and the actions of who is to act. A match is shown
// hand by hand; the end of a hand stays until the player goes on or, in a match with clocks, for a
// few seconds.

import { leftOf } from "../clock.js";
import { button, el, put, set } from "../dom.js";
import { storage } from "../game/nextmove.js";
import { nameAt } from "../people.js";
import { Felt } from "../poker/felt.js";
import { Hands } from "../poker/hands.js";
import { positionOf, seatAt } from "../poker/positions.js";
import { Report } from "../poker/report.js";
import { Sizes, unitOf } from "../poker/sizes.js";
import { stepsOf } from "../poker/steps.js";
import { Story } from "../poker/story.js";
import { forcedOf } from "../poker/text.js";
import { STORE } from "../server.js";
import { action, amount, number, sentence } from "../words.js";

const READING = 5000; // ms for which the end of a hand stays, and the server's clocks stand
const AIMED = 500; // ms after that in which a click was meant for the button that is gone

// named returns a hand with the names of the players, and the unit of the amounts that are shown.
const named = (hand, nameOf) => ({ ...hand, players: hand.players.map((_, p) => nameOf(seatAt(hand, p))), unit: unitOf(hand) });

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

  // small returns a picture of a game's table for a list of games.
  static small({ board, view, seats }) {
    const { hand } = view.poker;
    const players = named(hand, (seat) => nameAt(seats, seat));
    const felt = new Felt(players, { order: hand.players.map((_, seat) => positionOf(hand, seat)), cards: board.hole_cards, positions: board.positions });
    felt.draw(stepsOf(players).at(-1));
    return felt.element;
  }

  // say names a move in a view, by what it is in its round.
  static say(made, { legal, poker: { hand, names = [], before = 0 } }) {
    const move = made.replace("+", "");
    const known = names[legal.indexOf(move)];
    if (known) return action(known, unitOf(hand));
    const raise = names.at(-1)?.startsWith("bet") ? "bet" : "raise to"; // of the raises the view lists only some
    return `${raise} ${amount(Number(move.slice(1)) - before, unitOf(hand))}`;
  }

  constructor(board, names, { play, here, seats, redraw, notices }) {
    this.board = board;
    this.play = play;
    this.here = here;
    this.heads = seats;
    this.redraw = redraw;
    this.felt = el("div", { class: "felt-frame" });
    this.buttons = el("div", { class: "row poker-buttons", role: "group", "aria-label": "actions" });
    this.story = new Story(notices);
    this.aside = this.story.element;
    this.element = el("div", { class: "board poker", tabindex: -1 }, this.felt, this.buttons);
  }

  get hand() {
    return this.shows.hand;
  }

  // words tells the player what to do, where the state of the game does not.
  get words() {
    return this.absent || (this.waits ? "The hand is over" : "");
  }

  // look chooses the hand to show: the one of the view, unless the player has yet to go on
  // from the end of an earlier one.
  look({ poker }, { result, you, away = [], gone = [] }) {
    const { finished = [] } = poker;
    const left = gone.includes(you);
    this.absent = result || poker.replayed ? "" : left ? "You have left the table" : away.includes(you) ? "You are away" : "";
    this.returns = this.absent && away.includes(you) && (left ? "Come back" : "I am back");
    if (this.absent) this.read = finished.length;
    this.read ??= finished.length; // hands whose end the player has seen
    this.waits = !poker.replayed && !result && finished.length > this.read;
    this.shows = this.waits ? finished[this.read] : poker.hand;
    if (!this.waits) this.until = null;
  }

  // tick counts the seconds to the next hand, if there are clocks. Then the page goes on by itself: at the latest
  // when the clock of the player runs.
  tick(game, now) {
    if (!this.waits || leftOf(game, 0, now) === null) return;
    const { time: { running, since }, you } = game;
    this.until ??= now + READING; // when the page goes on
    const late = running[you] && now >= since[you];
    if (late || now >= this.until) this.#goOn(late ? Infinity : this.read + 1);
    else this.buttons.firstChild.replaceChildren("Next hand", el("span", { "aria-hidden": "true" }, ` in ${Math.ceil((this.until - now) / 1000)}`));
  }

  // goOn goes on without the player, who may be about to click or to write elsewhere.
  #goOn(hands) {
    this.#read(hands, this.buttons.contains(document.activeElement));
    set(this.buttons, { inert: true });
    setTimeout(() => set(this.buttons, { inert: false }), AIMED);
  }

  draw({ view, seat, chosen, game }) {
    const { poker } = view;
    const { finished = [] } = poker;
    this.view = view;
    this.seat = seat;
    const stack = this.shows.stacks?.[positionOf(this.shows, game.you)];
    this.short = stack < game.options.buy_in * Math.max(...this.shows.blinds); // has less than the buy-in
    this.#table(this.shows, game);
    set(this.buttons, { hidden: Boolean(game.result) });
    this.#actAhead(game);
    const ahead = this.#actsLater(game) && this.ahead;
    const key = JSON.stringify([this.waits, this.absent, seat, chosen, view.legal, poker.call, poker.raise_to, ahead, this.again]);
    if (key === this.offered) return;
    this.offered = key;
    set(this.buttons, { "data-betting": this.shows.betting });
    put(this.buttons, this.absent ? this.#back() : this.waits ? this.#next(finished.length - this.read) : seat === null ? ahead !== false && this.#later(game) : this.#actions(view, chosen));
  }

  // actsLater reports whether the player has a decision to come in the hand, after one of another person: bots decide at
  // once. What was chosen for it is shown in any case.
  #actsLater({ you, to_move, seats, result }) {
    if (you < 0 || result || this.waits || this.absent || this.view.poker.replayed || to_move.includes(you)) return false;
    const { spent, folded } = stepsOf(this.shows).at(-1);
    const position = positionOf(this.shows, you);
    return !folded[position] && spent[position] !== this.shows.stacks?.[position] && (this.ahead !== "" || to_move.some((seat) => !seats[seat].bot));
  }

  // later offers to choose, before it is the player's turn, what is done then whatever others do.
  #later(game) {
    const choice = (move, text) => button(text, () => { this.#keepAhead(game, this.ahead === move ? "" : move); this.redraw(); }, { "aria-pressed": String(this.ahead === move) });
    return el("p", { class: "row ahead" }, choice("f", "Check/fold"), choice("c", "Call any"));
  }

  // keepAhead keeps what was chosen for the hand, over a reload, too.
  #keepAhead({ game }, move) {
    this.kept = [this.hand, move];
    storage?.setItem(`${STORE}-ahead-${game}`, JSON.stringify(this.kept));
  }

  // actAhead does what was chosen before, once it is the player's turn in the same hand.
  #actAhead(game) {
    this.kept ??= JSON.parse(storage?.getItem(`${STORE}-ahead-${game.game}`) ?? "[]");
    const [hand, move] = this.kept;
    this.ahead = hand === this.view.poker.hand.hand && !game.result ? move : "";
    if (!this.ahead || this.seat === null || this.waits) return;
    const { legal } = this.view;
    this.#keepAhead(game, "");
    queueMicrotask(() => this.play(legal.includes(move) ? move : "c"));
  }

  #table(shown, { you, seats }) {
    const { finished = [], replayed } = this.view.poker;
    const key = JSON.stringify([shown, this.waits, replayed]);
    if (key === this.shown) return;
    this.shown = key;
    const hand = named(shown, (seat) => nameAt(seats, seat));
    const ended = [...finished.filter((h) => h.hand < hand.hand), ...(hand.values ? [hand] : [])];
    const total = (seat) => ended.reduce((sum, h) => sum + h.values[positionOf(h, seat)], 0);
    const first = Math.max(0, you); // the player of this page is the first of the list
    const order = hand.players.map((_, i) => positionOf(hand, first + i));
    const table = new Felt(hand, {
      order, heads: hand.players.map((_, p) => this.heads[seatAt(hand, p)].element), cards: this.board.hole_cards, positions: this.board.positions, totals: hand.players.map((_, p) => total(seatAt(hand, p))),
      title: `Hand ${hand.hand + 1} of ${this.board.hands}\n${forcedOf(hand)}`, mine: you >= 0,
    });
    table.draw(stepsOf(hand).at(-1));
    this.story.draw({ ...hand, unit: 1 }, named(shown, (seat) => seats[seat].name).players, this.board);
    put(this.felt, set(table.element, { "data-over": this.waits || Boolean(replayed) }));
  }

  #back() {
    return this.returns && button(this.returns, () => this.here(this.hand), { class: "primary" });
  }

  #next(behind) {
    return [
      button("Next hand", () => this.#go(this.read + 1), { class: "primary", title: "N", "aria-label": "Next hand" }),
      behind > 1 && button("To the hand in play", () => this.#go(Infinity)),
    ];
  }

  // go goes on because the player wants to, and is ready for the hand in play if it is shown then.
  #go(hands) {
    this.#read(hands);
    if (!this.waits) this.here(this.hand);
  }

  #read(hands, focus = true) {
    this.read = Math.min(hands, this.view.poker.finished?.length ?? 0);
    this.offered = "";
    this.until = null;
    this.redraw();
    if (focus) this.focus();
  }

  #actions(view, chosen) {
    const { legal, poker } = view;
    const [least, most] = poker.raise_to ?? [0, 0];
    const plain = legal.filter((move) => move[0] !== "r" || least === most);
    this.sizes = least < most ? new Sizes(this.shows, view, (move) => this.#act(move)) : null;
    const again = this.again === this.hand;
    return [
      poker.call > 0 && this.#odds(poker.call),
      plain.map((move) => button(sentence(action(poker.names[legal.indexOf(move)], unitOf(this.shows))), () => this.#act(move), {
        "aria-pressed": chosen ? String(chosen.replace("+", "") === move) : null, title: move[0].toUpperCase(),
      })),
      this.sizes?.element,
      this.short && el("p", { class: "row ahead" }, button("Buy in again after the hand", () => { this.again = again ? null : this.hand; this.redraw(); }, { "aria-pressed": String(again) })),
    ];
  }

  // act plays a move, with which the player may buy in again.
  #act(move) {
    this.play(this.short && this.again === this.hand ? `${move}+` : move);
  }

  // odds says what a call may win. Chips that others have put in beyond it are not to be won by it.
  #odds(call) {
    const { spent } = stepsOf(this.shows).at(-1);
    const mine = spent[positionOf(this.shows, this.seat)] + call;
    const pot = spent.reduce((sum, chips) => sum + Math.min(chips, mine), 0);
    const odds = Math.round((10 * pot) / call) / 10;
    return el("p", { class: "odds" }, `${amount(call, unitOf(this.shows))} to win ${amount(pot, unitOf(this.shows))} · pot odds ${number(odds, odds % 1 ? 1 : 0)} : 1 · needs ${number((100 * call) / (pot + call))}%`);
  }

  // allows reports whether a move is legal: of the raises without a limit the view lists
  // only some.
  allows(made) {
    const move = made.replace("+", "");
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
      this.#go(this.read + 1);
      return true;
    }
    if (this.seat === null || !["f", "c", "r"].includes(letter)) return false;
    const move = this.view.legal.find((legal) => legal[0] === letter);
    if (letter === "r" && this.sizes) this.sizes.select();
    else if (move) this.#act(move);
    return true;
  }

  // focus leaves the first action alone, which is a fold.
  focus() {
    (this.waits ? this.buttons.querySelector("button") : this.element).focus({ preventScroll: true });
  }
}
