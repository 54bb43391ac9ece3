// What a bot's strategy does, decision by decision: the actions lead on, and the path leads
// back. Hold'em is a grid of the classes of hands, other games are a table.

import { strategyAt } from "../archive.js";
import { card, cut } from "../cards.js";
import { el, field, put, svg } from "../dom.js";
import { number, sentence } from "../words.js";

const percent = (part) => `${number(100 * part)}%`;

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
  const ofBoard = node.board && boardForm(node, (cards) => { location.hash = addressOf(game, bot, at, cards); });
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
      ].filter(Boolean).join(" · ")), node.board && el("div", { class: "hole" }, cut(node.board.replaceAll("/", "")).map(card))),
      el("div", { class: "row", role: "group", "aria-label": "actions" }, node.actions.map((action, i) => {
        const words = [swatch(colour[i]), `${action.name} ${percent(action.frequency)}`];
        return action.over ? el("span", { class: "button ends" }, words) : el("a", { class: "button", href: to(action.betting) }, words);
      })),
      more,
    ),
    node.grid ? [grid(node), el("details", {}, el("summary", {}, "Ranges"), ranges(node)), el("details", {}, el("summary", {}, "Hand by hand"), table(node))] : table(node),
  ];
}

// ranges lists the hands with which each player comes here.
function ranges({ players }) {
  return el("dl", { class: "panel ranges" }, players.map(({ name, range, spent, folded }) => !folded && [
    el("dt", {}, `${sentence(name)}, ${number(spent)} in the pot`), el("dd", {}, range || "no hand"),
  ]));
}

// path links to the decisions that lead to this one.
function path({ path: steps, betting: here }, to) {
  return el("nav", { class: "row path", "aria-label": "betting" }, el("a", { href: to("") }, "start"), steps.map(({ name, betting }) => (
    betting === here ? el("span", { "aria-current": "page" }, name) : el("a", { href: to(betting) }, name))));
}

// colours returns the class of each action's colour: folds, calls, and raises by size.
function colours(actions) {
  const raises = actions.filter(({ action }) => action[0] === "r");
  return actions.map((a) => `action-${{ f: 0, c: 1 }[a.action] ?? Math.min(5, 2 + raises.indexOf(a))}`);
}

const swatch = (colour) => el("span", { class: `swatch ${colour}`, "aria-hidden": "true" });

// boardForm asks for other cards of the board.
function boardForm({ board }, go) {
  const input = el("input", { value: board, maxlength: 20, autocomplete: "off", spellcheck: "false", pattern: "[2-9TJQKAtjqkacdhs \\/]*" });
  return el("form", { class: "row", onsubmit: (event) => { event.preventDefault(); go(input.value.trim()); } }, field("Board", input), el("button", {}, "Show"));
}

// bar draws how often each action is taken, as far as the hands come here.
function bar(probabilities, reach, colour) {
  let x = 0;
  const part = (share, i) => {
    const width = 100 * reach * share;
    const at = x;
    x += width;
    return svg("rect", { class: colour[i], x: at, y: 0, width, height: 10 });
  };
  return svg("svg", { class: "shares", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, (probabilities ?? []).map(part));
}

const wordsOf = (actions, probabilities) => (probabilities ?? []).map((share, i) => `${actions[i].name} ${percent(share)}`).join(", ");

function grid({ grid: { ranks, cells }, actions }) {
  const colour = colours(actions);
  return el("div", { class: "hand-grid", role: "list", "aria-label": "hands", "data-ranks": ranks }, cells.map(({ class: name, reach, probabilities }) => {
    const words = probabilities ? `${name}: ${wordsOf(actions, probabilities)}; ${percent(reach)} come here` : `${name}: none`;
    return el("div", { role: "listitem", title: words, "aria-label": words }, el("span", { "aria-hidden": "true" }, name), bar(probabilities, reach, colour));
  }));
}

// handOf names the hands of a row of a list: "A" if it has all aces of a game with one hole card.
function handOf({ cards, board }, hands) {
  const [rank] = cards[0];
  const ofRank = (text) => text.length === 2 && text[0] === rank;
  if (cards.every(ofRank) && hands.filter((h) => h.board === board && h.cards.some(ofRank)).length === 1) return rank;
  return cards.length > 3 ? `${cards[0]} … ${cards.at(-1)}` : cards.join(" ");
}

const MOST = 200; // hands of a table

function table({ hands, actions }) {
  const colour = colours(actions);
  const valued = hands.some(({ values }) => values);
  return el("section", { class: "panel stack", "aria-label": "hands" }, el("div", { class: "scrolls", role: "group", "aria-label": "hands", tabindex: 0 }, el(
    "table",
    { class: "decision" },
    el("thead", {}, el("tr", {}, el("th", {}, "Hand"), hands[0]?.board && el("th", {}, "Board"), el("th", {}, "Comes here"), actions.map(({ name }, i) => el("th", {}, swatch(colour[i]), name)))),
    el("tbody", {}, hands.slice(0, MOST).map(({ cards, board, reach, probabilities, values }) => el(
      "tr", {}, el("th", { scope: "row" }, handOf({ cards, board }, hands)), board && el("td", {}, board), el("td", {}, percent(reach)),
      actions.map((_, i) => el("td", {}, percent(probabilities[i]), valued && values && el("small", {}, ` ${number(values[i], 2, true)}`))),
    ))),
  )), valued && el("p", {}, el("small", {}, "Beside each probability is what the action wins, in chips, if all go on by the strategy.")), hands.length > MOST && el("p", {}, `and ${hands.length - MOST} more`));
}
