// Zoom enlarges a drawing: with buttons, with two fingers, or with Ctrl and the wheel. An
// enlarged drawing is moved with one finger or the mouse, and follows the focus and the last move.

import { button, set } from "../dom.js";

const MOST = 5;
const STEP = 1.6; // factor of a button
const NAMED = 2; // from this scale on the drawing has room for names
const SLOP = 5; // px that a click may move
const EDGE = 44; // px that are not in sight: buttons lie over them

export class Zoom {
  #scale = 1;
  #whole; // the drawing's own frame: {x, y, width, height}
  #frame; // the part that is shown
  #touches = []; // the last positions of the fingers

  // The drawing is an SVG element with a viewBox. buttons are to be put beside it.
  constructor(drawing) {
    this.drawing = drawing;
    const [x, y, width, height] = drawing.getAttribute("viewBox").split(" ").map(Number);
    this.#whole = this.#frame = { x, y, width, height };
    this.smaller = button("−", () => this.#button(1 / STEP), { class: "zoom smaller", "aria-label": "smaller board" });
    this.larger = button("+", () => this.#button(STEP), { class: "zoom larger", "aria-label": "larger board" });
    this.buttons = [this.smaller, this.larger];
    drawing.addEventListener("touchstart", (event) => this.#touch(event), { passive: true });
    drawing.addEventListener("touchend", (event) => this.#touch(event), { passive: true });
    drawing.addEventListener("touchmove", (event) => this.#fingers(event), { passive: false });
    drawing.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    drawing.addEventListener("pointerdown", (event) => this.#mouse(event));
    drawing.addEventListener("focusin", ({ target }) => this.follow(target));
    this.#show();
  }

  // at returns a point of the screen in units of the drawing.
  #at({ clientX, clientY }) {
    return new DOMPoint(clientX, clientY).matrixTransform(this.drawing.getScreenCTM().inverse());
  }

  // zoom changes the scale by a factor, so that a point of the drawing stays where it is.
  #zoom(factor, { x, y }) {
    const before = this.#frame;
    this.#scale = Math.max(1, Math.min(MOST, this.#scale * factor));
    const width = this.#whole.width / this.#scale;
    const height = this.#whole.height / this.#scale;
    this.#frame = { x: x - ((x - before.x) * width) / before.width, y: y - ((y - before.y) * height) / before.height, width, height };
    this.#show();
  }

  // move moves the drawing by pixels of the screen.
  #move(dx, dy) {
    const { a: scale } = this.drawing.getScreenCTM();
    const { x, y } = this.#frame;
    this.#frame = { ...this.#frame, x: x - dx / scale, y: y - dy / scale };
    this.#show();
  }

  #show() {
    const { x, y, width, height } = this.#frame;
    const within = (at, size, from, all) => Math.max(from, Math.min(at, from + all - size));
    this.#frame = { x: within(x, width, this.#whole.x, this.#whole.width), y: within(y, height, this.#whole.y, this.#whole.height), width, height };
    set(this.drawing, {
      viewBox: [this.#frame.x, this.#frame.y, width, height].map((n) => n.toFixed(2)).join(" "),
      "data-zoomed": this.#scale > 1, "data-named": this.#scale >= NAMED,
    });
    set(this.smaller, { disabled: this.#scale === 1 });
    set(this.larger, { disabled: this.#scale === MOST });
  }

  #button(factor) {
    const { x, y, width, height } = this.#frame;
    this.#zoom(factor, { x: x + width / 2, y: y + height / 2 });
  }

  #wheel(event) {
    if (!event.ctrlKey) return; // so do browsers report two fingers on a touch pad
    event.preventDefault();
    this.#zoom(Math.exp(-event.deltaY / 200), this.#at(event));
  }

  #touch({ touches }) {
    this.#touches = [...touches].map(({ clientX, clientY }) => ({ clientX, clientY }));
  }

  #fingers(event) {
    const before = this.#touches;
    const { touches } = event;
    if (touches.length > 2 || before.length !== touches.length || (touches.length === 1 && this.#scale === 1)) return;
    event.preventDefault();
    const [was, is] = [middle(before), middle(touches)];
    if (touches.length === 2) this.#zoom(distance(touches) / distance(before), this.#at(was));
    this.#move(is.clientX - was.clientX, is.clientY - was.clientY);
    this.#touch(event);
  }

  // mouse moves the drawing while a button of the mouse is down. The click at the end of a
  // movement plays nothing.
  #mouse(event) {
    if (event.pointerType !== "mouse" || event.button !== 0 || this.#scale === 1) return;
    let last = event;
    let moved = false;
    const move = (to) => {
      moved ||= Math.hypot(to.clientX - event.clientX, to.clientY - event.clientY) > SLOP;
      if (!moved) return;
      this.#move(to.clientX - last.clientX, to.clientY - last.clientY);
      last = to;
    };
    const up = () => {
      removeEventListener("pointermove", move);
      if (!moved) return;
      const swallow = (click) => click.stopPropagation();
      this.drawing.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => this.drawing.removeEventListener("click", swallow, { capture: true }));
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up, { once: true });
  }

  // follow moves the drawing if a part of it is not in sight.
  follow(target) {
    const shown = this.drawing.getBoundingClientRect();
    const { left, right, top, bottom } = target.getBoundingClientRect();
    const out = (from, to, low, high) => (from < low ? low - from : to > high ? high - to : 0);
    const [dx, dy] = [out(left, right, shown.left + EDGE, shown.right - EDGE), out(top, bottom, shown.top + EDGE, shown.bottom - EDGE)];
    if (dx || dy) this.#move(dx, dy);
  }
}

const distance = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);

function middle(touches) {
  const mean = (key) => [...touches].reduce((sum, touch) => sum + touch[key], 0) / touches.length;
  return { clientX: mean("clientX"), clientY: mean("clientY") };
}
