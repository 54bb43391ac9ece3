// The solver of spots is the server's. The page of "make web" has another file in place of this one.

import { request } from "./server.js";

// LIMIT says how long a spot is solved, at most.
export const LIMIT = "A river takes a second, a turn ten, a flop of few sizes a minute. While others wait, the server stops after ten seconds, and you can go on.";

// SERVED tells that a server solves: flops too, and it keeps what it has found until it is stopped.
export const SERVED = true;

// ask returns the answer to a request for spots: the last line of the server's, before which it tells how far it is.
export async function ask(path, { token, signal, file, progress }) {
  const reply = await request(path, token, signal, file);
  if (!reply.ok) return reply;
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
    const lines = (text + value).split("\n");
    text = lines.pop();
    if (lines.length > 0) progress({ phase: "solving", ...JSON.parse(lines.at(-1)) });
  }
  return new Response(text, reply);
}
