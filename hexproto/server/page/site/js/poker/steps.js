// A hand of poker step by step, as a table shows it.

import { cut, short } from "../cards.js";
import { done, sentence } from "../words.js";

// stepsOf returns the steps of a hand. Each has a description, the number of rounds whose board
// cards are dealt, the pot, and what each player has spent, of which before was spent in earlier
// rounds. The last step of a hand that is over is its end, before which a bet that nobody called goes back. Descriptions
// have amounts in the unit of the hand.
export function stepsOf(hand) {
  const { players, blinds, actions, board, showdown, made, values, unit } = hand;
  const start = { spent: [...blinds], folded: players.map(() => false), rounds: 1, actor: null };
  const pot = (spent) => spent.reduce((sum, n) => sum + n, 0);
  // Antes are in the pot before the first bet; blinds are bets.
  let now = { ...start, words: "The cards are dealt", pot: pot(blinds), before: hasAntes(hand) ? [...blinds] : players.map(() => 0), said: players.map(() => "") };
  const steps = [now];
  const add = (change) => { now = { ...now, actor: null, returned: false, ...change }; steps.push(now); };
  const turnUp = (round) => {
    while (now.rounds <= round) {
      const cards = board[now.rounds];
      add({ rounds: now.rounds + 1, before: now.spent, said: players.map((_, p) => (now.folded[p] ? "Fold" : "")), words: cards ? `Board: ${cut(cards).map(short).join(" ")}` : "Another round" });
    }
  };
  for (const { round, position, action, name, to, pot: after } of actions) {
    turnUp(round);
    add({
      actor: position, pot: after, words: done(players[position], name, unit),
      spent: now.spent.with(position, to), said: now.said.with(position, briefly(name)),
      folded: action === "fold" ? now.folded.with(position, true) : now.folded,
    });
  }
  const [called, most] = now.spent.toSorted((a, b) => a - b).slice(-2);
  if (values && most > called) {
    const better = now.spent.indexOf(most);
    const spent = now.spent.with(better, called);
    add({ words: done(players[better], `take back ${most - called}`, unit), spent, pot: pot(spent), returned: true });
  }
  turnUp(board.length - 1);
  if (!values) return steps;
  const won = players.filter((_, p) => values[p] > 0);
  const best = made?.find((name, p) => name && values[p] > 0);
  const words = won.length > 0 ? `${won.join(" and ")} ${won.length > 1 || won[0] === "you" ? "win" : "wins"}${showdown ? " at the showdown" : ""}${best ? `: ${best}` : ""}` : "No one wins anything";
  add({ words, over: true });
  return steps;
}

// potsOf returns the main pot and the side pots of a step: each all-in ends one that its player can win.
export function potsOf({ spent, folded }, stacks) {
  const most = Math.max(...spent);
  const ends = new Set(spent.filter((chips, p) => !folded[p] && chips === stacks?.[p] && chips < most));
  const up = (to) => spent.reduce((sum, chips) => sum + Math.min(chips, to), 0);
  return [...[...ends].sort((a, b) => a - b), most].map((end, i, all) => up(end) - up(all[i - 1] ?? 0));
}

// briefly names an action without its amount, which is in the chips before the seat: "Raise", "All-in".
const briefly = (name) => (name.endsWith("all-in") ? "All-in" : sentence(name.split(" ")[0]));

// hasAntes reports whether the forced bets of a hand are antes, the same for all.
export const hasAntes = ({ blinds }) => blinds.every((b) => b === blinds[0]);
