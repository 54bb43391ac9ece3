// A game: played, watched, or replayed once it is over.

import { pictureOf } from "../boards/boards.js";
import { legalMoves } from "../boards/legal.js";
import { download } from "../archive.js";
import { button, el, put } from "../dom.js";
import { Actions } from "../game/actions.js";
import { Analysis } from "../game/analysis.js";
import { Chat } from "../game/chat.js";
import { marksOf } from "../game/judge.js";
import { Moves } from "../game/moves.js";
import { narrate } from "../game/narrator.js";
import { Seat } from "../game/seats.js";
import { Zoom } from "../game/zoom.js";
import { describe } from "../clock.js";
import { howTo, keys } from "../help.js";
import { optionsOf, resultOf } from "../people.js";

const TICK = 100; // ms

export const game = {
  path: "game",
  title: "Game",

  open(app, place, [id]) {
    const table = new Table(app, place, id);
    return () => table.close();
  },
};

class Table {
  chosen = ""; // a move to be confirmed
  sent = null; // {turn, move}: a move whose acknowledgement is awaited
  shown = null; // how many turns the board shows, null for the present

  constructor(app, place, id) {
    this.app = app;
    this.place = place;
    this.id = id;
    const redraw = () => this.draw();
    this.analysis = new Analysis(app, redraw);
    this.actions = new Actions(app, (move) => this.send(move));
    this.actions.redraw = redraw;
    this.chat = new Chat(app, id, "Chat");
    const keys = (event) => this.#key(event);
    addEventListener("keydown", keys);
    const timer = setInterval(() => this.tick(), TICK);
    this.ends = [
      app.games.on("change", (change) => change.id === id && this.changed(change)),
      app.session.on("welcome", () => this.watch()),
      app.session.on("status", redraw),
      () => removeEventListener("keydown", keys),
      () => clearInterval(timer),
      () => this.state && this.state.you < 0 && app.session.status === "open" && app.session.tell("unwatch", { game: id }),
    ];
    this.watch();
  }

  close() {
    this.ends.forEach((end) => end());
    this.app.games.forget(this.id);
  }

  get state() {
    return this.app.games.get(this.id);
  }

  get turns() {
    return this.shown ?? this.state.turn;
  }

  // watch requests the full state, at first and after each new connection.
  async watch() {
    try {
      await this.app.session.ask("watch", { game: this.id });
    } catch (error) {
      if (error.code === "disconnected") return; // welcome comes again
      put(this.place, el(
        "div", { class: "narrow notice bad" }, el("strong", {}, error.message), el("p", {}, error.advice),
        el("a", { class: "button", href: "#/" }, "To the lobby"),
      ));
    }
  }

  changed({ type, message, before }) {
    const { state } = this;
    if (!this.element) this.#build(state);
    if (type === "game") this.#resume();
    if (type === "moved" || state.turn !== before?.turn) {
      this.chosen = "";
      if (this.shown >= state.turn) this.shown = null; // moves were taken back
      if (this.sent && this.sent.turn < state.turn) this.sent = null;
    }
    const words = narrate(state, type, message, this.say, before);
    if (words && before) this.app.announce(words);
    this.draw();
  }

