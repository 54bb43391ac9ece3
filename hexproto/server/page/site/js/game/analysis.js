// Analysis: ratings of the moves of a position, on the board and as a chart of the
// chance to win over the whole game.

import { button, choice, el, put, set, svg } from "../dom.js";
import { letterOf, percent, playedOf, summaryOf, valueOf, verdictOf } from "./judge.js";

const BEST = 5; // moves that are listed at first
const SHOWN_LINE = 8; // moves of a line, unless it is proved

const METHODS = { search: "search with proofs", playouts: "random games", equilibrium: "an equilibrium", "XOR rule": "the XOR rule" };

export class Analysis {
  // redraw is called when the values on the board have changed.
  constructor({ session, settings, notices }, redraw) {
    this.session = session;
    this.notices = notices;
    this.redraw = redraw;
    this.ask = button("Rate the moves", () => this.#position());
    this.all = button("Rate the whole game", () => this.#whole());
    this.stop = button("Stop", () => { this.stopped = true; });
    this.values = el("input", {
      type: "checkbox", checked: settings.get("values"),
      onchange: () => { settings.set("values", this.values.checked); redraw(); },
    });
    this.method = el("div");
    this.best = el("ol", { class: "best" });
    this.more = button("", () => { this.listed = this.listed === BEST ? Infinity : BEST; redraw(); }, { class: "small" });
    this.listed = BEST;
    this.by = el("p", { class: "empty", role: "status" });
    this.chart = el("div", { class: "chart" });
    this.done = el("progress", { "aria-label": "positions rated" });
    this.progress = el("div", { class: "row rating-all" }, this.done, this.stop);
    this.element = el(
      "section",
      { class: "panel", "aria-label": "analysis" },
      el("h2", { class: "row spread" }, "Analysis", el("label", { class: "check plain" }, this.values, "on the board")),
      this.by,
      this.best,
      this.more,
      this.chart,
      this.progress,
      el("div", { class: "row requests" }, this.ask, this.all, this.method),
    );
  }

  // draw shows the analysis of the position before a turn.
  draw(game, turn, say) {
    this.game = game;
    this.turn = turn;
    const may = this.#may(game);
    const known = knownOf(game, turn);
    const ends = game.result && turn === game.turn;
    const simultaneous = game.board?.kind === "matrix";
    this.element.hidden = !may && game.analyses.size === 0;
    this.#methods(may);
    set(this.ask, { hidden: !may || ends, disabled: this.busy || this.#rated(turn) });
    const rated = [...Array(game.turn).keys()].filter((at) => this.#rated(at)).length;
    set(this.all, { hidden: !may || !game.result || simultaneous, disabled: this.busy || rated === game.turn });
    set(this.progress, { hidden: !this.rating });
    set(this.done, { max: game.turn, value: rated, title: `${rated} of ${game.turn}` });
    const moves = known?.moves ?? []; // best first, in the order of the analyst
    this.by.textContent = known ? describe(known, turn, simultaneous ? "action" : "move")
      : ends ? "The game is over; go back a move to rate what could have been played." : "Nothing yet for this position.";
    if (simultaneous) put(this.best, known && actions(game, turn, moves));
    else this.#list(known ? playedOf(game, known.turn) : undefined, moves, say);
    set(this.more, { hidden: simultaneous || moves.length <= BEST });
    this.more.textContent = this.listed === BEST ? `All ${moves.length} moves` : `Best ${BEST} only`;
    put(this.chart, game.analyses.size > 1 && !simultaneous && chart(game, turn));
  }

  // onBoard returns the values to show on the board by move, scaled so that the best
  // is the hottest.
  onBoard(game, turn) {
    const known = knownOf(game, turn);
    if (!known || !this.values.checked) return null;
    const values = known.moves.map((m) => m.value);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return new Map(known.moves.map((rated) => [
      rated.move,
      { text: letterOf(rated), heat: high > low ? ((rated.value - low) / (high - low)) ** 1.5 : high / 2, words: rated.proof ? verdictOf(rated) : `rated ${verdictOf(rated)}` },
    ]));
  }

  // may reports whether the server would rate moves: not while a game is rated or contested.
  #may(game) {
    return this.session.rules(game.rules)?.analyse && !(game.rated && !game.result) && !this.session.contested(game);
  }

  // methods offers the server's methods, if there are several.
  #methods(may) {
    const methods = this.session.rules(this.game.rules)?.methods ?? [];
    const key = may ? methods.join() : "";
    if (key === this.offered) return;
    this.offered = key;
    this.chosen = undefined;
    this.select = choice("method", methods.map((name) => [name, METHODS[name] ?? name]), methods[0]);
    set(this.select, { onchange: () => { this.chosen = this.select.value; this.redraw(); } });
    put(this.method, may && methods.length > 1 && el("label", { class: "method plain" }, "by", this.select));
  }

  // rated reports whether the position before a turn is rated by the chosen method.
  #rated(turn) {
    const known = this.game.analyses.get(turn);
    return known !== undefined && (!this.chosen || known.by === this.chosen);
  }

  // list lists the best moves, and the one that was played.
  #list(played, moves, say) {
    const shown = moves.slice(0, this.listed);
    const item = (rated, note, others = {}) => el(
      "li",
      others,
      el("b", {}, say(rated.move)),
      el("span", { class: "rate" }, verdictOf(rated)),
      el("small", {}, note),
      rated.line?.length > 1 ? el("small", { class: "line" }, `then ${rated.line.slice(1, rated.proof ? undefined : SHOWN_LINE).map(say).join(", ")}`) : null,
    );
    const visits = ({ work: n }) => (n > 1 ? `${n.toLocaleString("en")} games` : null);
    put(
      this.best,
      shown.map((rated) => (rated.move === played?.move ? item({ ...rated, ...played }, "played", { class: "played" }) : item(rated, visits(rated)))),
      played && !shown.some(({ move }) => move === played.move) && item(played, "played", { class: "played apart" }),
    );
  }

  // request asks the server for an analysis of the position before a turn. Where others
  // come first, it waits.
  async #request(turn) {
    this.busy = true;
    this.redraw();
    try {
      for (;;) {
        try {
          await this.session.ask("analyse", { game: this.game.game, turn, by: this.chosen });
          return true;
        } catch (error) {
          if (error.code !== "rate" || !error.retry || !this.element.isConnected || this.stopped) throw error;
          await new Promise((resolve) => setTimeout(resolve, error.retry));
        }
      }
    } catch (error) {
      this.notices.error(error);
      return false;
    } finally {
      this.busy = false;
      this.redraw();
    }
  }

