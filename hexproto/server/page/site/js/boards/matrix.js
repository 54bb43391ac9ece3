// Matrix games: a table of payoffs. Both players choose at once, the first a row, the
// second a column. A cell has both payoffs.

import { button, el, set } from "../dom.js";
import { sentence } from "../words.js";
import { legalMoves } from "./legal.js";

// exact formats a payoff, with a minus that is no hyphen.
const exact = (payoff) => String(payoff).replace("-", "−");

export class Matrix {
  static drawless = true; // its rounds are few and soon over

  // replay returns the view after rounds, with the total payoffs.
  static replay({ rows, columns, payoffs }, moves) {
    const sums = [0, 0];
    const rounds = moves.filter(({ seat }) => seat === 0).map(({ turn, move }) => [move, moves.find((m) => m.turn === turn && m.seat === 1)?.move]);
    for (const [row, column] of rounds) payoffs[rows.indexOf(row)][columns.indexOf(column)].forEach((payoff, seat) => { sums[seat] += payoff; });
    return { last: rounds.at(-1) ?? [], legal: [], text: `rounds played: ${rounds.length}, payoffs ${sums.join(" and ")}` };
  }

  constructor(board, names, { play }) {
    this.board = board;
    this.play = play;
    this.actions = [board.rows, board.columns].map((list, seat) =>
      list.map((action) => button(action, () => this.choose(seat, action), { class: "action" })));
    const [rows, columns] = this.actions;
    this.cells = board.payoffs.map((row) => row.map((payoff) => el("td", {}, payoff.map(exact).join(" / "))));
    this.told = el("p", { class: "position" });
    this.caption = el("caption", {});
    this.element = el(
      "div",
      { class: "board matrix", role: "group", "aria-label": "payoffs", tabindex: 0 }, // it may scroll sideways
      el(
        "table",
        {},
        this.caption,
        el("thead", {}, el("tr", {}, el("td"), columns.map((b) => el("th", { scope: "col" }, b)))),
        el("tbody", {}, rows.map((b, i) => el("tr", {}, el("th", { scope: "row" }, b), this.cells[i]))),
      ),
      this.told,
    );
  }

  choose(seat, action) {
    if (seat === this.seat) this.play(action);
  }

  draw({ view, seat, chosen, game }) {
    this.seat = seat;
    this.told.textContent = view.text.replace(/-(?=\d)/g, "−");
    const [first, second] = (game?.seats ?? []).map(({ name }, of) => (of === game.you ? "you" : name));
    this.caption.textContent = first ? `${sentence(first)} ${first === "you" ? "choose" : "chooses"} a row, ${second} a column. Payoffs: ${first} / ${second}.` : "";
    const [row, column] = view.last ?? [];
    const { rows, columns } = this.board;
    this.cells.forEach((cells, i) => cells.forEach((cell, j) =>
      set(cell, { "data-last": rows[i] === row && columns[j] === column })));
    [rows, columns].forEach((actions, of) => actions.forEach((action, i) =>
      set(this.actions[of][i], {
        disabled: of !== seat || !legalMoves(view, seat).includes(action),
        "aria-pressed": of === seat ? String(chosen === action) : null,
      })));
  }

  focus() {
    this.actions[this.seat ?? 0][0].focus();
  }
}
