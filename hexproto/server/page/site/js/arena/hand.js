// A hand of poker as steps, and the table that shows one.

import { el, put, set } from "../dom.js";
import { chips, number } from "./words.js";

const SUITS = { c: ["♣", "clubs"], d: ["♦", "diamonds"], h: ["♥", "hearts"], s: ["♠", "spades"] };
const RANKS = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace" };

const cut = (text) => text.match(/../g) ?? [];

// card draws a card such as "As".
export function card(text) {
  const [rank, suit] = text;
  const [sign, name] = SUITS[suit];
  return el("span", { class: "card", "data-suit": suit, role: "img", "aria-label": `${RANKS[rank] ?? rank} of ${name}` }, (rank === "T" ? "10" : rank) + sign);
}

// stepsOf returns the steps of a hand. Each has a description, the round, the number of
// rounds whose board cards are dealt, the pot and the players' bets.
export function stepsOf(hand) {
  const { players, blinds, actions, board, showdown, values } = hand;
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
      add({ rounds: now.rounds + 1, before: now.spent, said: players.map((_, p) => (now.folded[p] ? "folded" : "")), words: cards ? `Board: ${cut(cards).map(say).join(" ")}` : "Another round" });
    }
  };
  for (const { round, position, action, to, pot: after } of actions) {
    turnUp(round);
    const raised = Math.max(...now.spent) > Math.max(...now.before);
    const verb = {
      fold: "folds",
      call: to === now.spent[position] ? "checks" : `calls ${number(to - now.spent[position])}`,
      raise: `${raised ? "raises to" : "bets"} ${number(to - now.before[position])}`,
    }[action];
    add({
      actor: position, pot: after, words: `${players[position]} ${verb}`,
      spent: now.spent.with(position, to), said: now.said.with(position, verb),
      folded: action === "fold" ? now.folded.with(position, true) : now.folded,
    });
  }
  turnUp(board.length - 1);
  const won = players.filter((_, p) => values[p] > 0).map((name) => name);
  const words = won.length > 0 ? `${won.join(" and ")} ${won.length > 1 ? "win" : "wins"}${showdown ? " at the showdown" : ""}` : "No one wins anything";
  add({ words, over: true });
  return steps;
}

// say formats a card in a text.
function say(text) {
  return text[0].replace("T", "10") + SUITS[text[1]][0];
}

// PokerTable shows a step of a hand.
export class PokerTable {
  constructor(hand) {
    this.hand = hand;
    this.board = el("div", { class: "board-cards" });
    this.pot = el("p", { class: "pot" });
    this.words = el("p", { class: "turn", role: "status" });
    this.seats = hand.players.map((name, position) => {
      const cards = cut(hand.holes[position]).map(card);
      const bet = el("span", { class: "bet" });
      const said = el("span", { class: "said" });
      const blind = hand.blinds[position] > 0 && el("span", { class: "tag" }, `${hand.blinds.every((b) => b === hand.blinds[0]) ? "ante" : "blind"} ${number(hand.blinds[position])}`);
      const element = el("li", { class: "poker-seat" }, el("div", { class: "row spread" }, el("span", { class: "person-name" }, name), blind), el("div", { class: "hole" }, cards), el("div", { class: "row spread" }, said, bet));
      return { element, bet, said };
    });
    this.element = el(
      "div",
      { class: "felt" },
      el("div", { class: "middle" }, this.board, this.pot),
      el("ul", { class: "poker-seats" }, this.seats.map(({ element }) => element)),
      this.words,
    );
  }

  draw(step) {
    const { board, values } = this.hand;
    const shown = board.slice(0, step.rounds).filter(Boolean);
    put(this.board, shown.length > 0 ? shown.map((cards) => el("span", { class: "street" }, cut(cards).map(card))) : el("span", { class: "no-cards" }, "no board yet"));
    this.pot.textContent = `Pot ${number(step.pot)}`;
    this.words.textContent = step.words;
    this.seats.forEach(({ element, bet, said }, p) => {
      const won = step.over && values[p] > 0;
      set(element, { "data-folded": step.folded[p], "data-actor": step.actor === p, "data-won": won });
      said.textContent = step.over ? `${chips(values[p])} chips` : step.said[p];
      bet.textContent = step.spent[p] > 0 ? `in: ${number(step.spent[p])}` : "";
    });
  }
}
