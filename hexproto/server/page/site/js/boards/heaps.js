// Rows of sticks, such as Nim's. A move takes sticks from one row and is written
// "pile:1, take:2;", with piles from 1.

import { svg, set } from "../dom.js";
import { isStep } from "./keys.js";

const PITCH = 16; // from stick to stick, in units of the drawing
const ROW = 44; // from row to row
const SIDES = 40; // room for a row's number on the left and its count on the right

const write = (pile, take) => `pile:${pile + 1}, take:${take};`;

function read(move) {
  const numbers = /^pile:(\d+), take:(\d+);$/.exec(move ?? "");
  return numbers && { pile: numbers[1] - 1, take: Number(numbers[2]) };
}

export class Heaps {
  static inTurn = true;
  static drawless = true;

  // replay returns the view after moves.
  static replay({ heaps }, moves) {
    const left = [...heaps];
    let last = [];
    for (const { move } of moves) {
      const taken = read(move);
      if (!taken) continue;
      left[taken.pile] -= taken.take;
      last = [move];
    }
    return { heaps: left, last, legal: [], text: left.join(", ") };
  }

  constructor({ heaps }, names, { play, browse }) {
    this.left = heaps;
    this.play = play;
    this.browse = browse;
    const width = Math.max(6, ...heaps) * PITCH + 2 * SIDES;
    this.rows = heaps.map((size, pile) => this.#row(pile, size, width));
    this.ring = svg("rect", { class: "ring", width: PITCH, height: ROW, rx: 4, "aria-hidden": "true" });
    this.element = svg(
      "svg",
      {
        class: "board nim", viewBox: `0 0 ${width} ${heaps.length * ROW + 8}`, role: "grid",
        onkeydown: (event) => this.#key(event),
        onpointerleave: () => this.#preview(null),
      },
      this.rows.map((row) => row.element),
      this.ring,
    );
    this.focused = [Math.max(0, heaps.findIndex((size) => size > 0)), 0];
    this.#rove(this.focused);
  }

  // say formats a move for people.
  static say(move) {
    const taken = read(move);
    return taken ? `${taken.take} of row ${taken.pile + 1}` : move;
  }

  // draw shows the sticks that were taken last as outlines.
  draw({ view, seat, tries = null, chosen, values, label }) {
    this.left = view.heaps;
    this.seat = seat;
    const last = read(view.last?.[0]);
    const choice = read(chosen);
    set(this.element, { "aria-label": label, "data-seat": seat ?? tries });
    this.rows.forEach(({ sticks, count }, pile) => {
      const left = this.left[pile];
      count.textContent = left;
      sticks.forEach((stick, i) => {
        const there = i < left;
        const move = write(pile, left - i);
        const value = there ? values?.get(move) : undefined;
        const legal = there && (tries !== null || (seat !== null && view.legal.includes(move)));
        set(stick, {
          "data-state": there ? "there" : last?.pile === pile && i < left + last.take ? "taken" : "gone",
          "data-chosen": there && choice?.pile === pile && i >= left - choice.take,
          "data-value": value?.text,
          "aria-hidden": there ? null : "true",
          "aria-disabled": legal ? null : "true",
          "aria-label": there ? [`row ${pile + 1}, take ${left - i} of ${left}`, value?.words].filter(Boolean).join(", ") : null,
        });
        if (value) stick.style.setProperty("--heat", value.heat.toFixed(3));
      });
    });
    const [pile, i] = this.focused;
    if (i >= this.left[pile]) this.#rove(this.#nearest(pile, i));
    this.#preview(null);
  }

  focus() {
    const [pile, i] = this.focused;
    this.rows[pile].sticks[i]?.focus();
  }

  #row(pile, size, width) {
    const y = pile * ROW + 4;
    const start = (width - size * PITCH) / 2;
    const sticks = Array.from({ length: size }, (_, i) =>
      svg(
        "g",
        {
          class: "stick", role: "gridcell", tabindex: -1, "data-stick": `${pile + 1}.${i + 1}`,
          onclick: () => this.#take(pile, i),
          onfocus: () => { this.#rove([pile, i]); this.#preview([pile, i]); },
          onblur: () => this.#preview(null),
          onpointerenter: (event) => event.pointerType === "mouse" && this.#preview([pile, i]),
        },
        svg("rect", { class: "target", x: start + i * PITCH, y, width: PITCH, height: ROW }),
        svg("rect", { class: "wood", x: start + i * PITCH + PITCH / 2 - 3, y: y + 4, width: 6, height: ROW - 8, rx: 3 }),
      ));
    const middle = { y: y + ROW / 2, dy: "0.36em" };
    const count = svg("text", { class: "count", x: width - SIDES / 2, ...middle });
    const name = svg("text", { class: "name", x: SIDES / 2, ...middle, "aria-hidden": "true" }, `row ${pile + 1}`);
    return { element: svg("g", { role: "row", "aria-label": `row ${pile + 1}` }, name, sticks, count), sticks, count };
  }

  // take chooses a stick and those to its right.
  #take(pile, i) {
    if (i >= this.left[pile]) return;
    this.#rove([pile, i]);
    this.play(write(pile, this.left[pile] - i));
  }

  // preview marks the sticks that would be taken with one.
  #preview(stick) {
    this.rows.forEach(({ sticks }, pile) =>
      sticks.forEach((element, i) =>
        set(element, { "data-preview": stick !== null && pile === stick[0] && i >= stick[1] && i < this.left[pile] })));
    if (stick) this.browse(write(stick[0], this.left[stick[0]] - stick[1]));
  }

  // rove makes a stick the one tab stop of the board.
  #rove([pile, i]) {
    const stick = ([p, k]) => this.rows[p].sticks[k];
    if (stick(this.focused)) set(stick(this.focused), { tabindex: -1 });
    this.focused = [pile, i];
    if (stick(this.focused)) set(stick(this.focused), { tabindex: 0 });
    const target = stick(this.focused)?.querySelector(".target");
    if (target) set(this.ring, { x: target.getAttribute("x"), y: target.getAttribute("y") });
  }

  // nearest returns a remaining stick: in the row, or else in the rows below and
  // above.
  #nearest(pile, i) {
    const order = [pile, ...this.left.keys()];
    const row = order.find((p) => this.left[p] > 0) ?? pile;
    return [row, Math.max(0, Math.min(i, this.left[row] - 1))];
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || isStep(event, this.seat)) return;
    const [pile, i] = this.focused;
    const rows = [...this.left.keys()].filter((p) => this.left[p] > 0);
    const to = {
      ArrowLeft: [pile, i - 1],
      ArrowRight: [pile, i + 1],
      ArrowUp: [rows.findLast((p) => p < pile) ?? pile, i],
      ArrowDown: [rows.find((p) => p > pile) ?? pile, i],
      Home: [pile, 0],
      End: [pile, this.left[pile] - 1],
    }[event.key];
    if (event.key === "Enter" || event.key === " ") this.#take(pile, i);
    else if (to) {
      this.#rove(this.#nearest(to[0], Math.max(0, to[1])));
      this.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
