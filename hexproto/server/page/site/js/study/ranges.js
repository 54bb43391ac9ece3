// Ranges: the hands that a player may have, each with a weight from 0 to 1, in the notation of docs/solve-poker.md.

const RANKS = [..."AKQJT98765432"];
const SUITS = [..."shdc"];

// nameAt names a class of hands by its row and column in the grid: pairs are on the diagonal, suited hands above it.
export function nameAt(row, column) {
  const [high, low] = [row, column].sort((a, b) => a - b).map((at) => RANKS[at]);
  return high + low + (row < column ? "s" : row > column ? "o" : "");
}

// classOf names the class of a hand such as "AsKd".
export function classOf([a, x, b, y]) {
  const [i, j] = [RANKS.indexOf(a), RANKS.indexOf(b)].sort((p, q) => p - q);
  return x === y ? nameAt(i, j) : nameAt(j, i);
}

// LINES are the series of classes over which + and - run, from best to worst.
const LINES = [
  RANKS.map((_, i) => nameAt(i, i)),
  ...RANKS.flatMap((_, i) => [RANKS.slice(i + 1).map((_, j) => nameAt(i, i + 1 + j)), RANKS.slice(i + 1).map((_, j) => nameAt(i + 1 + j, i))]),
];

const ordered = (a, b) => (RANKS.indexOf(a[0]) - RANKS.indexOf(b[0]) || SUITS.indexOf(a[1]) - SUITS.indexOf(b[1]));

// HANDS are the hands of each class.
const HANDS = new Map(LINES.flat().map((name) => [name, []]));
const DECK = RANKS.flatMap((rank) => SUITS.map((suit) => rank + suit));
DECK.forEach((a, i) => DECK.slice(i + 1).forEach((b) => HANDS.get(classOf(a + b)).push(a + b)));
const ALL = [...HANDS.values()].flat().length;

function classesOf(text) {
  const [, x, y, kind] = /^([2-9TJQKA])([2-9TJQKA])([SO]?)$/.exec(text.toUpperCase()) ?? [];
  if (!x || (x === y && kind)) throw new Error(`"${text}" is not a hand such as AA, AKs, AKo or AK`);
  const [i, j] = [RANKS.indexOf(x), RANKS.indexOf(y)].sort((a, b) => a - b);
  return [kind !== "O" && nameAt(i, j), x !== y && kind !== "S" && nameAt(j, i)].filter(Boolean);
}

// handsOf lists the hands of an item without its weight.
function handsOf(text) {
  const cards = text.match(/[2-9TJQKA][shdc]/gi) ?? [];
  if (cards.length === 2 && cards.join("") === text) return [cards.map(([rank, suit]) => rank.toUpperCase() + suit.toLowerCase()).sort(ordered).join("")];
  if (text.toLowerCase() === "random") return [...HANDS.values()].flat();
  const [first, last] = text.replace("+", "-").split("-");
  const lineOf = (name) => LINES.find((line) => line.includes(name));
  const ends = last && classesOf(last);
  return classesOf(first).flatMap((name, k) => {
    const line = lineOf(name);
    const [from, to] = [line.indexOf(name), text.includes("+") ? 0 : ends ? line.indexOf(ends[k]) : line.indexOf(name)].sort((a, b) => a - b);
    if (from < 0) throw new Error(`"${text}": ${first} and ${last} are not in one line of the grid`);
    return line.slice(from, to + 1).flatMap((c) => HANDS.get(c));
  });
}

export class Range {
  #weights = new Map(); // of hands

  constructor(text) {
    for (const item of text.replace(/[♠♥♦♣]/g, (sign) => SUITS["♠♥♦♣".indexOf(sign)]).split(",").map((part) => part.trim()).filter(Boolean)) {
      const [hands, weight = "1"] = item.split(":").map((part) => part.trim());
      if (!(Number(weight) >= 0 && Number(weight) <= 1)) throw new Error(`"${item}": the weight is not from 0 to 1`);
      for (const hand of handsOf(hands)) this.#weights.set(hand, Number(weight));
    }
  }

  weight(hand) {
    return this.#weights.get(hand) ?? 0;
  }

  // mean returns the mean weight of the hands of a class.
  mean(name) {
    const hands = HANDS.get(name);
    return hands.reduce((sum, hand) => sum + this.weight(hand), 0) / hands.length;
  }

  set(name, weight) {
    for (const hand of HANDS.get(name)) this.#weights.set(hand, weight);
  }

  // hands lists the hands with a weight.
  hands() {
    return [...this.#weights].filter(([, weight]) => weight > 0);
  }

  // size returns the sum of the weights, and its part of all hands.
  size() {
    const sum = this.hands().reduce((all, [, weight]) => all + weight, 0);
    return [sum, sum / ALL];
  }

  // whole gives all hands of a class the weight of those that have one: the others are blocked by a board.
  whole() {
    for (const [name, hands] of HANDS) {
      const weights = new Set(hands.map((hand) => this.weight(hand)).filter(Boolean));
      if (weights.size === 1) this.set(name, [...weights][0]);
    }
    return this;
  }

  toString() {
    const items = [];
    const add = (text, weight) => weight > 0 && items.push(weight === 1 ? text : `${text}:${weight}`);
    if (this.size()[0] === ALL) return "random";
    for (const line of LINES) {
      for (let from = 0, to; from < line.length; from = to) {
        const even = (name) => new Set(HANDS.get(name).map((hand) => this.weight(hand))).size === 1;
        const weight = this.weight(HANDS.get(line[from])[0]);
        for (to = from + 1; even(line[from]) && to < line.length && even(line[to]) && this.mean(line[to]) === weight;) to += 1;
        if (!even(line[from])) for (const hand of HANDS.get(line[from])) add(hand, this.weight(hand));
        else if (to === from + 1) add(line[from], weight);
        else add(from === 0 ? `${line[to - 1]}+` : `${line[from]}-${line[to - 1]}`, weight);
      }
    }
    return items.join(",");
  }
}
