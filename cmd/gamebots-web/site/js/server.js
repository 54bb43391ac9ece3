// The server of the page is a part of the program, in a worker. This file takes the place of the
// one of the same name in the page of "gamebots serve".

import { button } from "./dom.js";
import { download } from "./download.js";
import { Emitter } from "./emitter.js";
import { Notices } from "./notices.js";
import { script, start } from "./program.js";
import { SIZES } from "./version.js";

export const STORE = "gamebots-play"; // a server may have its own page beside this one
export const alone = { name: "you" };

// SILENCE is that of the page of a server: a program that thinks says nothing for long, and is not lost.
export const SILENCE = Infinity;

// keeps reports whether the games of this page, and so its account, are there when it is loaded again.
export const keeps = () => !apart;
let apart = false;

// program emits "progress" and "serving", as that part of the program does.
export const program = new Emitter();

const sockets = new Map();
const replies = new Map();
let last = 0;

const handlers = {
  opened: ({ id }) => sockets.get(id)?.dispatchEvent(new Event("open")),
  message: ({ id, text }) => sockets.get(id)?.dispatchEvent(new MessageEvent("message", { data: text })),
  closed({ id }) {
    sockets.get(id)?.dispatchEvent(new Event("close"));
    sockets.delete(id);
  },
  reply({ id, status, headers, body }) {
    replies.get(id)(new Response(body, { status, headers }));
    replies.delete(id);
  },
  apart() {
    apart = true;
    new Notices(document.getElementById("notices")).show({ title: "What you play here goes with this page", text: "Another tab has the games that are kept, or this browser keeps nothing.", kind: "warn" });
  },
  failed({ text }) {
    const reload = button("Reload the page", () => location.reload());
    new Notices(document.getElementById("notices")).show({ title: "The program has stopped", text, kind: "bad", actions: [reload] });
  },
};

const { send } = start("serve", (message) => (handlers[message.kind] ?? ((m) => program.emit(m.kind, m)))(message));

// A Socket is what the page uses of a WebSocket.
class Socket extends EventTarget {
  #id = ++last;

  constructor() {
    super();
    sockets.set(this.#id, this);
    begun.then(() => send("open", { id: this.#id }));
  }

  send(text) {
    send("send", { id: this.#id, text });
  }

  close() {
    send("close", { id: this.#id });
  }
}

export const connect = () => new Socket();

export function request(path, token) {
  const id = ++last;
  return new Promise((resolve) => {
    replies.set(id, resolve);
    send("get", { id, path, token: token || "" });
  });
}

// The games whose strategies are loaded now, and with the page.
const KEPT = `${STORE}-strategies`;
const loaded = new Set();

// load loads the strategies of games, and has the server started again with them. Its games go on.
async function load(games) {
  const files = await Promise.all(games.map(async (game) => {
    const reply = await download(`strategies/${game}.strategy`, (part) => program.emit("progress", { phase: `loading ${game}`, part }));
    return { game, file: new Uint8Array(await reply.arrayBuffer()) };
  }));
  games.forEach((game) => loaded.add(game));
  const serving = new Promise((resolve) => { const off = program.on("serving", () => { off(); resolve(); }); });
  await send("strategies", { files });
  return serving;
}

// keep has the strategies that are loaded now loaded with the page.
function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify([...loaded]));
  } catch {
    // Without storage they are loaded until the page is closed.
  }
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? [];
  } catch {
    return [];
  }
}

// store has the strategies that are files of the folder: their sizes by game.
const sizes = new Map(Object.entries(SIZES).flatMap(([path, size]) => { const [, game] = /^strategies\/(.*)\.strategy$/.exec(path) ?? []; return game ? [[game, size]] : []; }));
export const store = { sizes, loaded, load, keep, program };

const begun = load(kept()).catch(() => load([]));

// From its second visit on the page needs no network.
navigator.serviceWorker?.register(script("offline.js")).catch(() => {});
