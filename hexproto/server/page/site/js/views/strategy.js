// What a bot's strategy does, decision by decision: the actions lead on, and the path leads
// back. Hold'em is a grid of the classes of hands, other games are a table.

import { strategyAt } from "../archive.js";
import { card, cut, short } from "../cards.js";
import { el, field, put } from "../dom.js";
import { colours, hands, percent, swatch, table } from "../study/hands.js";
import { Range } from "../study/ranges.js";
import { addressOf as spotAt, DEFAULTS } from "../study/settings.js";
import { number, sentence } from "../words.js";

const addressOf = (game, bot, at, board) => `#/strategy/${[game, bot, at, board].map(encodeURIComponent).join("/")}`;

export const strategy = {
  path: "strategy",
  title: "Strategy",

  open(app, place, [game, bot, at = "", board = ""]) {
    strategyAt(app.settings, game, bot, at, board).then((node) => show(app, place, { game, bot, at, board }, node), (error) => put(place, el(
      "div", { class: "narrow stack" }, el("h1", {}, `The strategy of ${bot}`),
      el("div", { class: "notice bad" }, el("strong", {}, error.message), el("a", { class: "button", href: addressOf(game, bot, "", "") }, "To the first decision")),
    )));
  },
};

function show({ session }, place, { game, bot, at }, node) {
  const to = (betting) => addressOf(game, bot, betting, node.board);
  const ofBoard = node.board && [spotLink(node), boardForm(node, (cards) => { location.hash = addressOf(game, bot, at, cards); })];
  put(place, el(
    "div", { class: "stack" },
    el("div", {}, el("h1", {}, `The strategy of ${bot}`), el("p", { class: "lead" }, session.rules(game)?.title ?? game)),
    decision(node, to, ofBoard),
  ));
}

// decision shows what is done at a node: the function to returns the address of a betting, and more
// is a form or nothing.
export function decision(node, to, more) {
  const colour = colours(node.actions);
  return [
    path(node, to),
    el(
      "section",
      { class: "panel stack", "aria-label": "decision" },
      el("div", { class: "row spread" }, el("p", {}, [
        `${sentence(node.players[node.position - 1].name)} acts, ${node.street}`, `pot ${number(node.pot)}`, node.to_call > 0 && `${number(node.to_call)} to call`,
        node.frequency != null && `${percent(node.frequency)} of the hands come here`,
      ].filter(Boolean).join(" · ")), node.board && el("div", { class: "cards" }, cut(node.board.replaceAll("/", "")).map(card))),
      el("div", { class: "row", role: "group", "aria-label": "actions" }, node.actions.map((action, i) => {
        const words = [swatch(colour[i]), `${action.name} ${percent(action.frequency)}`];
        return action.over ? el("span", { class: "button ends" }, words) : el("a", { class: "button", href: to(action.betting) }, words);
      })),
      more,
    ),
    node.grid ? [hands(node), el("details", {}, el("summary", {}, "Ranges"), ranges(node))]
      : el("section", { class: "panel stack", "aria-label": "hands" }, el("div", { class: "scrolls", role: "group", "aria-label": "hands", tabindex: 0 }, table(node, false, (row) => handOf(row, node.hands)))),
  ];
}

// spotLink leads to the spot that begins at a node, if one does: there two players are left in no-limit hold'em.
function spotLink({ betting, board, round, position, players, pot }) {
  const left = players.filter(({ folded }) => !folded);
  if (!betting.endsWith("/") || left.length !== 2 || !left.every(({ stack, range }) => stack && range)) return null;
  const first = players[position - 1];
  const textOf = ({ range }) => (round === 2 ? new Range(range).whole() : new Range(range)).toString();
  return el("a", {
    class: "button",
    href: spotAt({
      ...DEFAULTS, "spot.board": board.replaceAll("/", ""), "spot.pot": String(pot), "spot.stack": String(Math.min(...left.map(({ stack }) => stack))),
      "ranges.oop": textOf(first), "ranges.ip": textOf(left.find((player) => player !== first)),
    }),
  }, "A spot of these ranges");
}

// ranges lists the hands with which each player comes here.
function ranges({ players }) {
  return el("dl", { class: "panel ranges" }, players.map(({ name, range, spent, folded }) => !folded && [
    el("dt", {}, `${sentence(name)}, ${number(spent)} in the pot`), el("dd", {}, range || "no hand"),
  ]));
}

const stepName = (name) => (/^[2-9TJQKA][cdhs]$/.test(name) ? short(name) : name);

// path links to the decisions that lead to this one.
export function path({ path: steps, betting: here }, to) {
  return el("nav", { class: "row path", "aria-label": "betting" }, el("a", { href: to("") }, "start"), steps.map(({ name, betting }) => (
    betting === here ? el("span", { "aria-current": "page" }, stepName(name)) : el("a", { href: to(betting) }, stepName(name)))));
}

// boardForm asks for other cards of the board.
function boardForm({ board }, go) {
  const input = el("input", { value: board, maxlength: 20, autocomplete: "off", spellcheck: "false", pattern: "[2-9TJQKAtjqkacdhs \\/]*" });
  return el("form", { class: "row", onsubmit: (event) => { event.preventDefault(); go(input.value.trim()); } }, field("Board", input), el("button", {}, "Show"));
}

// handOf names the hands of a row of a list: "A" if it has all aces of a game with one hole card.
function handOf({ cards, board }, hands) {
  const [rank] = cards[0];
  const ofRank = (text) => text.length === 2 && text[0] === rank;
  if (cards.every(ofRank) && hands.filter((h) => h.board === board && h.cards.some(ofRank)).length === 1) return rank;
  return cards.length > 3 ? `${cards[0]} … ${cards.at(-1)}` : cards.join(" ");
}
