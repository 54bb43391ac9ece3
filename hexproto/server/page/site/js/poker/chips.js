// Chips as drawings.

import { svg } from "../dom.js";

const WORTH = [25_000, 5000, 1000, 500, 100, 25, 5, 1];
const MOST = 5; // chips of a pile

// pile draws an amount as a pile of chips, the largest at the bottom.
export function pile(amount) {
  const worths = [];
  for (const worth of WORTH) {
    while (amount >= worth && worths.length < MOST) {
      worths.push(worth);
      amount -= worth;
    }
  }
  const height = 14 + 3 * worths.length;
  return svg(
    "svg", { class: "pile", viewBox: `0 0 22 ${height}`, "aria-hidden": "true" },
    worths.map((worth, i) => {
      const y = height - 9 - 3 * i;
      return svg(
        "g", { "data-worth": worth },
        svg("path", { class: "side", d: `M1 ${y}v3a10 6 0 0 0 20 0v-3z` }),
        svg("ellipse", { class: "top", cx: 11, cy: y, rx: 10, ry: 6 }),
        svg("ellipse", { class: "rim", cx: 11, cy: y, rx: 8.2, ry: 4.8 }),
      );
    }),
  );
}
