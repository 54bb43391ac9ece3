// The runs of the arena, over HTTP. A server with accounts requires a token here too.

import { ServerError } from "../errors.js";
import { request as send } from "../server.js";

const RETRY_DELAY = 2000; // ms after a failed request

// request returns the server's answer, or null if there is nothing new.
export async function request(settings, what, query = {}, options = {}) {
  const reply = await send(`arena/${what}?${new URLSearchParams(query)}`, settings.get("token"), options);
  if (reply.status === 204) return null;
  if (reply.ok) return reply.json();
  const text = await reply.text();
  let told = { error: text.trim() || reply.statusText };
  try {
    told = JSON.parse(text);
  } catch {
    // not an answer of the arena
  }
  const code = { 401: "token", 403: "refused", 404: "arena" }[reply.status] ?? "arena";
  throw Object.assign(new ServerError({ code, text: told.error }), { hint: told.hint });
}

// follow calls draw with the present data and after each change. On an error it calls
// fail and tries again. It returns a function that ends it.
export function follow(settings, what, query, draw, fail) {
  const end = new AbortController();
  const { signal } = end;
  (async () => {
    let seen = "";
    while (!signal.aborted) {
      try {
        const got = await request(settings, what, { ...query, seen }, { signal });
        if (got && !signal.aborted) {
          seen = got.version;
          draw(got);
        }
      } catch (error) {
        if (signal.aborted) return;
        fail(error);
        await new Promise((go) => setTimeout(go, RETRY_DELAY));
      }
    }
  })();
  return () => end.abort();
}

// hasArena returns whether this server shows an arena.
export async function hasArena(settings) {
  try {
    return (await request(settings, "runs"))?.runs !== null;
  } catch {
    return false;
  }
}
