// A variation: moves that are tried from a position of a finished game. The server plays them
// by the rules.

import { button, el, put } from "../dom.js";

export class Variation {
  possible = false; // the game has variations
  base = 0; // turns of the game before it
  line = []; // its moves
  at = 0; // how many of them are shown, 0 for the position of the game
  #positions = new Map(); // what the server says of a line, by the line as JSON
  #waits = false; // for the server

  // show is called when another move of the variation is shown.
  constructor({ session, notices, announce }, id, show) {
    Object.assign(this, { session, notices, announce, id, show });
    this.title = el("small");
    this.moves = el("span", { class: "row" });
    this.element = el("div", { class: "variation", hidden: true }, this.title, this.moves);
  }

  // shown are the moves that are shown.
  get shown() {
    return this.line.slice(0, this.at);
  }

  // position is what the server says of the position that is shown, undefined for one of the game.
  get position() {
    return this.at > 0 ? this.#positions.get(this.#key(this.base, this.shown)) : undefined;
  }

  // play plays a move where the variation is shown, or begins another one after some turns
  // of the game.
  play(turns, move) {
    const base = this.at > 0 ? this.base : turns;
    return this.open(base, [...this.shown, move]);
  }

  // open shows a variation after some turns of the game. One that goes on as the variation does
  // keeps its other moves.
  async open(base, line) {
    if (this.#waits) return;
    this.#waits = true;
    try {
      const key = this.#key(base, line);
      if (!this.#positions.has(key)) this.#positions.set(key, await this.session.ask("explore", { game: this.id, turn: base, line }));
      const known = base === this.base && line.every((move, i) => move === this.line[i]);
      if (!known) Object.assign(this, { base, line });
      this.at = line.length;
      this.show();
    } catch (error) {
      if (error.code === "illegal") this.announce(error.message);
      else this.notices.error(error);
    } finally {
      this.#waits = false;
    }
  }

  // go shows the variation after some of its moves, and the game after none.
  go(at) {
    const to = Math.max(0, Math.min(at, this.line.length));
    if (to > 0) return this.open(this.base, this.line.slice(0, to));
    this.leave();
    return this.show();
  }

  // leave goes back to the game.
  leave() {
    this.at = 0;
  }

  draw(say) {
    this.element.hidden = this.line.length === 0;
    const key = JSON.stringify([this.base, this.line, this.at]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.title.textContent = `Variation after ${this.base} ${this.base === 1 ? "move" : "moves"}`;
    put(this.moves, this.line.map((move, i) => button(say(move), () => this.go(i + 1), { class: "move", "aria-current": this.at === i + 1 ? "step" : null })));
  }

  #key(base, line) {
    return JSON.stringify([base, line]);
  }
}
