// Analysis: ratings of the moves of a position, on the board and as a chart of the
// chance to win over the whole game.

import { button, el, put, set, svg } from "../dom.js";

const BEST = 5; // moves that are listed

export class Analysis {
  // redraw is called when the values on the board have changed.
  constructor({ session, settings, notices }, redraw) {
    this.session = session;
    this.notices = notices;
    this.redraw = redraw;
    this.ask = button("Rate the moves", () => this.request(this.turn));
    this.all = button("Rate the whole game", () => this.#whole());
    this.values = el("input", {
      type: "checkbox", checked: settings.get("values"),
      onchange: () => { settings.set("values", this.values.checked); redraw(); },
    });
    this.best = el("ol", { class: "best" });
    this.by = el("p", { class: "empty" });
    this.chart = el("div", { class: "chart" });
    this.element = el(
      "section",
      { class: "panel", "aria-label": "analysis" },
      el("h2", { class: "row spread" }, "Analysis", el("label", { class: "check plain" }, this.values, "on the board")),
      this.by,
      this.best,
      this.chart,
      el("div", { class: "row" }, this.ask, this.all),
    );
  }

  // draw shows the analysis of the position before a turn.
  draw(game, turn, say) {
    this.game = game;
    this.turn = turn;
    const may = this.session.rules(game.rules)?.analyse && !(game.rated && game.you >= 0 && !game.result);
    const known = knownOf(game, turn);
    const ends = game.result && turn === game.turn;
    this.element.hidden = !may && game.analyses.size === 0;
    set(this.ask, { hidden: !may || ends || game.analyses.has(turn), disabled: this.busy });
    const rated = [...Array(game.turn).keys()].every((at) => game.analyses.has(at));
    set(this.all, { hidden: !may || !game.result || rated, disabled: this.busy });
    const best = known?.moves ?? []; // best first, in the order of the analyst
    this.by.textContent = known ? `By ${known.by}${known.turn < turn ? ", before the last move" : ""}: ${best.length} moves, ${work(best)}`
      : ends ? "The game is over; go back a move to rate what could have been played." : "Nothing yet for this position.";
    put(this.best, best.slice(0, BEST).map(({ move, value, work: n }) =>
      el("li", {}, el("b", {}, say(move)), el("span", { class: "rate" }, percent(value)), n ? el("small", {}, `${n.toLocaleString("en")} games`) : null)));
    put(this.chart, game.analyses.size > 1 && chart(game, turn));
  }

  // onBoard returns the values to show on the board by move, scaled so that the best
  // is the hottest.
  onBoard(game, turn) {
    const known = knownOf(game, turn);
    if (!known || !this.values.checked) return null;
    const values = known.moves.map((m) => m.value);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return new Map(known.moves.map(({ move, value }) => [
      move,
      { text: Math.round(100 * value), heat: high > low ? ((value - low) / (high - low)) ** 1.5 : 0.5, words: `rated ${percent(value)}` },
    ]));
  }

  // request asks the server for an analysis of the position before a turn.
  async request(turn) {
    this.busy = true;
    this.redraw();
    try {
      await this.session.ask("analyse", { game: this.game.game, turn });
      return true;
    } catch (error) {
      this.notices.error(error);
      return false;
    } finally {
      this.busy = false;
      this.redraw();
    }
  }

  // whole requests analyses of all positions in turn, until the view is closed.
  async #whole() {
    for (let turn = 0; turn < this.game.turn && this.element.isConnected; turn++) {
      if (!this.game.analyses.has(turn) && !(await this.request(turn))) return;
    }
  }
}

// knownOf returns the analysis of the position before a turn. In a running game it
// falls back to the previous turn, because bots publish an analysis with their move.
function knownOf(game, turn) {
  const at = [turn, turn - 1].find((t) => game.analyses.has(t));
  return at === turn || (at !== undefined && turn === game.turn && !game.result) ? { turn: at, ...game.analyses.get(at) } : undefined;
}

const percent = (value) => `${Math.round(100 * value)} %`;

function work(moves) {
  const total = moves.reduce((sum, { work: n }) => sum + (n ?? 0), 0);
  return total ? `${total.toLocaleString("en")} games` : "by rule";
}

// chart draws the first player's chance to win over the rated turns.
function chart(game, turn) {
  const points = [...game.analyses]
    .filter(([, { moves }]) => moves.length > 0)
    .sort(([a], [b]) => a - b)
    .map(([at, { moves }]) => {
      const { value } = moves[0];
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
