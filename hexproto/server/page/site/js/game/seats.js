// The players of a game, with their clocks.

import { byDays, leftOf, show } from "../clock.js";
import { el, put, set } from "../dom.js";
import { nameAt, profileOf, rangeOf, ratingOf } from "../people.js";

const LOW = 10_000; // ms
const LONG = 5000; // ms after which the page says how long a bot has thought
const SLOW = 3000; // ms for which a bot at a poker table thinks until its clock is shown

export class Seat {
  constructor(seat) {
    this.seat = seat;
    this.who = el("div", { class: "who" });
    this.note = el("span", { class: "seat-note" });
    this.main = el("span", { class: "time" });
    this.free = el("span", { class: "free" });
    this.clock = el("div", { class: "clock", role: "timer" }, this.free, this.main);
    this.element = el("div", { class: "seat", "data-seat": seat }, el("span", { class: "stone-icon", "aria-hidden": "true" }), this.who, this.note, this.clock);
  }

  draw(game) {
    const { seat } = this;
    const player = game.seats[seat];
    const poker = game.board?.kind === "poker"; // its table has a frame for who is to move, and for who wins a hand
    const key = JSON.stringify([player, game.names[seat]]);
    if (key !== this.shown) {
      put(
        this.who,
        el(game.record ? "span" : "a", { class: "person-name", href: !game.record && profileOf(player.name) }, nameAt(game.seats, seat)),
        el("small", { title: rangeOf(player) }, [game.names[seat], !poker && player.rating && ratingOf(player), player.bot && "bot"].filter(Boolean).join(" · ")),
      );
      this.shown = key;
    }
    this.quick = poker && player.bot;
    const toMove = game.to_move.includes(seat);
    const won = game.result?.winner === seat;
    const lost = !won && game.result?.winner >= 0 && game.seats.length === 2;
    set(this.element, { "data-to-move": toMove, "data-won": won, "data-lost": lost, "data-kind": game.board?.kind });
    this.words = won ? (poker ? "won the match" : "won") : lost && !poker ? "lost"
      : game.offers?.some((o) => o.seat === seat) ? `offers ${game.offers.find((o) => o.seat === seat).offer === "draw" ? "a draw" : "to take back"}`
      : game.gone?.includes(seat) ? "has left"
      : !game.result && game.away?.includes(seat) ? "away"
      : !game.result && !game.present[seat] && !byDays(game.clock) ? "not connected"
      : toMove && !poker ? (seat === game.you ? "your move" : "to move") : "";
  }

  // wordsAt returns the words beside the player's name at a time of the server.
  #wordsAt({ seats, time }, now) {
    const thought = this.words === "to move" && seats[this.seat].bot ? now - time.at : 0;
    return thought > LONG ? `thinking, ${Math.floor(thought / 1000)} s` : this.words;
  }

  // tick shows the clock at a time of the server, and how long the player has for the
  // first move.
  tick(game, now) {
    const first = game.time.abort && game.to_move.includes(this.seat) && !game.moves.some(({ seat }) => seat === this.seat);
    const words = first ? `${show(Math.max(0, game.time.abort - now))} to\u00a0begin` : this.#wordsAt(game, now);
    if (this.note.textContent !== words) this.note.textContent = words;
    set(this.note, { title: first ? "or the game is aborted and does not count" : null });
    const left = leftOf(game, this.seat, now);
    const running = game.time.running[this.seat] && now >= game.time.since[this.seat]; // it stands after a hand of poker
    this.clock.hidden = left === null || (this.quick && !(running && now - game.time.since[this.seat] > SLOW));
    if (!left) return;
    const { main, free } = left;
    const onlyFree = !game.clock.main && !game.clock.increment;
    const total = onlyFree ? free : main;
    this.main.textContent = show(total);
    this.free.textContent = !onlyFree && game.clock.per_move && running && free > 0 ? `+${show(free)}` : "";
    set(this.clock, { "data-running": running, "data-low": !game.result && total < LOW, "aria-label": `clock of ${game.seats[this.seat].name}` });
  }
}
