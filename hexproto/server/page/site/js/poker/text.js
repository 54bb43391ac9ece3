// A hand of poker as text.

import { chips, number, sentence } from "../words.js";
import { cut, short } from "../cards.js";
import { hasAntes, stepsOf } from "./steps.js";

const cardsOf = (text) => cut(text).map(short).join(" ");

// forcedOf names the forced bets of a hand: "blinds 50/100".
export function forcedOf(hand) {
  const { blinds } = hand;
  return hasAntes(hand) ? `ante ${number(blinds[0])}` : `blinds ${blinds.filter((b) => b > 0).sort((a, b) => a - b).map((b) => number(b)).join("/")}`;
}

// storyOf tells a hand in lines of words: who sits where, the cards that are seen, a line for each
// round, and its end. Positions and streets name them.
export function storyOf(hand, { positions = [], streets }) {
  const { players, holes, stacks, values } = hand;
  const seats = players.map((name, p) => `${name}${positions[p] ? ` (${positions[p]})` : ""}${stacks ? ` ${number(stacks[p])}` : ""}`);
  const seen = players.map((name, p) => holes[p] && `${name} ${cardsOf(holes[p])}`).filter(Boolean);
  const [start, ...steps] = stepsOf(hand);
  const rounds = [{ ...start, said: [] }];
  for (const step of steps) {
    if (step.over || step.rounds > rounds.at(-1).rounds) rounds.push({ ...step, said: [] });
    if (step.actor !== null || step.returned) rounds.at(-1).said.push(step.words);
  }
  return [
    `Hand ${hand.hand + 1}, ${forcedOf(hand)}: ${seats.join(", ")}.`,
    seen.length > 0 && `Cards: ${seen.join(", ")}.`,
    ...rounds.map(({ over, words, rounds: dealt, said }) => {
      if (over) return `${words}.`;
      const head = dealt === 1 ? sentence(streets[0]) : `${sentence(streets[dealt - 1])}, ${words.replace("Board: ", "")}`;
      return `${head}: ${said.join(", ") || "no bets"}.`;
    }),
    values && `${players.map((name, p) => `${name} ${chips(values[p])}`).join(", ")}.`,
  ].filter(Boolean);
}

// lineOf writes a hand of players as a line of an ACPC log, without the cards that are not seen.
export function lineOf({ hand, betting, actions, board, holes, values }, players) {
  const letter = ({ action, to }) => ({ fold: "f", call: "c" })[action] ?? (betting === "nolimit" ? `r${to}` : "r");
  const rounds = board.map((_, round) => actions.filter((a) => a.round === round).map(letter).join(""));
  const cards = [holes.join("|"), ...board.slice(1).filter(Boolean)].join("/");
  return `STATE:${hand}:${rounds.join("/")}:${cards}${values ? `:${values.join("|")}:${players.join("|")}` : ""}`;
}