  // resume sends a move again if its acknowledgement was lost and the game still
  // waits for it, which is harmless (docs/hexproto.md, "Turns").
  #resume() {
    const { sent, state } = this;
    if (!sent) return;
    const waits = state.turn === sent.turn && state.to_move.includes(state.you) && !state.mine;
    if (waits && !sent.lost) return; // the state is older than the move, whose answer comes
    this.sent = null;
    if (waits) this.send(sent.move);
  }

  #build(state) {
    const Picture = pictureOf(state.board);
    this.replay = Picture.replay;
    this.say = (move, view = this.state.view) => Picture.say?.(move, view) ?? move;
    this.report = Picture.Report && new Picture.Report(this.app, this.id);
    this.seats = state.seats.map((_, seat) => new Seat(seat));
    this.moves = new (Picture.Moves ?? Moves)((turns) => this.go(turns));
    this.board = new Picture(state.board, state.names, { play: (move) => this.choose(move), browse: () => {}, seats: this.seats, redraw: () => this.draw() });
    this.about = el("p", { class: "about" });
    // The player of this page sits at the bottom.
    const bottom = state.you === 1 ? 1 : 0;
    const beside = (seat) => !Picture.seated && this.seats[seat].element;
    this.element = el(
      "div",
      { class: "game" },
      el("h1", { class: "unseen" }, state.seats.map(({ name }) => name).join(" against ")),
      el(
        "div",
        { class: "table" },
        beside(1 - bottom),
        el(
          "div", { class: "board-frame", "data-kind": state.board?.kind }, this.board.element,
          state.board?.kind === "hexagon" && new Zoom(this.board.element).buttons,
        ),
        beside(bottom),
        this.actions.element,
      ),
      el(
        "div",
        { class: "side stack" },
        this.moves.element,
        this.analysis.element,
        this.report?.element,
        this.chat.element,
        el("div", {}, howTo(this.app.session.rules(state.rules) ?? {}), keys()),
        this.about,
      ),
    );
    put(this.place, this.element);
  }

  // view returns the view that the board shows.
  #view() {
    const { state } = this;
    if (this.shown === null || !this.replay) return state.view;
    return this.replay(state.board, state.moves.filter(({ turn }) => turn < this.shown), state);
  }

  draw() {
    const { state } = this;
    if (!state || !this.element) return;
    const live = this.shown === null;
    const mayMove = live && this.app.session.status === "open" && state.to_move.includes(state.you) && !state.mine && !this.sent;
    const view = this.#view();
    this.board.look?.(view, state);
    const status = this.#status();
    this.board.draw({
      view,
      seat: mayMove ? state.you : null,
      chosen: this.chosen || (live && this.sent?.move) || (live && state.mine) || "",
      values: this.analysis.onBoard(state, this.turns),
      label: `board: ${status}. ${mayMove ? "The arrow keys move over it, and Enter plays." : "With Shift the arrow keys move over it."}`,
      game: state,
    });
    this.seats.forEach((seat) => seat.draw(state));
    this.actions.draw(state, { status, chosen: this.chosen, say: this.say, live: mayMove, download: this.#downloads() });
    this.moves.draw(state, this.turns, this.say, Boolean(this.replay), marksOf(state));
    this.analysis.draw(state, this.turns, this.say);
    this.report?.draw(state, this.board.hand);
    this.chat.draw(state.said ?? []);
    const rules = this.app.session.rules(state.rules);
    this.about.textContent = [
      rules?.title ?? state.rules, optionsOf(state.options), describe(state.clock), state.rated ? "rated" : "not rated",
      state.watchers ? `${state.watchers} watching` : "", `game ${state.game}`,
    ].filter(Boolean).join(" · ");
    document.title = `${mayMove ? "● " : ""}${state.seats.map(({ name }) => name).join(" – ")} · gamebots`;
    this.tick();
  }

  tick() {
    const { state } = this;
    if (!this.element) return;
    // Without a connection the clocks are unknown, and stand.
    if (this.app.session.status === "open") this.now = this.app.session.now();
    this.seats.forEach((seat) => seat.tick(state, this.now ?? state.time.at));
  }

  #status() {
    const { state, app } = this;
    if (this.board.words) return this.board.words;
    if (this.shown !== null) return `After ${this.shown} of ${state.turn} moves`;
    if (state.result) return resultOf(state);
    if (app.session.status !== "open") return "Waiting for the connection";
    if (this.sent) return "Sending your move";
    if (state.mine) return "Your move is secret until the opponent has moved";
    if (!state.to_move.includes(state.you)) return `${state.to_move.map((seat) => state.seats[seat].name).join(" and ")} to move`;
    if (this.chosen) return `Choose it again to play ${this.say(this.chosen)}`;
    return state.swap ? "Your move, or swap" : "Your move";
  }

  #downloads() {
    const { app, id, state } = this;
    const formats = { hexagon: ["txt", "json", "hgf"], poker: ["log", "phh", "json"] }[state.board?.kind] ?? ["txt", "json"];
    return formats.map((format) =>
      button(format.toUpperCase(), () => download(app.settings, id, format).catch((error) => app.notices.error(error)), {
        title: `Download the record as ${format}`, "aria-label": `Download the record as ${format}`,
      }));
  }

  // choose is called when a move is chosen on the board.
  choose(move) {
    const { state, app } = this;
    if (this.shown !== null) return this.go(state.turn);
    if (!state.to_move.includes(state.you) || this.sent || state.mine) return;
    if (!legalMoves(state.view, state.you).includes(move) && !this.board.allows?.(move)) return app.announce(`${this.say(move)} cannot be played`);
    if (app.settings.get("confirm") && !this.board.explicit && this.chosen !== move) {
      this.chosen = move;
      app.announce(`${this.say(move)}: choose it again to play`);
      return this.draw();
    }
    this.send(move);
  }

  send(move) {
    const { app, id } = this;
    const sent = (this.sent = { turn: this.state.turn, move, lost: false });
    this.chosen = "";
    this.draw();
    app.session.ask("play", { game: id, turn: sent.turn, move }).catch((error) => {
      if (error.code === "disconnected") {
        sent.lost = true;
        return;
      }
      if (this.sent === sent) this.sent = null;
      app.notices.error(error);
      if (error.code === "turn") this.watch();
      this.draw();
    });
  }

  // go shows the position after a number of turns.
  go(turns) {
    if (!this.replay) return;
    const { turn } = this.state;
    const to = Math.max(0, Math.min(turns, turn));
    this.shown = to === turn ? null : to;
    this.chosen = "";
    this.draw();
  }

  // key steps through the moves, unless the focus is in a field. On the board the keys
  // come here only when no move can be chosen there.
  // Escape undoes a choice and leaves the board.
  #key(event) {
    const { target, key } = event;
    if (!this.element || event.altKey || event.ctrlKey || event.metaKey || target.closest("input, select, textarea")) return;
    if (this.shown === null && this.board.key?.(event)) return event.preventDefault();
    const to = { ArrowLeft: this.turns - 1, ArrowRight: this.turns + 1, Home: 0, End: this.state.turn }[key];
    if (key === "Escape") {
      this.chosen = "";
      if (target.closest(".board")) this.place.focus({ preventScroll: true });
      this.draw();
    } else if (to !== undefined) {
      event.preventDefault();
      this.go(to);
    }
  }
}
