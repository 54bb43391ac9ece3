// Playing cards as drawings.

import { svg } from "./dom.js";

const SUITS = {
  c: ["♣", "clubs", "M12 1.5A5 5 0 0 1 16 9.5 5 5 0 1 1 13.3 17.6C13.5 20 14.4 21.6 16 22.8H8C9.6 21.6 10.5 20 10.7 17.6A5 5 0 1 1 8 9.5 5 5 0 0 1 12 1.5Z"],
  d: ["♦", "diamonds", "M12 1 20.5 12 12 23 3.5 12Z"],
  h: ["♥", "hearts", "M12 22.5C4.5 15.5 1.5 11.8 1.5 7.8A5.4 5.4 0 0 1 12 5.6 5.4 5.4 0 0 1 22.5 7.8C22.5 11.8 19.5 15.5 12 22.5Z"],
  s: ["♠", "spades", "M12 1.2C18 7.8 22 10.4 22 14.6A5 5 0 0 1 13.3 18C13.5 20 14.4 21.6 16 22.8H8C9.6 21.6 10.5 20 10.7 18A5 5 0 0 1 2 14.6C2 10.4 6 7.8 12 1.2Z"],
};
const RANKS = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace" };

const shape = (suit, x, y, size) => svg("path", { d: SUITS[suit][2], transform: `translate(${x} ${y}) scale(${size / 24})` });

const sheet = () => svg("rect", { class: "sheet", x: 0.75, y: 0.75, width: 48.5, height: 66.5, rx: 5 });

// cut divides a text such as "AsTd" into cards.
export const cut = (text) => text.match(/../g) ?? [];

// card draws a card such as "As".
export function card(text) {
  const [rank, suit] = text;
  return svg(
    "svg",
    { class: "card", viewBox: "0 0 50 68", "data-suit": suit, role: "img", "aria-label": nameOf(text) },
    sheet(),
    svg("text", { x: 5, y: 27, "aria-hidden": "true", textLength: rank === "T" ? 26 : null, lengthAdjust: "spacingAndGlyphs" }, rank === "T" ? "10" : rank),
    shape(suit, 18, 34, 28),
  );
}

// back draws a card that is not seen.
export function back() {
  return svg(
    "svg",
    { class: "card back", viewBox: "0 0 50 68", role: "img", "aria-label": "a hidden card" },
    sheet(),
    svg("rect", { class: "pattern", x: 5, y: 5, width: 40, height: 58, rx: 3 }),
    [15, 25, 35].map((x) => [19, 34, 49].map((y) => svg("path", { class: "figure", d: `M${x} ${y - 6}L${x + 4} ${y} ${x} ${y + 6} ${x - 4} ${y}Z` }))),
  );
}

// nameOf names a card: "ace of spades".
export function nameOf([rank, suit]) {
  return `${RANKS[rank] ?? rank} of ${SUITS[suit][1]}`;
}

// short formats a card in a text: "A♠".
export function short([rank, suit]) {
  return rank.replace("T", "10") + SUITS[suit][0];
}
