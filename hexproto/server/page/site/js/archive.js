// Records of games and profiles of players, over HTTP. A server with accounts requires a token here too.

import { ServerError } from "./errors.js";
import { request } from "./server.js";

async function get(path, settings) {
  const reply = await request(path, settings.get("token"));
  if (reply.ok) return reply;
  const code = { 400: "refused", 403: "refused", 401: "token", 404: "not_found", 429: "rate" }[reply.status] ?? "internal";
  const retry = reply.status === 429 ? 1000 * reply.headers.get("Retry-After") : 0;
  throw new ServerError({ code, text: (await reply.text()).trim() || reply.statusText, retry });
}

// queryOf writes what is wanted of the records, without what is empty.
const queryOf = (wanted) => new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));

// listRecords returns finished games, newest first. See docs/hexproto.md for what can be
// wanted.
export async function listRecords(settings, wanted) {
  return (await get(`records/?${queryOf(wanted)}`, settings)).json();
}

// download saves a game's record in a format: "txt", "json", …
export async function download(settings, game, format) {
  await save(await get(`records/${encodeURIComponent(game)}.${format}`, settings), `${game}.${format}`);
}

// strategyAt returns what the strategy of a bot does at a point of a game.
export async function strategyAt(settings, game, bot, at, board) {
  return (await get(`strategies/${[game, bot].map(encodeURIComponent).join("/")}?${queryOf({ at, board })}`, settings)).json();
}

// strategyList returns the games and bots of all strategies.
export async function strategyList(settings) {
  return (await get("strategies/", settings)).json();
}

// report returns what a strategy says of the decisions of a player, whose token is in the
// settings, or of a seat in a game from elsewhere.
export async function report(settings, game, seat) {
  return (await get(`records/${encodeURIComponent(game)}.report?seat=${seat}`, settings)).json();
}

// downloadAll saves the records of all games that are wanted in one file: "txt", "hgf" or
// "jsonl".
export async function downloadAll(settings, wanted, format) {
  await save(await get(`records/games.${format}?${queryOf(wanted)}`, settings), `games.${format}`);
}

// profile returns a player's profile.
export async function profile(settings, name) {
  return (await get(`players/${encodeURIComponent(name)}`, settings)).json();
}

// invitation returns a private challenge, which needs no account.
export async function invitation(settings, challenge) {
  return (await get(`invitations/${encodeURIComponent(challenge)}`, settings)).json();
}

// save saves what a reply has as a file.
export async function save(reply, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await reply.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
