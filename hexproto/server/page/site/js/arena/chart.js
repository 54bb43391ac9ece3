// A line chart: a line for each player, over the games of a run.

import { el, put, set, svg } from "../dom.js";
import { number, short } from "./words.js";

const HEIGHT = 240;
const LEFT = 52; // room for numbers
const BELOW = 22;
const COLOURS = 8; // colours of players in theme.css

export class LineChart {
  constructor() {
    this.title = el("h2", {});
    this.legend = el("ul", { class: "legend" });
    this.place = el("div", { class: "plot" });
    this.element = el("section", { class: "panel lines-chart" }, this.title, this.legend, this.place);
    this.resized = new ResizeObserver(() => this.data && this.#plot());
    this.resized.observe(this.place);
  }

  close() {
    this.resized.disconnect();
  }

  // draw shows a chart: {title, unit, at, lines: [{name, values}]}.
  draw(data) {
    this.data = data;
    set(this.element, { "aria-label": data.title });
    this.title.textContent = `${data.title}, in ${data.unit}`;
    this.values = data.lines.map(() => el("span", { class: "legend-value" }));
    put(this.legend, data.lines.map(({ name }, i) => el("li", {}, el("span", { class: `swatch series-${i % COLOURS}` }), el("span", { class: "legend-name" }, name), this.values[i])));
    this.#plot();
  }

  #plot() {
    const { at, lines, title, unit } = this.data;
    const width = Math.max(240, Math.round(this.place.clientWidth) || 640);
    const all = lines.flatMap(({ values }) => values);
    const [low, high, step] = scale(Math.min(0, ...all), Math.max(0, ...all));
    const last = at.at(-1) || 1;
    this.x = (games) => LEFT + (games / last) * (width - LEFT - 8);
    const y = (value) => 8 + ((high - value) / (high - low)) * (HEIGHT - BELOW - 8);
    const rows = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + i * step);
    const [, , every] = scale(0, last, width < 420 ? 3 : 6);
    const columns = Array.from({ length: Math.floor(last / every) + 1 }, (_, i) => i * every);
    const ends = lines.map(({ name, values }) => `${name} ${number(values.at(-1), 1)}`).join(", ");
    this.cursor = svg("line", { class: "cursor", y1: 8, y2: HEIGHT - BELOW, hidden: true });
    put(this.place, svg(
      "svg",
      {
        viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img", "aria-label": `${title} after ${last} games, in ${unit}: ${ends}`,
        onpointermove: (event) => this.#point(event),
        onpointerleave: () => this.#tell(at.length - 1, false),
      },
      rows.map((value) => [
        svg("line", { class: value === 0 ? "axis zero" : "axis", x1: LEFT, x2: width - 8, y1: y(value), y2: y(value) }),
        svg("text", { class: "tick", x: LEFT - 6, y: y(value), dy: "0.34em", "text-anchor": "end" }, short(value)),
      ]),
      columns.map((games) => svg("text", { class: "tick", x: this.x(games), y: HEIGHT - 6, "text-anchor": games === 0 ? "start" : this.x(games) > width - 30 ? "end" : "middle" }, short(games))),
      lines.map(({ values }, i) => svg("polyline", {
        class: `series-${i % COLOURS}`, points: values.map((value, k) => `${this.x(at[k]).toFixed(1)},${y(value).toFixed(1)}`).join(" "),
      })),
      this.cursor,
    ));
    this.#tell(at.length - 1, false);
  }

  // point shows the values at the pointer.
  #point(event) {
    const { at } = this.data;
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left;
    const nearest = at.reduce((best, games, i) => (Math.abs(this.x(games) - x) < Math.abs(this.x(at[best]) - x) ? i : best), 0);
    this.#tell(nearest, true);
  }

  #tell(i, pointed) {
    const { at, lines } = this.data;
    lines.forEach(({ values }, k) => { this.values[k].textContent = number(values[i], 1, true); });
    set(this.cursor, { x1: this.x(at[i]), x2: this.x(at[i]), hidden: !pointed });
  }
}

// scale returns round bounds of a range, and a round step that divides it into about
// a number of parts.
function scale(low, high, parts = 5) {
  const range = high - low || 1;
  const power = 10 ** Math.floor(Math.log10(range / parts));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => range / s <= parts);
  return [Math.floor(low / step) * step, Math.ceil(high / step) * step || step, step];
}
