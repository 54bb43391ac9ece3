// A game: played, watched, or replayed once it is over.

import { pictureOf } from "../boards/boards.js";
import { legalMoves } from "../boards/legal.js";
import { download } from "../archive.js";
import { copyButton } from "../copy.js";
import { button, el, put, set } from "../dom.js";
import { Actions } from "../game/actions.js";
import { Analysis } from "../game/analysis.js";
import { Chat } from "../game/chat.js";
import { endsByRules, marksOf } from "../game/judge.js";
import { Moves } from "../game/moves.js";
import { narrate } from "../game/narrator.js";
import { NextMove } from "../game/nextmove.js";
import { Seat } from "../game/seats.js";
import { Variation } from "../game/variation.js";
import { Zoom } from "../game/zoom.js";
import { describe } from "../clock.js";
import { howTo, keys } from "../help.js";
import { nameAt, optionsOf, resultOf } from "../people.js";
import { sentence } from "../words.js";

const TICK = 100; // ms

export const game = {
  path: "game",
  title: "Game",

  // The address may have the number of turns to show, and moves of a variation from there:
  // #/game/ID/17/e5.
  open(app, place, [id, turns, ...line]) {
    const table = new Table(app, place, id, { turns, line });
    return () => table.close();
  },
};

// meeting names the players of a game, those of a full table by their number.
const meeting = ([first, second, ...others], between) => `${first.name}${others.length > 0 ? ` and ${others.length + 1} others` : between + second.name}`;

// A Table shows a game, or one that was played elsewhere, by its record.
export class Table {
  chosen = ""; // a move to be confirmed
  shown = null; // how many turns the board shows, null for the present

