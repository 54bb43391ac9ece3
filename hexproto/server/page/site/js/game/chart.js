// The first player's chance to win over the rated turns of a game, as a curve that leads to
// its moves.

import { el, put, set, svg } from "../dom.js";
import { percent, valueOf } from "./judge.js";

const [WIDTH, HEIGHT] = [300, 72];

export class Chart {
  // go shows the position after a number of turns. The keys that step through the game do so
  // here, too.
  constructor(go) {
    this.says = el("small");
    this.picture = svg("svg", {
      viewBox: `0 -3 ${WIDTH} ${HEIGHT + 6}`, role: "slider", tabindex: 0, "aria-valuemin": 0,
      onpointerdown: (event) => this.#point(event, go),
      onpointermove: (event) => event.buttons > 0 && this.#point(event, go),
    });
    this.element = el("div", { class: "chart" }, this.says, this.picture);
  }

  #point({ clientX }, go) {
    const { left, width } = this.picture.getBoundingClientRect();
    const to = Math.round(((clientX - left) / width) * this.turns);
    if (to !== this.turn) go(Math.max(0, Math.min(to, this.turns)));
  }

  draw(game, turn) {
    this.turns = game.turn;
    this.turn = turn;
    const points = pointsOf(game);
    this.element.hidden = points.length < 2;
    if (this.element.hidden) return;
    const x = (at) => (at / Math.max(1, game.turn)) * WIDTH;
    const y = (chance) => (1 - chance) * HEIGHT;
    const here = points.find(([at]) => at === turn)?.[1];
    const known = here === undefined ? "" : percent(here);
    this.says.textContent = `${game.seats[0].name} (${game.names[0]}) wins${known && `: ${known}`}`;
    set(this.picture, {
      "aria-label": `the chance of ${game.names[0]} to win`, "aria-valuemax": game.turn, "aria-valuenow": turn,
      "aria-valuetext": `after ${turn} moves: ${known || "not rated"}`,
    });
    put(
      this.picture,
      svg("line", { class: "axis", x1: 0, x2: WIDTH, y1: y(0.5), y2: y(0.5) }),
      svg("line", { class: "now", x1: x(turn), x2: x(turn), y1: 0, y2: HEIGHT }),
      svg("polyline", { points: points.map(([at, chance]) => `${x(at).toFixed(1)},${y(chance).toFixed(1)}`).join(" ") }),
      points.map(([at, chance]) => svg("circle", { cx: x(at), cy: y(chance), r: 2.2 })),
    );
  }
}

// pointsOf returns the rated turns with the chances.
function pointsOf(game) {
  return [...game.analyses.keys()].sort((a, b) => a - b).map((at) => {
    const value = valueOf(game, at);
    const mover = game.moves.find((m) => m.turn === at)?.seat ?? game.to_move[0] ?? 0;
    return [at, mover === 0 ? value : 1 - value];
  });
}
