// Analysis: ratings of the moves of a position, on the board and as a chart of the
// chance to win over the whole game.

import { button, choice, el, put, set } from "../dom.js";
import { Chart } from "./chart.js";
import { endsByRules, letterOf, percent, playedOf, summaryOf, verdictOf } from "./judge.js";

const BEST = 5; // moves that are listed at first
const SHOWN_LINE = 8; // moves of a line, unless it is proved
const FAINT = 0.05; // part of the games of the best move below which a value says little

const METHODS = { search: "search with proofs", playouts: "random games", equilibrium: "an equilibrium", "XOR rule": "the XOR rule" };

export class Analysis {
  #varied = new Map(); // analyses of variations, by turn and line as JSON

  // redraw is called when the values on the board have changed, go shows the position after a
  // number of turns, and play tries a move.
  constructor({ session, settings, notices }, { redraw, go, play }) {
    Object.assign(this, { session, notices, redraw, play });
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
    this.chart = new Chart(go);
    this.done = el("progress", { "aria-label": "positions rated" });
    this.progress = el("div", { class: "row rating-all" }, this.done, this.stop);
    this.element = el(
      "section",
      { class: "panel", "aria-label": "analysis" },
      el("h2", { class: "row spread" }, "Analysis", el("label", { class: "check plain" }, this.values, "on the board")),
      this.by,
      this.best,
      this.more,
      this.chart.element,
      this.progress,
      el("div", { class: "row requests" }, this.ask, this.all, this.method),
    );
  }

  // draw shows the analysis of the position before a turn, or of a variation from there.
  draw(game, turn, say, variation) {
    Object.assign(this, { game, turn, line: variation.shown, tries: variation.possible });
    const may = this.#may(game);
    const known = this.#known();
    const ends = this.line.length > 0 ? Boolean(variation.position?.result) : turn === game.turn && endsByRules(game);
    const simultaneous = game.board?.kind === "matrix";
    this.element.hidden = !may && game.analyses.size === 0;
    this.#methods(may);
    set(this.ask, { hidden: !may || ends, disabled: this.busy || this.#isBy(known?.turn === turn ? known : undefined) });
    const rated = [...Array(game.turn).keys()].filter((at) => this.#isBy(game.analyses.get(at))).length;
    set(this.all, { hidden: !may || !game.result || simultaneous, disabled: this.busy || rated === game.turn });
    set(this.progress, { hidden: !this.rating });
    set(this.done, { max: game.turn, value: rated, title: `${rated} of ${game.turn}` });
    const moves = known?.moves ?? []; // best first, in the order of the analyst
    this.by.textContent = known ? describe(known, turn, simultaneous ? "action" : "move")
      : ends ? "The game is over; go back a move to rate what could have been played." : "Nothing yet for this position.";
    if (simultaneous) put(this.best, known && actions(game, turn, moves));
    else this.#list(known && this.line.length === 0 ? playedOf(game, known.turn) : undefined, moves, say);
    set(this.more, { hidden: simultaneous || moves.length <= BEST });
    this.more.textContent = this.listed === BEST ? `All ${moves.length} moves` : `Best ${BEST} only`;
    this.chart.element.hidden = true;
    if (!simultaneous) this.chart.draw(game, turn);
  }

  // known returns the analysis of the position that is shown, undefined if there is none.
  #known() {
    return this.line.length > 0 ? this.#varied.get(JSON.stringify([this.turn, this.line])) : knownOf(this.game, this.turn);
  }

  // onBoard returns the values to show on the board by move. No move is hotter than one that the list has
  // before it.
  onBoard(game, turn, variation) {
    Object.assign(this, { game, turn, line: variation.shown });
    const known = this.#known();
    if (!known || !this.values.checked) return null;
    const [heatOf, faintBelow] = heats(known.moves);
    let heat = 1;
    return new Map(known.moves.map((rated) => {
      heat = Math.min(heat, heatOf(rated));
      const faint = !rated.proof && (rated.work ?? 0) < faintBelow;
      const words = [rated.proof ? verdictOf(rated) : `rated ${verdictOf(rated)}`, faint && "hardly searched"].filter(Boolean).join(", ");
      return [rated.move, { text: letterOf(rated), heat, faint, words }];
    }));
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

  // isBy reports whether an analysis, if there is one, is by the chosen method.
  #isBy(known) {
    return known !== undefined && (!this.chosen || known.by === this.chosen);
  }

  // list lists the best moves, and the one that was played.
  #list(played, moves, say) {
    const shown = moves.slice(0, this.listed);
    const item = (rated, note, others = {}) => el(
      "li",
      others,
      el("b", {}, this.tries ? button(say(rated.move), () => this.play(rated.move), { class: "try", title: "Try this move" }) : say(rated.move)),
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

  // request asks the server for an analysis of the position before a turn, or of a variation
  // from there. Where others come first, it waits.
  async #request(turn, line = []) {
    this.busy = true;
    this.redraw();
    try {
      for (;;) {
        try {
          const { by, moves } = await this.session.ask("analyse", { game: this.game.game, turn, line, by: this.chosen });
          if (line.length > 0) this.#varied.set(JSON.stringify([turn, line]), { turn, by, moves });
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
    const { turn, line } = this;
    this.stopped = false;
    if (!(await this.#request(turn, line)) || line.length > 0) return;
    const next = turn + 1;
    const ends = next > this.game.turn || (next === this.game.turn && this.game.result);
    if (!ends && this.game.board?.kind !== "matrix" && !this.#isBy(this.game.analyses.get(next))) await this.#request(next);
  }

  // whole rates all positions, the last first, until it is stopped or the view is
  // closed.
  async #whole() {
    this.stopped = false;
    this.rating = true;
    for (let turn = this.game.turn - 1; turn >= 0 && this.element.isConnected && !this.stopped; turn--) {
      if (!this.#isBy(this.game.analyses.get(turn)) && !(await this.#request(turn))) break;
    }
    this.rating = false;
    this.redraw();
  }
}

// heats returns the function that says how hot a move is, from 0 to 1, and below how many games a value says
// little. A search spends its games on what it takes for best: unless all moves have about as many, those
// are their heat.
function heats(moves) {
  const games = moves.filter(({ proof }) => !proof).map(({ work }) => work ?? 0);
  const most = Math.max(...games);
  if (games.length > 1 && most > 2 * Math.min(...games)) return [({ proof, value, work }) => (proof ? value : Math.sqrt((work ?? 0) / most)), FAINT * most];
  const values = moves.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return [({ value }) => (high > low ? ((value - low) / (high - low)) ** 1.5 : high / 2), 0];
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
