// Numbers and names of the arena, formatted for people.

import { el } from "../dom.js";

// number formats a number with some decimals, with a sign if asked and a minus that is no hyphen.
export function number(value, digits = 0, sign = false) {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: sign ? "exceptZero" : "auto" }).replace("-", "−");
}

// short formats a number for an axis.
export function short(value) {
  return value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 2 });
}

// mean formats a mean: the share of points for board games, a rate for poker.
export function mean(kind, value) {
  return kind === "board" ? number(value, 3) : number(value, 1, true);
}

export function interval(kind, value) {
  return value === null ? "" : `± ${number(value, kind === "board" ? 3 : 1)}`;
}

export function chips(value) {
  return number(value, Number.isInteger(value) ? 0 : 2, true);
}

// action formats the name of an action of poker: "raise to 1,200".
export function action(name) {
  return name.replace(/\d+/g, (amount) => number(Number(amount)));
}

// done says that somebody did it: "raises to 1,200".
export function done(name) {
  return action(name).replace(/^\w+/, "$&s");
}

// sentence begins a text with a capital letter.
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// state formats the progress of a run.
export function state(run) {
  return `${Math.floor((100 * run.stored) / Math.max(1, run.shards))}%`;
}

// bar draws the progress of a run.
export function bar(run) {
  return el("progress", { max: Math.max(1, run.shards), value: run.stored, "aria-label": `${run.stored} of ${run.shards} parts are played` });
}

export function replayOf(run, shard, index) {
  return `#/replay/${[run, shard, index].map(encodeURIComponent).join("/")}`;
}