  constructor(app, place, id, linked, record = "") {
    this.app = app;
    this.record = record;
    this.place = place;
    this.id = id;
    this.linked = linked;
    const redraw = () => this.draw();
    this.variation = new Variation(app, id, () => this.variationShown());
    this.analysis = new Analysis(app, { redraw, go: (turns) => this.go(turns), play: (move) => this.#try(move) });
    this.next = new NextMove(app, id, {
      fits: (move) => this.#isLegal(move),
      dropped: (move) => app.notices.show({ text: `${this.say(move)} was not played: the game has gone on otherwise.`, kind: "warn", key: "dropped" }),
      failed: (error) => this.failed(error),
      redraw,
    });
    this.actions = new Actions(app, { play: (move) => this.play(move), cancel: () => this.next.cancel(), redraw });
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
      () => this.next.close(),
      () => !record && this.state && this.state.you < 0 && app.session.status === "open" && app.session.tell("unwatch", { game: id }),
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
      await (this.record ? this.app.session.ask("import", { text: this.record }) : this.app.session.ask("watch", { game: this.id }));
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
    this.next.changed(state, { full: type === "game", before });
    if (state.result || (this.chosen && !this.#isLegal(this.chosen))) this.chosen = "";
    if (state.turn !== before?.turn && this.shown >= state.turn) this.shown = null; // moves were taken back
    const newly = (list) => state[list]?.includes(state.you) && before && !before[list]?.includes(state.you);
    if (newly("away")) this.app.notices.show({ text: "Your time was over: the server checks or folds for you until you are back.", kind: "warn", key: "time" });
    if (newly("gone") && state.away?.includes(state.you)) this.app.notices.show({ text: "You were away for three hands and have left the table. You can come back while the others play.", kind: "warn", key: "time" });
    const words = narrate(state, type, message, this.say, before);
    if (words && before) this.app.announce(words);
    this.draw();
  }

  #build(state) {
    const Picture = pictureOf(state.board);
    this.replay = Picture.replay;
    Object.assign(this, { inTurn: Picture.inTurn, drawless: Picture.drawless });
    this.say = (move, view = this.state.view) => Picture.say?.(move, view) ?? move;
    this.report = Picture.Report && new Picture.Report(this.app, this.id);
    this.seats = state.seats.map((_, seat) => new Seat(seat));
    const link = copyButton(this.app.notices, "The link to this position", () => new URL(this.#hash(), location).href, "Copy a link");
    this.hint = el("p", { class: "legend" }, "Choose a move on the board to try it.");
    this.link = el("div", { class: "row" }, set(link, { title: "to this position" }));
    this.moves = new (Picture.Moves ?? Moves)({
      view: (turns) => this.go(turns), step: (turns) => this.step(turns),
      below: [this.variation.element, this.hint, this.link],
    });
    this.board = new Picture(state.board, state.names, { play: (move) => this.choose(move), here: (hand) => this.here(hand), browse: () => {}, seats: this.seats, redraw: () => this.draw(), notices: this.app.notices });
    this.zoom = state.board?.kind === "hexagon" ? new Zoom(this.board.element) : null;
    this.about = el("p", { class: "about" });
    // The player of this page sits at the bottom.
    const bottom = state.you === 1 ? 1 : 0;
    const beside = (seat) => !Picture.seated && this.seats[seat].element;
    this.element = el(
      "div",
      { class: "game" },
      el("h1", { class: "unseen" }, meeting(state.seats, " against ")),
      el(
        "div",
        { class: "table" },
        beside(1 - bottom),
        el(
          "div", { class: "board-frame", "data-kind": state.board?.kind }, this.board.element,
          this.zoom?.buttons,
        ),
        beside(bottom),
        this.actions.element,
      ),
      el(
        "div",
        { class: "side stack" },
        this.moves.element,
        this.board.aside,
        this.analysis.element,
        this.report?.element,
        this.chat.element,
        el("div", {}, howTo(this.app.session.rules(state.rules) ?? {}), keys()),
        this.about,
      ),
    );
    put(this.place, this.element);
    const { turns, line } = this.linked;
    if (turns !== undefined && this.replay) {
      const to = Math.max(0, Math.min(Number(turns) || 0, state.turn));
      this.shown = to === state.turn ? null : to;
      if (line.length > 0 && this.#studies()) this.variation.open(to, line);
    }
  }

  // hash is the part of the address for the position that is shown.
  #hash() {
    return ["#", ...[...(this.record ? ["record", this.record] : ["game", this.id]), this.turns, ...this.variation.shown].map(encodeURIComponent)].join("/");
  }

  // view returns the view that the board shows.
  #view() {
    const { state, variation } = this;
    if (variation.position) return variation.position.view;
    if (this.shown === null || !this.replay) return state.view;
    return this.replay(state.board, state.moves.filter(({ turn }) => turn < this.shown), state);
  }

  draw() {
    const { state } = this;
    if (!state || !this.element) return;
    const { variation } = this;
    variation.possible = this.#studies();
    const live = this.shown === null && variation.at === 0;
    const mayMove = live && this.#moves();
    // While a move is on its way, a board still shows it; buttons are gone.
    const mayChoose = (mayMove && !(this.next.sent && this.board.explicit)) || (live && this.#plans());
    const view = this.#view();
    this.board.look?.(view, state);
    const status = this.#status();
    this.board.draw({
      view,
      seat: mayChoose ? state.you : null,
      tries: variation.possible ? this.#mover() : null,
      chosen: this.chosen || (live && (this.next.move || state.mine)) || "",
      values: this.analysis.onBoard(state, this.turns, variation),
      label: `board: ${status}. ${mayChoose ? "The arrow keys move over it, and Enter plays." : "With Shift the arrow keys move over it."}`,
      game: state,
    });
    this.#follow(view);
    this.seats.forEach((seat) => seat.draw(state));
    this.actions.draw(state, { status, chosen: this.chosen, planned: this.next.planned, say: this.say, live: mayChoose, drawless: this.drawless, download: this.#downloads() });
    this.moves.draw(state, this.turns, this.say, Boolean(this.replay), variation, marksOf(state), this.board.hand);
    variation.draw(this.say);
    this.link.hidden = !state.result;
    this.hint.hidden = !variation.possible || variation.line.length > 0;
    this.analysis.draw(state, this.turns, this.say, variation);
    this.report?.draw(state, this.board.hand);
    this.chat.draw(state.said ?? [], state.you < 0 && !state.result);
    this.chat.element.hidden = Boolean(state.record);
    const rules = this.app.session.rules(state.rules);
    this.about.textContent = [
      rules?.title ?? state.rules, optionsOf(state.options), describe(state.clock), state.rated ? "rated" : "not rated",
      state.watchers ? `${state.watchers} watching` : "", state.record ? "from elsewhere" : `game ${state.game}`,
    ].filter(Boolean).join(" · ");
    document.title = `${mayMove ? "● " : ""}${meeting(state.seats, " – ")} · gamebots`;
    this.tick();
  }

  // follow has an enlarged board show a last move that was not shown before. A swap is at the cell of the move before.
  #follow({ last }) {
    const move = last?.length && `${this.turns} ${last.at(-1)}`;
    if (this.zoom && move && move !== this.followed) this.zoom.follow(this.board.element.querySelector("[data-last]"));
    this.followed = move;
  }

  // moves reports whether the player is to move, plans whether a move can be planned
  // while the opponent is.
  #moves() {
    const { to_move, you, mine } = this.state;
    return to_move.includes(you) && !mine && !this.next.sent?.stored;
  }

  #plans() {
    const { you, result } = this.state;
    return this.inTurn && you >= 0 && !result && !this.#moves();
  }

  // studies reports whether variations can be tried: once a game is over that has them.
  #studies() {
    return Boolean(this.state.result && this.inTurn);
  }

  // mover returns the seat to move in the position that is shown, null at the end of the game by
  // its rules.
  #mover() {
    const { state, turns, variation } = this;
    if (variation.at > 0) return variation.position.to_move[0] ?? null;
    if (turns === state.turn && endsByRules(state)) return null;
    const next = state.moves.find(({ turn }) => turn === turns);
    return next?.seat ?? (turns > 0 ? 1 - state.moves.at(-1).seat : 0);
  }

  // variationShown shows another position of the variation.
  variationShown() {
    const { variation, state } = this;
    this.shown = variation.base === state.turn ? null : variation.base;
    this.#keep();
    this.draw();
    this.app.announce(this.#status());
  }

  // isLegal reports whether the player can make a move. A planned one is taken for legal if
  // the opponent could make it.
  #isLegal(move) {
    const { view, you } = this.state;
    return legalMoves(view, you).includes(move) || Boolean(this.board.allows?.(move));
  }

  tick() {
    const { state } = this;
    if (!this.element) return;
    this.next.tick(state);
    // Without a connection the clocks are unknown, and stand.
    if (this.app.session.status === "open") this.now = this.app.session.now();
    const now = this.now ?? state.time.at;
    this.seats.forEach((seat) => seat.tick(state, now));
    this.board.tick?.(state, now);
  }

  #status() {
    const { state, app } = this;
    const { planned, sent } = this.next;
    if (this.board.words) return this.board.words;
    if (this.variation.at > 0) return this.#variationWords();
    if (this.shown !== null) return [`After ${this.shown} of ${state.turn} moves`, this.#plan()].filter(Boolean).join(": ");
    if (state.result) return resultOf(state);
    if (this.chosen) return `Choose it again to play ${this.say(this.chosen)}`;
    const online = app.session.status === "open";
    if (planned) return this.#plan();
    if (!online) return "Waiting for the connection";
    if (state.mine || (sent?.stored && state.to_move.length > 1)) return "Your move is secret until the opponent has moved";
    if (sent) return "Sending your move";
    if (!state.to_move.includes(state.you)) return `${state.to_move.map((seat) => nameAt(state.seats, seat)).join(" and ")} to move`;
    return state.swap ? "Your move, or swap" : "Your move";
  }

  // plan says when the planned move will be played, "" if none is.
  #plan() {
    const { planned, answers } = this.next;
    if (!planned) return "";
    const when = this.app.session.status !== "open" ? "the connection is back" : answers ? "it is your move" : "the server answers";
    return `${this.board.explicit ? sentence(this.say(planned.move)) : this.say(planned.move)} will be played when ${when}`;
  }

  // variationWords says what the variation has come to.
  #variationWords() {
    const { state, variation: { position, shown } } = this;
    const moves = shown.map((move) => this.say(move)).join(", ");
    if (position.result) return `Variation: ${resultOf({ ...state, result: position.result, you: -1 })}`;
    return `Variation ${moves}: ${state.seats[position.to_move[0]].name} to move`;
  }

