// The hands of a decision: a grid of their classes and a list, which can be sorted and filtered.

import { button, el, field, put, set, svg } from "../dom.js";
import { number } from "../words.js";
import { classOf, Range } from "./ranges.js";

export const percent = (part) => `${number(100 * part)}%`;

// colours returns the class of each action's colour: folds, calls, and raises by size.
export function colours(actions) {
  const raises = actions.filter(({ action }) => action[0] === "r");
  return actions.map((a) => `action-${{ f: 0, c: 1 }[a.action] ?? Math.min(5, 2 + raises.indexOf(a))}`);
}

export const swatch = (colour) => el("span", { class: `swatch ${colour}`, "aria-hidden": "true" });

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

// valueOf returns what a hand wins in the mean, undefined if that is not known.
const valueOf = ({ values, probabilities }) => values?.reduce((sum, value, i) => sum + value * probabilities[i], 0);

const MOST = 200; // hands of a list

// VIEWS are what the cells of the grid show, and how that is formatted.
const VIEWS = {
  actions: ["Actions"],
  value: ["EV", (x) => number(x, Math.abs(x) < 100 ? 1 : 0)],
  equity: ["Equity", (x) => number(100 * x)],
};
let view = "actions"; // as it was chosen last

// hands shows the hands of a node with a grid.
export function hands({ actions, hands: groups, grid: { ranks, cells } }) {
  const colour = colours(actions);
  const rows = groups.flatMap((group) => group.cards.map((cards) => ({ ...group, cards, name: classOf(cards), value: valueOf(group), equity: group.values && group.equity })));
  const means = new Map(Object.entries(Object.groupBy(rows, ({ name }) => name)).map(([name, all]) => [name, Object.fromEntries(["value", "equity"].map((key) => {
    const known = all.filter((row) => row[key] !== undefined);
    const weight = known.reduce((sum, { reach }) => sum + reach, 0);
    return [key, weight > 0 ? known.reduce((sum, row) => sum + row.reach * row[key], 0) / weight : undefined];
  }))]));
  const known = Object.keys(VIEWS).filter((key) => key === "actions" || rows.some((row) => row[key] !== undefined));
  const filter = el("input", { autocomplete: "off", spellcheck: "false", placeholder: "all", oninput: () => draw() });
  const list = el("div", { class: "scrolls", role: "group", "aria-label": "hands", tabindex: 0 });
  const squares = el("div", { class: "hand-grid", role: "list", "aria-label": "hands by class", "data-ranks": ranks });
  const views = known.map((key) => button(VIEWS[key][0], () => { view = key; draw(); }));

  const fits = (row) => {
    const text = filter.value.trim();
    if (/^[shdc]{2}$/.test(text)) return [text, text[1] + text[0]].includes(row.cards[1] + row.cards[3]); // suits
    try {
      return !text || new Range(text).weight(row.cards) > 0;
    } catch {
      return row.cards.toLowerCase().includes(text.toLowerCase());
    }
  };
  const draw = () => {
    const shown = known.includes(view) ? view : "actions";
    views.forEach((b, i) => set(b, { "aria-pressed": String(known[i] === shown) }));
    const most = Math.max(...[...means.values()].map((mean) => mean[shown] ?? 0));
    put(squares, cells.map(({ class: name, reach, probabilities }) => {
      const mean = means.get(name) ?? {};
      const values = known.slice(1).filter((key) => mean[key] !== undefined).map((key) => `${VIEWS[key][0]} ${VIEWS[key][1](mean[key])}${key === "equity" ? "%" : ""}`);
      const words = probabilities ? [`${name}: ${wordsOf(actions, probabilities)}`, `${percent(reach)} come here`, ...values].join("; ") : `${name}: none`;
      const text = shown === "actions" || mean[shown] === undefined ? "" : VIEWS[shown][1](mean[shown]);
      const cell = el(
        "div", { role: "listitem", title: words, "aria-label": words, "data-chosen": filter.value === name, onclick: () => { filter.value = filter.value === name ? "" : name; draw(); } },
        el("span", { "aria-hidden": "true" }, name), shown === "actions" ? bar(probabilities, reach, colour) : el("b", { "aria-hidden": "true" }, text),
      );
      if (text) cell.style.setProperty("--part", Math.max(0, mean[shown] / most));
      return cell;
    }));
    put(list, table({ hands: rows.filter(fits), actions }, known.includes("equity")));
  };
  draw();
  return [
    el("div", { class: "row", role: "group", "aria-label": "in the grid" }, known.length > 1 && views),
    el("div", { class: "hands" }, squares, el("section", { class: "panel stack", "aria-label": "hand by hand" }, field("Hands", filter, "Such as AK, TT+ or hh; a cell of the grid does the same."), list)),
  ];
}

// table lists hands; its heads sort it.
export function table({ hands: all, actions }, equities, nameOf = ({ cards }) => cards) {
  const colour = colours(actions);
  const valued = all.some(({ values }) => values);
  const columns = [
    { head: ["Hand"], key: nameOf, cell: nameOf },
    all[0]?.board && { head: ["Board"], key: ({ board }) => board, cell: ({ board }) => board },
    { head: ["Comes here"], key: ({ reach }) => reach, cell: ({ reach }) => percent(reach) },
    equities && { head: ["Equity"], key: ({ equity }) => equity, cell: ({ equity }) => (equity === undefined ? "–" : percent(equity)) },
    equities && { head: ["EV"], key: ({ value }) => value, cell: ({ value }) => (value === undefined ? "–" : number(value, 2)) },
    ...actions.map(({ name }, i) => ({
      head: [swatch(colour[i]), name], key: ({ probabilities }) => probabilities[i],
      cell: ({ probabilities, values }) => [percent(probabilities[i]), valued && values && el("small", {}, ` ${number(values[i], 2, !equities)}`)],
    })),
  ].filter(Boolean);
  const body = el("tbody");
  const heads = columns.map(({ head, key }, at) => el("th", {}, button("", () => sort(at, key), { class: "quiet" })));
  heads.forEach((th, i) => th.firstChild.append(...columns[i].head));
  const fill = (rows) => put(body, rows.slice(0, MOST).map((row) => el("tr", {}, columns.map(({ cell }, i) => el(i ? "td" : "th", i ? {} : { scope: "row" }, cell(row))))));
  const sort = (at, key) => {
    const down = heads[at].ariaSort !== "descending";
    heads.forEach((th, i) => set(th, { "aria-sort": i === at && (down ? "descending" : "ascending") }));
    fill(all.toSorted((a, b) => (key(a) < key(b) || key(a) === undefined ? 1 : key(a) > key(b) || key(b) === undefined ? -1 : 0) * (down ? 1 : -1)));
  };
  fill(all);
  return [
    el("table", { class: "decision" }, el("thead", {}, el("tr", {}, heads)), body),
    valued && el("p", {}, el("small", {}, "Beside each probability is what the action wins, in chips, if all go on by the strategy.")), all.length > MOST && el("p", {}, `and ${all.length - MOST} more`),
  ];
}
