// Numbers and names of the arena, as people read them.

import { el } from "../dom.js";

// number writes a number with at most some digits after the point, and a sign
// where it is wanted.
export function number(value, digits = 0, sign = false) {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: sign ? "exceptZero" : "auto" });
}

// short writes a number for an axis.
export function short(value) {
  return value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 2 });
}

// mean writes a mean of a run: of boards a share, of poker a rate.
export function mean(kind, value) {
  return kind === "board" ? number(value, 3) : number(value, 1, true);
}

export function interval(kind, value) {
  return value === null ? "" : `± ${number(value, kind === "board" ? 3 : 1)}`;
}

export function chips(value) {
  return number(value, Number.isInteger(value) ? 0 : 2, true);
}

// when writes a time, of today without its date.
export function when(time) {
  const at = new Date(time);
  const day = at.toDateString() === new Date().toDateString() ? "" : `${at.toLocaleDateString()} `;
  return `${day}${at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}`;
}

// state says how far a run is.
export function state(run) {
  if (run.ended) return "over";
  return `${Math.floor((100 * run.stored) / Math.max(1, run.shards))}%`;
}

// bar shows how far a run is.
export function bar(run) {
  return el("progress", { max: Math.max(1, run.shards), value: run.stored, "aria-label": `${run.stored} of ${run.shards} parts are played` });
}

export function replayOf(run, shard, index) {
  return `#/replay/${[run, shard, index].map(encodeURIComponent).join("/")}`;
}
