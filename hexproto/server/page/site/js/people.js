// People, bots, and games in words.

import { number } from "./words.js";
import { el } from "./dom.js";

// profileOf is the address of a player's profile.
export const profileOf = (name) => `#/player/${encodeURIComponent(name)}`;

// person shows a player's name, as a link to the profile, with rating and kind.
export function person({ name, bot, ...rated }, attributes = {}) {
  return el(
    "span",
    { class: "person", ...attributes },
    el("a", { class: "person-name", href: profileOf(name) }, name),
    bot && el("span", { class: "tag" }, "bot"),
    rated.rating ? el("span", { class: "rating", title: rangeOf(rated) }, ratingOf(rated)) : null,
  );
}

// nameAt names the player of a seat. A bot in several seats is told apart by a number.
export function nameAt(seats, seat) {
  const { name } = seats[seat];
  const same = seats.filter((player) => player.name === name);
  return same.length > 1 ? `${name} ${same.indexOf(seats[seat]) + 1}` : name;
}

// ratingOf formats a rating, with a question mark while it is provisional, and with the
// change by a game.
export function ratingOf({ rating, provisional, change }) {
  return `${rating}${provisional ? "?" : ""}${change ? ` (${change > 0 ? "+" : "−"}${Math.abs(change)})` : ""}`;
}

// rangeOf says how sure a rating is.
export function rangeOf({ rating, deviation, provisional }) {
  if (!deviation) return "rating";
  return `rating${provisional ? ", provisional" : ""}: with 95 % from ${rating - 2 * deviation} to ${rating + 2 * deviation}`;
}

const NAMES = { misere: "misère", max_take: "at most", buy_in: "stacks kept, buy-in" }; // names of options whose key is another
const LONGEST = 40; // characters of an option; some hold whole games

// optionsOf formats the options of a game that are set: "side 8".
export function optionsOf(options) {
  return Object.entries(options ?? {})
    .map(([key, value]) => {
      const name = NAMES[key] ?? key.replaceAll("_", " ");
      if (value === true) return name;
      if (value === false || value === 0 || value === "") return "";
      const text = Array.isArray(value) ? value.join(" ") : String(value);
      return `${name} ${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}`;
    })
    .filter(Boolean)
    .join(", ");
}

const WAYS = {
  ring: "with a ring", bridge: "with a bridge", fork: "with a fork", last: "by the last stick",
  resign: "by resignation", time: "on time", payoff: "by payoffs",
};

// kindOf formats a kind of game for which players have a rating: "Havannah, side 8".
export function kindOf(session, kind) {
  if (session.rules(kind)) return session.rules(kind).title;
  const [, name, side] = /^(.*?)(?:-(\d+))?$/.exec(kind);
  return `${session.rules(name)?.title ?? name}${side ? `, side ${side}` : ""}`;
}

// resultOf formats how a game ended, "" for a running one. Whether Nim was misère is in
// its options or its board. A player of the game is told so.
export function resultOf(game) {
  const { result, seats, names = [], you } = game;
  if (!result) return "";
  const { winner, how, reason, score } = result;
  if (game.record && how === "abort") return "The record ends here";
  if (how === "abort") return reason ? `Aborted, does not count: ${reason}` : "The game was aborted and does not count";
  if (winner < 0) return how === "agreement" ? "A draw by agreement" : how === "full" ? "A draw: the board is full" : how === "chips" ? "A draw: nobody has most chips" : `A draw (${how})`;
  const way = wayOf(game);
  if (you === winner) return `You won${way}`;
  const won = `${nameAt(seats, winner)}${names[winner] && how !== "chips" ? ` (${names[winner]})` : ""} ${seats[winner].name === "you" ? "win" : "wins"}${way}`;
  if (!(you >= 0)) return won;
  if (seats.length === 2) return `You lost: ${won}`;
  return `${won}; you ${score[you] < 0 ? "lost" : "won"} ${number(Math.abs(score[you]))}`;
}

// wayOf says by what a game was won.
function wayOf({ result: { winner, how, score }, seats, options, board }) {
  if (how === "chips") return ` ${score[winner] > 0 ? "" : "with "}${number(score[winner])} chip${Math.abs(score[winner]) === 1 ? "" : "s"}`; // who left may have won more
  if (how === "last" && (options ?? board)?.misere) return `: ${seats[1 - winner].name} took the last stick`;
  const payoffs = how === "payoff" ? `, ${number(score[winner])} to ${number(score[1 - winner])}` : "";
  return ` ${WAYS[how] ?? how.split("+").map((h) => WAYS[h] ?? h).join(" and ")}${payoffs}`;
}

// outcomeOf returns what a finished game was for a player: "won", "lost", "drawn"
// or "aborted". Of a game of others, or a running one, it returns "", unless it was aborted.
export function outcomeOf({ result, seats }, player) {
  if (!result) return "";
  if (result.how === "abort") return "aborted";
  const is = ({ name }) => name.toLowerCase() === player.toLowerCase();
  if (!seats.some(is)) return "";
  return result.winner < 0 ? "drawn" : is(seats[result.winner]) ? "won" : "lost";
}
