// The player's next move, from its choice until the game has it. A move that cannot be sent
// yet is planned: it is shown, and can be replaced or cancelled. Only one that is shown is
// ever played. It is there again when the page is loaded again.

import { STORE } from "../server.js";

const LIFE = 3000; // ms in which the server may make a move that was sent

// storage is that of the tab, or null.
export const storage = (() => {
  try {
    return sessionStorage;
  } catch {
    return null; // the browser stores nothing
  }
})();

export class NextMove {
  #planned = null;
  sent = null; // {turn, move, until, lost}: a move that the game may not have yet
  #current = true; // the state of the game is newer than the last connection
  #silent = 0; // when a move was not answered in time

  // fits reports whether a move is legal. dropped is called with a move that will not be
  // played, failed with the error of one that was refused, and redraw after other changes.
  constructor({ session }, id, { fits, dropped, failed, redraw }) {
    Object.assign(this, { session, id, fits, dropped, failed, redraw });
    this.store = `${STORE}-planned-${id}`;
    this.#planned = JSON.parse(storage?.getItem(this.store) ?? null);
    this.close = session.on("status", (status) => { this.#current &&= status === "open"; });
  }

  // planned is a move to be sent as soon as its turn is the player's: {turn, move}, or null.
  get planned() {
    return this.#planned;
  }

  set planned(planned) {
    this.#planned = planned;
    if (planned) storage?.setItem(this.store, JSON.stringify(planned));
    else storage?.removeItem(this.store);
  }

  // move is the move to show, "" for none.
  get move() {
    return (this.sent ?? this.planned)?.move ?? "";
  }

  // answers reports whether the server is there, as far as the page knows.
  get answers() {
    return this.session.status === "open" && this.session.heard > this.#silent;
  }

  // choose sends a move of a turn, or plans it if that cannot be done now.
  choose(state, turn, move) {
    if (this.sent) return;
    this.planned = { turn, move };
    this.#proceed(state);
    this.redraw();
  }

  // cancel forgets a planned move.
  cancel() {
    this.planned = null;
    this.redraw();
  }

  // changed follows the game. A full state is one that was asked for after a new connection.
  changed(state, { full, before }) {
    const { sent } = this;
    if (full) this.#current = this.session.status === "open";
    const waits = sent && state.turn === sent.turn && state.to_move.includes(state.you) && !state.mine;
    if (sent && !waits) this.sent = null;
    else if (full && sent?.lost) this.#plan(sent); // the server has not had it
    if (this.planned && (state.turn < before?.turn || state.result)) this.#drop();
    this.#proceed(state);
  }

  // tick plans a move again that the server cannot make any more, and sends what is planned.
  tick(state) {
    const { session, sent } = this;
    if (sent && !sent.stored && session.now() > sent.until + session.uncertainty) {
      this.#silent = Date.now();
      this.#plan(sent);
      session.probe();
      this.redraw();
    } else if (this.planned) this.#proceed(state);
  }

  #plan({ turn, move }) {
    this.sent = null;
    this.planned = { turn, move };
  }

  #drop() {
    const { move } = this.planned;
    this.planned = null;
    this.dropped(move);
  }

  // proceed sends the planned move, or drops it if the game has gone on without it.
  #proceed(state) {
    const { planned } = this;
    if (!planned || !this.#current || !this.answers) return;
    if (state.turn > planned.turn) {
      const made = state.moves.some(({ turn, seat, move }) => turn === planned.turn && seat === state.you && move === planned.move);
      return made ? this.cancel() : this.#drop();
    }
    if (state.turn < planned.turn || !state.to_move.includes(state.you) || state.mine) return;
    if (this.fits(planned.move)) this.#send(planned);
    else this.#drop();
  }

  #send({ turn, move }) {
    const { session, id } = this;
    const until = Math.round(session.now()) + LIFE;
    const sent = (this.sent = { turn, move, until });
    this.planned = null;
    session.ask("play", { game: id, turn, move, until }).then(() => {
      sent.stored = true;
      if (this.sent === sent) this.redraw();
    }, (error) => {
      if (error.code === "disconnected") sent.lost = true;
      else if (this.sent === sent) {
        this.sent = null;
        this.failed(error);
      }
    });
  }
}