  #downloads() {
    const { app, id, state } = this;
    if (state.record) return [];
    const poker = state.options.buy_in > 0 ? ["phh", "json"] : ["log", "phh", "json"]; // a log has no stacks
    const formats = { hexagon: ["txt", "json", "hgf"], poker }[state.board?.kind] ?? ["txt", "json"];
    return formats.map((format) =>
      button(format.toUpperCase(), () => download(app.settings, id, format).catch((error) => app.notices.error(error)), {
        title: `Download the record as ${format}`, "aria-label": `Download the record as ${format}`,
      }));
  }

  // choose is called when a move is chosen on the board.
  choose(move) {
    const { state, app } = this;
    if (this.#studies()) return this.#try(move);
    if (this.shown !== null) return this.go(state.turn);
    if (!this.#moves() && !this.#plans()) return;
    if (this.next.sent) return app.announce(`${this.say(this.next.move)} is on its way`);
    if (!this.#isLegal(move)) return app.announce(`${this.say(move)} cannot be played`);
    if (app.settings.get("confirm") && !this.board.explicit && this.chosen !== move) {
      this.next.planned = null;
      this.chosen = move;
      app.announce(`${this.say(move)}: choose it again to play`);
      return this.draw();
    }
    this.play(move);
  }

  // try plays a move of a variation. The next move of the game leads on in the game.
  #try(move) {
    const { state, turns, variation } = this;
    if (this.#mover() === null) return;
    const next = variation.at === 0 && state.moves.find(({ turn }) => turn === turns);
    if (next?.move === move) this.go(turns + 1);
    else variation.play(turns, move);
  }

  // play makes a move, or plans it.
  play(move) {
    const { state } = this;
    this.chosen = "";
    this.next.choose(state, this.#moves() ? state.turn : state.turn + 1, move);
    if (this.next.planned) this.app.announce(this.#status());
  }

  // here tells the others at a table of poker that the player is there for a hand.
  here(hand) {
    this.app.session.ask("here", { game: this.id, hand }).catch((error) => this.failed(error));
  }

  failed(error) {
    this.app.notices.error(error);
    if (error.code === "turn") this.watch();
    this.draw();
  }

  // step shows the position after a number of turns, which go on in the variation that is shown.
  step(turns) {
    const { variation } = this;
    if (variation.at > 0 && turns >= variation.base) variation.go(turns - variation.base);
    else this.go(turns);
  }

  // go shows the position of the game after a number of turns.
  go(turns) {
    if (!this.replay) return;
    const { turn } = this.state;
    this.variation.leave();
    const to = Math.max(0, Math.min(turns, turn));
    this.shown = to === turn ? null : to;
    this.chosen = "";
    this.#keep();
    this.draw();
  }

  // keep has the address name what is shown of a finished game, so that it survives a reload.
  #keep() {
    if (this.state.result) this.app.stay(this.#hash());
  }

  // key steps through the moves, unless the focus is in a field. On the board the keys
  // come here only when no move can be chosen there.
  // Escape undoes a choice and leaves the board.
  #key(event) {
    const { target, key } = event;
    if (!this.element || event.altKey || event.ctrlKey || event.metaKey || target.closest("input, select, textarea")) return;
    if (this.shown === null && this.board.key?.(event)) return event.preventDefault();
    const { at, line } = this.variation;
    const now = this.turns + at;
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: at > 0 ? this.turns + line.length : this.state.turn }[key];
    if (key === "Escape") {
      this.chosen = "";
      this.next.cancel();
      if (target.closest(".board")) this.place.focus({ preventScroll: true });
      this.draw();
    } else if (to !== undefined) {
      event.preventDefault();
      this.step(to);
    }
  }
}
