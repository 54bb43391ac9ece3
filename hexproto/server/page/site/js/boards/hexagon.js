// Boards of hexagons, such as Havannah's. Cells come with their names and centres.
// Seat 0 has white stones, seat 1 black ones.

import { svg, set } from "../dom.js";
import { isStep } from "./keys.js";

const WIDE = 20; // units of the drawing between neighbours
const MARGIN = 0.8 * WIDE; // room for the names of rows and columns

export class Hexagon {
  static inTurn = true;

  // replay returns the view after moves. A swap gives the first stone to the player
  // who swaps.
  static replay({ cells }, moves) {
    const stones = cells.map(() => ".");
    const at = new Map(cells.map((cell, i) => [cell.name, i]));
    let last = [];
    for (const { move, seat } of moves) {
      if (move === "swap") stones.forEach((stone, i) => stone !== "." && (stones[i] = String(seat)));
      else if (at.has(move)) {
        stones[at.get(move)] = String(seat);
        last = [move];
      }
    }
    return { cells: stones.join(""), last, won: [], legal: [], text: "" };
  }

  constructor(board, names, { play, browse }) {
    this.names = names;
    this.play = play;
    this.browse = browse;
    this.places = board.cells.map(({ name, x, y }, index) => ({ index, name, x: x * WIDE, y: y * WIDE }));
    this.rows = Object.values(Object.groupBy(this.places, ({ y }) => y.toFixed(2)))
      .sort((a, b) => a[0].y - b[0].y);
    this.cells = this.places.map((place) => this.#cell(place));
    this.ring = svg("polygon", { class: "ring", "aria-hidden": "true" });
    this.element = svg(
      "svg",
      { class: "board hex", viewBox: frame(this.places), role: "grid", onkeydown: (event) => this.#key(event) },
      svg("g", { "aria-hidden": "true" }, captions(this.places, this.rows)),
      this.rows.map((row) => svg("g", { role: "row" }, row.map(({ index }) => this.cells[index].element))),
      this.ring, // over all cells, whose neighbours would cover half of it
    );
    this.#rove(this.places[Math.floor(this.places.length / 2)]);
  }

  draw({ view, seat, tries = null, chosen, values, label }) {
    const last = new Set(view.last);
    const won = new Set(view.won);
    this.seat = seat;
    set(this.element, { "aria-label": label, "data-seat": seat ?? tries, "data-over": won.size > 0 });
    this.places.forEach(({ index, name }) => {
      const stone = view.cells[index] === "." ? null : view.cells[index];
      const value = stone ? undefined : values?.get(name);
      const { element, title, number } = this.cells[index];
      const words = [
        name,
        stone ? this.names[stone] : "empty",
        last.has(name) && "last move",
        won.has(name) && "part of what won",
        value?.words,
      ].filter(Boolean).join(", ");
      set(element, {
        "data-stone": stone,
        "data-last": last.has(name),
        "data-won": won.has(name),
        "data-chosen": chosen === name,
        "data-value": value?.text,
        "data-faint": value?.faint,
        "aria-label": words,
        "aria-selected": String(chosen === name),
        "aria-disabled": stone || (seat ?? tries) === null ? "true" : null,
      });
      if (value) element.style.setProperty("--heat", value.heat.toFixed(3));
      if (title.textContent !== words) title.textContent = words;
      number.textContent = value?.text ?? "";
    });
  }

  focus() {
    this.cells[this.focused.index].element.focus();
  }

  #cell(place) {
    const { name, x, y } = place;
    const title = svg("title");
    const number = svg("text", { class: "value", x, y, dy: "0.36em" });
    const element = svg(
      "g",
      {
        class: "cell", role: "gridcell", tabindex: -1, "data-cell": name,
        onclick: () => { this.#rove(place); this.play(name); },
        onfocus: () => { this.#rove(place); this.browse(name); },
      },
      title,
      svg("polygon", { points: hexagon(x, y) }),
      svg("circle", { class: "stone", cx: x, cy: y, r: 0.37 * WIDE }),
      svg("circle", { class: "mark", cx: x, cy: y, r: 0.11 * WIDE }),
      svg("text", { class: "own-name", x, y, dy: "0.36em" }, name),
      number,
    );
    return { element, title, number };
  }

  // rove makes a cell the one tab stop of the board.
  #rove(place) {
    if (this.focused) set(this.cells[this.focused.index].element, { tabindex: -1 });
    this.focused = place;
    set(this.cells[place.index].element, { tabindex: 0 });
    set(this.ring, { points: hexagon(place.x, place.y) });
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || isStep(event, this.seat)) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.play(this.focused.name);
      return;
    }
    const place = this.#neighbour(event.key);
    if (!place) return;
    event.preventDefault();
    event.stopPropagation();
    this.#rove(place);
    this.focus();
  }

  // neighbour returns the cell that a key leads to. Left and right stay in the row. Up
  // and down lead to the cell nearest to the column where the vertical movement began,
  // so that up and then down returns to the same cell.
  #neighbour(key) {
    const row = this.rows.findIndex((places) => places.includes(this.focused));
    const at = this.rows[row].indexOf(this.focused);
    const upOrDown = key === "ArrowUp" || key === "ArrowDown";
    this.column = upOrDown ? this.column ?? this.focused.x : undefined;
    const nearest = (places) =>
      places?.reduce((best, p) => (Math.abs(p.x - this.column) < Math.abs(best.x - this.column) ? p : best));
    switch (key) {
      case "ArrowLeft": return this.rows[row][Math.max(at - 1, 0)];
      case "ArrowRight": return this.rows[row][Math.min(at + 1, this.rows[row].length - 1)];
      case "ArrowUp": return nearest(this.rows[row - 1]) ?? this.focused;
      case "ArrowDown": return nearest(this.rows[row + 1]) ?? this.focused;
      case "Home": return this.rows[row][0];
      case "End": return this.rows[row].at(-1);
    }
    return null;
  }
}

// captions are the letters of rows, left of them, and the numbers of columns,
// above the highest cell of each, for cells that are named like "d4".
function captions(places, rows) {
  const letters = rows.map(([first]) => [first.x - 0.9 * WIDE, first.y, first.name.match(/^[a-z]+/)?.[0]]);
  const columns = new Map();
  for (const place of places) {
    const number = place.name.match(/\d+$/)?.[0];
    if (!columns.has(number)) columns.set(number, place); // cells come from the top
  }
  const numbers = [...columns].map(([number, { x, y }]) => [x + 0.48 * WIDE, y - 0.78 * WIDE, number]);
  return [...letters, ...numbers]
    .filter(([, , text]) => text)
    .map(([x, y, text]) => svg("text", { class: "name", x, y, dy: "0.36em" }, text));
}

function frame(places) {
  const range = (values, half) => [Math.min(...values) - half, Math.max(...values) + half];
  const [left, right] = range(places.map((p) => p.x), WIDE / 2 + MARGIN);
  const [top, bottom] = range(places.map((p) => p.y), WIDE / Math.sqrt(3));
  const above = 0.6 * WIDE; // for the numbers
  return [left, top - above, right - left, bottom - top + above + 1].map((n) => n.toFixed(1)).join(" ");
}

function hexagon(x, y) {
  const radius = WIDE / Math.sqrt(3);
  return Array.from({ length: 6 }, (_, i) => {
    const angle = (Math.PI / 6) * (2 * i + 1);
    return `${(x + radius * Math.cos(angle)).toFixed(2)},${(y + radius * Math.sin(angle)).toFixed(2)}`;
  }).join(" ");
}
