// The games that this page knows, as the server describes them. A full state replaces
// what was known, and later messages are applied to it. If a message was missed, the
// full state is requested again.

import { leftOf } from "./clock.js";
import { Emitter } from "./emitter.js";

// Games emits
//   change   {id, type, message, before}: a message changed a game; before is its
//            previous state, if it had one
export class Games extends Emitter {
  #games = new Map();

  constructor(session) {
    super();
    this.session = session;
    const when = (type, apply) => session.on(type, (message) => this.#apply(type, message, apply));
    session.on("game", (message) => this.#full(message));
    when("moved", moved);
    when("offered", offered);
    when("over", over);
    when("said", said);
    when("presence", (game, { present, watchers, gone, away, time = game.time }) => ({ ...game, present, watchers, gone, away, time }));
    when("analysis", analysed);
  }

  get(id) {
    return this.#games.get(id);
  }

  // mine returns the running games of this player: first those that wait for the player, the one with the least
  // time at the top.
  mine() {
    const all = [...this.#games.values()].filter((game) => game.you >= 0 && !game.result && !game.gone?.includes(game.you));
    const waits = ({ to_move, you }) => !to_move.includes(you);
    return all.sort((a, b) => waits(a) - waits(b) || timeOf(a, this.session.now()) - timeOf(b, this.session.now()));
  }

  // forget removes a game, unless it is a running game of this player.
  forget(id) {
    const game = this.#games.get(id);
    if (game && (game.you < 0 || game.result)) this.#games.delete(id);
  }

  // full takes a full state. It keeps the analyses of positions that are still part
  // of the game, since moves may have been taken back.
  #full(message) {
    const before = this.#games.get(message.game);
    const same = (turn) => JSON.stringify(movesBefore(before, turn)) === JSON.stringify(movesBefore(message, turn));
    const analyses = new Map([...(before?.analyses ?? [])].filter(([turn]) => turn <= message.turn && same(turn)));
    this.#keep({ ...message, analyses }, "game", message, before);
  }

  #apply(type, message, apply) {
    const before = this.#games.get(message.game);
    if (!before) return;
    if (type === "moved" && message.turn !== before.turn) {
      this.session.tell("watch", { game: message.game });
      return;
    }
    this.#keep(apply(before, message), type, message, before);
  }

  #keep(game, type, message, before) {
    this.#games.set(game.game, game);
    this.emit("change", { id: game.game, type, message, before });
  }
}

// timeOf returns the time in ms that is left to who is to move, in a first move until the game is aborted; more than any
// without clocks.
export function timeOf(game, now) {
  if (game.time.abort) return game.time.abort - now;
  const left = leftOf(game, game.to_move[0] ?? 0, now);
  return left ? left.main + left.free : Number.MAX_VALUE;
}

function movesBefore({ moves }, turn) {
  return moves.filter((m) => m.turn < turn).map((m) => m.move);
}

function moved(game, { turn, moves, time, to_move, swap, view }) {
  return { ...game, turn: turn + 1, moves: [...game.moves, ...moves], time, to_move, swap, view: withHands(view, game.view) ?? game.view, offers: [], mine: undefined };
}

// withHands adds the hands that were over before to a view of poker, which has only the last.
function withHands(view, before) {
  if (!view?.poker) return view;
  return { ...view, poker: { ...view.poker, finished: [...(before?.poker?.finished ?? []), ...(view.poker.finished ?? [])] } };
}

// offered adds an offer, or removes one that was refused or withdrawn.
function offered(game, { seat, offer, no }) {
  const others = (game.offers ?? []).filter((o) => o.offer !== offer);
  return { ...game, offers: no ? others : [...others, { seat, offer, turn: game.turn }] };
}

function over(game, { result, ratings, changes, time }) {
  const seats = game.seats.map((player, seat) => ({ ...player, rating: ratings[seat], change: changes?.[seat] }));
  return { ...game, result, seats, time, to_move: [], offers: [] };
}

function said(game, { from, text, at, spectator }) {
  return { ...game, said: [...(game.said ?? []), { from, text, at, spectator }] };
}

// analysed adds an analysis, which may come from a player's program and be invalid. That of a
// variation is for who asked.
function analysed(game, { turn, line, by, moves }) {
  if (line?.length > 0 || turn < 0 || turn > game.turn || !moves?.length) return game;
  const rated = moves.map((m) => ({ ...m, value: Math.min(1, Math.max(0, m.value)) }));
  return { ...game, analyses: new Map(game.analyses).set(turn, { by, moves: rated }) };
}