  // position rates the shown position, and the one after the move that was made there,
  // which says how good that was.
  async #position() {
    const { turn } = this;
    this.stopped = false;
    if (!(await this.#request(turn))) return;
    const next = turn + 1;
    const ends = next > this.game.turn || (next === this.game.turn && this.game.result);
    if (!ends && this.game.board?.kind !== "matrix" && !this.#rated(next)) await this.#request(next);
  }

  // whole rates all positions, the last first, until it is stopped or the view is
  // closed.
  async #whole() {
    this.stopped = false;
    this.rating = true;
    for (let turn = this.game.turn - 1; turn >= 0 && this.element.isConnected && !this.stopped; turn--) {
      if (!this.#rated(turn) && !(await this.#request(turn))) break;
    }
    this.rating = false;
    this.redraw();
  }
}

// knownOf returns the analysis of the position before a turn. In a running game it
// falls back to the previous turn, because bots publish an analysis with their move.
function knownOf(game, turn) {
  const at = [turn, turn - 1].find((t) => game.analyses.has(t));
  return at === turn || (at !== undefined && turn === game.turn && !game.result) ? { turn: at, ...game.analyses.get(at) } : undefined;
}

// describe says who rated the position before a turn, and what all moves have in common.
function describe({ by, turn: at, moves }, turn, noun) {
  const how = `By ${METHODS[by] ?? by}${at < turn ? ", before the last move" : ""}`;
  const summary = summaryOf(moves);
  return summary ? `${summary} ${how}.` : `${how}: ${moves.length} ${noun}${moves.length === 1 ? "" : "s"}${work(moves)}`;
}

function work(moves) {
  const total = moves.reduce((sum, { work: n }) => sum + (n ?? 0), 0);
  return total > moves.length ? `, ${total.toLocaleString("en")} games` : "";
}

// actions lists the actions of both players of a matrix game, and how often each is
// to be played.
function actions(game, turn, moves) {
  return [0, 1].map((seat) => [
    el("li", { class: "heading" }, el("b", {}, `${game.names[seat]} should play`)),
    moves.filter((m) => (m.seat ?? 0) === seat).map(({ move, share = 0, payoff = 0, dominated }) => el(
      "li",
      { class: game.moves.some((m) => m.turn === turn && m.seat === seat && m.move === move) ? "played" : null },
      el("span", {}, move),
      el("span", { class: "rate" }, percent(share)),
      el("small", {}, dominated ? `never: ${dominated} pays more` : `pays ${Number(payoff.toFixed(3))}`),
    )),
  ]);
}

// chart draws the first player's chance to win over the rated turns.
function chart(game, turn) {
  const points = [...game.analyses.keys()]
    .sort((a, b) => a - b)
    .map((at) => {
      const value = valueOf(game, at);
      const mover = game.moves.find((m) => m.turn === at)?.seat ?? game.to_move[0] ?? 0;
      return [at, mover === 0 ? value : 1 - value];
    });
  if (points.length < 2) return null;
  const [width, height] = [300, 72];
  const x = (at) => (at / Math.max(1, game.turn)) * width;
  const y = (chance) => (1 - chance) * height;
  const line = points.map(([at, chance]) => `${x(at).toFixed(1)},${y(chance).toFixed(1)}`).join(" ");
  const here = points.find(([at]) => at === turn);
  const label = `the chance of ${game.names[0]} to win: ${points.map(([at, chance]) => `${percent(chance)} before move ${at + 1}`).join(", ")}`;
  return [
    el("small", {}, `${game.seats[0].name} (${game.names[0]}) wins${here ? `: ${percent(here[1])}` : ""}`),
    svg(
      "svg",
      { viewBox: `0 -3 ${width} ${height + 6}`, role: "img", "aria-label": label },
      svg("line", { class: "axis", x1: 0, x2: width, y1: y(0.5), y2: y(0.5) }),
      svg("line", { class: "now", x1: x(turn), x2: x(turn), y1: 0, y2: height }),
      svg("polyline", { points: line }),
      points.map(([at, chance]) => svg("circle", { cx: x(at), cy: y(chance), r: 2.2 })),
    ),
  ];
}
