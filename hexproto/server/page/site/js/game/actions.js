// The actions in a game, other than a move on the board.

import { button, el, put } from "../dom.js";

// plays reports whether the reader is a player who has not left.
const plays = ({ you, gone }) => you >= 0 && !gone?.includes(you);

// countsOf reports whether a game counts by now, and cannot be aborted: all have moved, or cards
// are dealt.
const countsOf = ({ seats, moves, view }) => seats.every((_, seat) => moves.some((m) => m.seat === seat)) || Boolean(view?.poker);

export class Actions {
  // play makes a move. The button of a chosen move calls it too. cancel forgets a planned
  // one, and redraw draws the view again.
  constructor({ session, notices, go, invitations }, { play, cancel, redraw }) {
    Object.assign(this, { session, notices, go, invitations, play, cancel, redraw });
    this.status = el("p", { class: "turn" });
    this.buttons = el("div", { class: "row actions" });
    this.element = el("div", { class: "below" }, this.status, this.buttons);
    this.sure = false; // to resign
    this.asking = false; // an answer of the server is awaited
  }

  draw(game, { status, chosen, planned, say, live, drawless, download }) {
    this.mute = this.session.status !== "open" || this.asking; // nothing can be asked
    const key = JSON.stringify([status, chosen, planned, live, this.mute, this.sure, game.swap, game.to_move, game.turn, game.offers, game.result, game.you, game.gone, countsOf(game)]);
    if (key === this.shown) return;
    this.shown = key;
    this.status.textContent = status;
    put(this.buttons, game.result ? this.#after(game, download) : plays(game) ? this.#during(game, { chosen, planned, say, live, drawless }) : []);
  }

  // button makes a button that asks the server for something.
  #button(text, onclick, attributes) {
    return button(text, onclick, { disabled: this.mute, ...attributes });
  }

  #during(game, { chosen, planned, say, live, drawless }) {
    const { you, offers = [] } = game;
    const offer = (kind, no) => () => this.#do("offer", { game: game.game, offer: kind, no });
    const theirs = (kind) => offers.some((o) => o.offer === kind && o.seat !== you);
    const mine = (kind) => offers.some((o) => o.offer === kind && o.seat === you);
    const offered = (kind, yes, ask, undo) =>
      theirs(kind) ? [this.#button(yes, offer(kind), { class: "primary" }), this.#button("Refuse", offer(kind, true))]
      : mine(kind) ? this.#button(undo, offer(kind, true))
      : this.#button(ask, offer(kind));
    const moved = (seat) => game.moves.some((m) => m.seat === seat);
    const { hidden } = this.session.rules(game.rules) ?? {}; // games with hidden information have no offers
    return [
      planned && button("Cancel", this.cancel, { title: "Do not play it (Esc)" }),
      live && chosen && button(`Play ${say(chosen)}`, () => this.play(chosen), { class: "primary" }),
      live && game.to_move.includes(you) && game.swap && button("Swap", () => this.play("swap"), { class: chosen ? null : "primary", title: "Take over the first stone" }),
      !hidden && !drawless && offered("draw", "Accept the draw", "Offer a draw", "Withdraw the draw offer"),
      !hidden && !game.rated && (moved(you) || theirs("takeback")) && offered("takeback", "Let them take back", "Take back", "Withdraw the request"),
      countsOf(game) ? this.#resign(game) : this.#button("Abort", () => this.#do("abort", { game: game.game }), { class: "danger" }),
    ];
  }

  #resign({ game, rules }) {
    const word = this.session.rules(rules)?.hidden ? "leave" : "resign"; // a table of poker
    if (!this.sure) return this.#button(word === "leave" ? "Leave" : "Resign", () => this.#ask(true), { class: "danger" });
    return [
      this.#button(`Really ${word}`, () => { this.sure = false; this.#do("resign", { game }); }, { class: "danger", autofocus: true }),
      button("Play on", () => this.#ask(false)),
    ];
  }

  #ask(sure) {
    this.sure = sure;
    this.redraw();
    this.buttons.querySelector("[autofocus]")?.focus();
  }

  #after(game, download) {
    const others = game.seats.filter((_, seat) => seat !== game.you);
    const bot = others.find((player) => player.bot);
    const people = others.filter((player) => !player.bot);
    const other = game.you >= 0 && people.length < 2 && (people[0] ?? bot); // several would have to be asked one by one
    const again = () => this.#do("challenge", {
      rules: game.rules, options: game.options, clock: game.clock, rated: game.rated || undefined, to: other.name, fill: others.length > 1 ? others.filter((player) => player !== other).map(({ name }) => name) : undefined,
      seat: game.rated && this.session.rules(game.rules)?.by_lot ? undefined : game.you === 0 ? "second" : "first",
    });
    return [
      other && this.#button("Play again", again, { class: "primary" }),
      download.length > 0 && el("span", { class: "row" }, el("small", {}, "Record"), download),
      button("To the lobby", () => this.go("")),
    ];
  }

  async #do(type, fields) {
    this.asking = true;
    this.redraw();
    try {
      const { game, challenge } = await this.session.ask(type, fields);
      if (game && type === "challenge") this.go("game", game);
      else if (challenge) this.invitations.sent(challenge, fields.to);
    } catch (error) {
      this.notices.error(error);
    } finally {
      this.asking = false;
      this.redraw();
    }
  }
}
