// The solver of spots is a part of the program, in a worker of its own: games go on, and it ends at once.

import { start } from "./program.js";

export const LIMIT = "Solved in this browser: a river takes a second or two, a turn half a minute or more. Flops take gamebots serve, or gamebots solve poker.";

export const SERVED = false;

let worker = null;
let last = 0;
const waiting = new Map(); // requests by id

// heard hands on what the program says: a reply, how far it is, or that it failed.
function heard({ kind, id, status, body, text, ...news }) {
  if (kind === "reply") waiting.get(id)?.resolve(new Response(body, { status }));
  if (kind === "progress") waiting.forEach(({ progress }) => progress({ text, ...news }));
  if (kind !== "failed") return;
  waiting.forEach(({ reject }) => reject(new Error(text)));
  worker?.end();
  worker = null;
}

// ask returns the answer to a request for spots.
export async function ask(path, { signal, progress }) {
  const id = ++last;
  worker ??= start("solve", heard);
  try {
    return await new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject, progress });
      signal.addEventListener("abort", () => waiting.has(id) && heard({ kind: "failed", text: "stopped" }));
      worker.send("get", { id, path });
    });
  } finally {
    waiting.delete(id);
  }
}
