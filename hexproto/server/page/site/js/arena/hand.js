// A hand of poker as steps, and the table that shows one.

import { back, card, cut, short } from "../cards.js";
import { el, put, set } from "../dom.js";
import { chips, done, number, sentence } from "./words.js";

// stepsOf returns the steps of a hand. Each has a description, the round, the number of
// rounds whose board cards are dealt, the pot, and what each player has spent, of which before was
// spent in earlier rounds. The last step of a hand that is over is its end.
export function stepsOf(hand) {
  const { players, blinds, actions, board, showdown, made, values } = hand;
  const start = { spent: [...blinds], folded: players.map(() => false), rounds: 1, actor: null };
  const pot = (spent) => spent.reduce((sum, n) => sum + n, 0);
  // Antes are in the pot before the first bet; blinds are bets.
  const antes = blinds.every((b) => b === blinds[0]);
  let now = { ...start, words: "The cards are dealt", pot: pot(blinds), before: antes ? [...blinds] : players.map(() => 0), said: players.map(() => "") };
  const steps = [now];
  const add = (change) => { now = { ...now, actor: null, ...change }; steps.push(now); };
  const turnUp = (round) => {
    while (now.rounds <= round) {
      const cards = board[now.rounds];
      add({ rounds: now.rounds + 1, before: now.spent, said: players.map((_, p) => (now.folded[p] ? "folded" : "")), words: cards ? `Board: ${cut(cards).map(short).join(" ")}` : "Another round" });
    }
  };
  for (const { round, position, action, name, to, pot: after } of actions) {
    turnUp(round);
    const verb = done(name);
    add({
      actor: position, pot: after, words: `${players[position]} ${verb}`,
      spent: now.spent.with(position, to), said: now.said.with(position, verb),
      folded: action === "fold" ? now.folded.with(position, true) : now.folded,
    });
  }
  turnUp(board.length - 1);
  if (!values) return steps;
  const won = players.filter((_, p) => values[p] > 0).map((name) => name);
  const best = made?.find((name, p) => name && values[p] > 0);
  const words = won.length > 0 ? `${won.join(" and ")} ${won.length > 1 ? "win" : "wins"}${showdown ? " at the showdown" : ""}${best ? `: ${best}` : ""}` : "No one wins anything";
  add({ words, over: true });
  return steps;
}

// storyOf returns the steps of a hand as lines of text: one for each round, which streets name, and one for its end.
export function storyOf(hand, streets) {
  const [start, ...steps] = stepsOf(hand);
  const lines = [{ ...start, said: [] }];
  for (const step of steps) {
    if (step.over || step.rounds > lines.at(-1).rounds) lines.push({ ...step, said: [] });
    if (step.actor !== null) lines.at(-1).said.push(step.words);
  }
  return lines.map(({ over, words, rounds, said }) => {
    if (over) return `${words}.`;
    const head = rounds === 1 ? sentence(streets[0]) : `${sentence(streets[rounds - 1])}, ${words.replace("Board: ", "")}`;
    return `${head}: ${said.join(", ") || "no bets"}.`;
  });
}

// PokerTable shows a step of a hand.
export class PokerTable {
  // By default the players are shown by position, with their names. Order has the positions
  // in another order, heads elements instead of the names by position, and totals the chips
  // won in earlier hands. Cards is how many hole cards each player has; those that are not
  // seen have their backs up. Positions are the names of the positions. Title names the hand.
  constructor(hand, { order = hand.players.map((_, p) => p), heads, totals, cards = 0, positions, title } = {}) {
    this.hand = hand;
    this.board = el("div", { class: "board-cards" });
    this.pot = el("p", { class: "pot" });
    this.words = el("p", { class: "turn", role: "status" });
    this.seats = hand.players.map((name, position) => {
      const seen = cut(hand.holes[position]).map(card);
      const bet = el("span", { class: "chips-in" });
      const behind = el("span", { class: "behind" });
      const said = el("span", { class: "said" });
      const ante = hand.blinds.every((b) => b === hand.blinds[0]);
      const blind = hand.blinds[position] > 0 && el("span", { class: "tag" }, `${ante ? "ante" : "blind"} ${number(hand.blinds[position])}`);
      const place = positions?.[position] && el("span", { class: "tag at", "data-button": positions[position] === "BTN", title: positions[position] === "BTN" ? "has the dealer button" : null }, positions[position]);
      const total = totals && totals[position] !== 0 && el("span", { class: "bet" }, `${chips(totals[position])} so far`);
      const element = el(
        "li", { class: "poker-seat" },
        heads?.[position] ?? el("div", { class: "row spread" }, el("span", { class: "person-name" }, name), blind),
        el("div", { class: "row spread" }, el("div", { class: "hole" }, seen.length > 0 ? seen : Array.from({ length: cards }, back)), heads && el("span", { class: "row" }, total, place, blind)),
        el("div", { class: "row spread" }, said, el("span", { class: "row" }, bet, behind)),
      );
      return { element, bet, behind, said };
    });
    this.element = el(
      "div",
      { class: "felt" },
      el("div", { class: "middle" }, title && el("p", { class: "hand-title" }, title), this.board, this.pot),
      el("ul", { class: "poker-seats" }, order.map((position) => this.seats[position].element)),
      this.words,
    );
  }

  draw(step) {
    const { board, made, values, stacks } = this.hand;
    const shown = board.slice(0, step.rounds).filter(Boolean);
    put(this.board, shown.length > 0 ? shown.map((cards) => el("span", { class: "street" }, cut(cards).map(card))) : el("span", { class: "no-cards" }, "no board yet"));
    this.pot.textContent = `Pot ${number(step.pot)}`;
    this.words.textContent = step.words;
    this.seats.forEach(({ element, bet, behind, said }, p) => {
      const won = step.over && values[p] > 0;
      set(element, { "data-folded": step.folded[p], "data-actor": step.actor === p, "data-won": won });
      said.textContent = step.over ? [`${chips(values[p])} chips`, made?.[p]].filter(Boolean).join(" · ") : step.said[p];
      const staked = step.over ? 0 : step.spent[p] - step.before[p];
      bet.hidden = staked === 0;
      bet.textContent = number(staked);
      set(bet, { title: "chips put in in this round" });
      behind.textContent = stacks && !step.over ? (stacks[p] > step.spent[p] ? `${number(stacks[p] - step.spent[p])} left` : "all-in") : "";
    });
  }
}
