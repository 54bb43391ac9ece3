// Downloads of large files, which the browser keeps: with them the page needs no network. Sizes are
// those of the folder, since a server that compresses files tells others.

import { SIZES, VERSION } from "./version.js";

// Browsers have no caches on pages without TLS that come from another machine.
const cache = globalThis.caches && await caches.open(VERSION);

// download returns the answer for a file of the folder, as of a type. told is called with the part that has come,
// from 0 to 1.
export async function download(path, told, type = "application/octet-stream") {
  const url = new URL(`../${path}`, import.meta.url).href;
  let reply = await cache?.match(url);
  if (!reply) {
    reply = await fetch(url, cache && { cache: "no-store" });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${reply.statusText}`);
    cache?.put(url, reply.clone()).catch(() => {}); // there may be no room
  }
  let size = 0;
  const count = new TransformStream({
    transform(part, out) {
      size += part.length;
      told(size / SIZES[path]);
      out.enqueue(part);
    },
  });
  return new Response(reply.body.pipeThrough(count), { headers: { "Content-Type": type } });
}
