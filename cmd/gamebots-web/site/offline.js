// Serves the files of the page from what the browser keeps, so that it needs no network. VERSION and
// FILES come before this text. download.js keeps the program and the strategies when they are loaded;
// a later version of the program comes with the other files, while the one before it is in use.

addEventListener("install", (event) => event.waitUntil((async () => {
  const files = [...FILES, ...(registration.active ? ["gamebots.wasm"] : [])];
  await (await caches.open(VERSION)).addAll(files.map((path) => new Request(path, { cache: "no-store" })));
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith("gamebots-") && name !== VERSION);
  await Promise.all(old.map((name) => caches.delete(name)));
})()));

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method !== "GET" || !url.startsWith(registration.scope)) return;
  event.respondWith((async () => await (await caches.open(VERSION)).match(event.request) ?? fetch(event.request))());
});
