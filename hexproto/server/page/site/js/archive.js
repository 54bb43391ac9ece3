// Records of games, over HTTP. A server with accounts requires a token here too.

import { ServerError } from "./errors.js";

async function get(path, settings) {
  const token = settings.get("token");
  const reply = await fetch(path, { headers: token ? { Authorization: `Bearer ${token}` } : {} });
  if (reply.ok) return reply;
  const code = reply.status === 401 ? "token" : reply.status === 404 ? "not_found" : "internal";
  throw new ServerError({ code, text: (await reply.text()).trim() || reply.statusText });
}

// listRecords returns finished games, newest first: {player, rules, before}.
export async function listRecords(settings, wanted) {
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
  return (await get(`records/?${query}`, settings)).json();
}

// download saves a game's record in a format: "txt", "json", …
export async function download(settings, game, format) {
  const reply = await get(`records/${encodeURIComponent(game)}.${format}`, settings);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await reply.blob());
  link.download = `${game}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
