// The connection to the server, as docs/hexproto.md describes it: one websocket
// that comes back by itself. After it came back, whoever watches something asks
// for its full state again; there is no other way to catch up.

import { Emitter } from "./emitter.js";
import { ServerError, disconnected } from "./errors.js";

const VERSION = 1;
const PING_EVERY = 10_000; // ms
const SILENCE = 25_000; // ms without any message after which a connection is dead
const CLOCK_SAMPLES = 8;

// A Session emits every message of the server by its type, and
//   status   when its status changed
export class Session extends Emitter {
  // status is "connecting", "open", "lost" (and it will be tried again), "out"
  // (nobody is signed in) or "refused" (see problem).
  status = "out";
  problem = null;
  welcome = null;

  #url;
  #socket = null;
  #credentials = null; // {token} or {name}
  #pending = new Map();
  #nextId = 1;
  #tries = 0;
  #retry = 0; // the timer
  #wait = 0; // what a restarting server asked for, ms
  #heard = 0;
  #samples = []; // [round trip, offset] of the last pings

  constructor(url) {
    super();
    this.#url = url;
    setInterval(() => this.#beat(), PING_EVERY);
    addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) return;
      this.retry();
      this.#beat();
    });
  }

  // enter signs in, with the token of an account or a name for a new one.
  enter(credentials) {
    this.#credentials = credentials;
    this.#tries = 0;
    this.#connect();
  }

  // retry tries again now, where the connection is lost.
  retry() {
    if (this.status === "lost") this.#again(0);
  }

  // leave closes the connection for good.
  leave() {
    this.#credentials = null;
    this.#drop();
    this.welcome = null;
    this.#become("out");
  }

  get you() {
    return this.welcome?.you ?? null;
  }

  // rules returns what the server said of a game, by its name.
  rules(name) {
    return this.welcome?.rules.find((rules) => rules.name === name) ?? null;
  }

  // now is the server's time in Unix milliseconds.
  now() {
    return Date.now() + this.drift;
  }

  // drift is how far the server's clock is ahead, in ms, by the ping that was
  // answered fastest.
  get drift() {
    return this.#samples.reduce((best, s) => (best && best[0] <= s[0] ? best : s), null)?.[1] ?? 0;
  }

  // latency is how long the last ping took to come back, in ms.
  get latency() {
    return this.#samples.at(-1)?.[0] ?? null;
  }

  // ask sends a message and returns a promise of its acknowledgement. It is
  // rejected with a ServerError, also when the connection is lost before.
  ask(type, fields = {}) {
    if (this.status !== "open") return Promise.reject(disconnected());
    return this.#request(type, fields);
  }

  #request(type, fields) {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ type, id, ...fields });
    });
  }

  // tell sends a message whose answer is of no interest.
  tell(type, fields = {}) {
    this.ask(type, fields).catch((error) => this.emit("problem", error));
  }

  #send(message) {
    this.#socket.send(JSON.stringify(message));
  }

  #become(status, problem = null) {
    this.status = status;
    this.problem = problem;
    this.emit("status", status);
  }

  #connect() {
    this.#drop();
    this.#become("connecting", this.problem);
    const socket = (this.#socket = new WebSocket(this.#url));
    const mine = (handle) => (event) => socket === this.#socket && handle(event);
    socket.addEventListener("open", mine(() => this.#hello()));
    socket.addEventListener("message", mine((event) => this.#receive(event.data)));
    socket.addEventListener("close", mine(() => this.#lost()));
  }

  #drop() {
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    for (const { reject } of this.#pending.values()) reject(disconnected());
    this.#pending.clear();
  }

  async #hello() {
    this.#heard = Date.now();
    try {
      const hello = { version: VERSION, views: true, agent: "gamebots page", ...this.#credentials };
      this.welcome = await this.#request("hello", hello);
    } catch (error) {
      if (error.code === "disconnected") return; // #lost sees to it
      this.#drop();
      if (error.retry) return this.#again(error.retry);
      this.welcome = null;
      this.#become("refused", error);
      return;
    }
    const { token, now } = this.welcome;
    if (token) this.#credentials = { token };
    this.#tries = 0;
    this.#wait = 0;
    this.#samples = [[Infinity, now - Date.now()]];
    this.#become("open");
    this.emit("welcome", this.welcome);
    this.#beat();
  }

  #receive(frame) {
    this.#heard = Date.now();
    const message = JSON.parse(frame);
    const { type, id } = message;
    const waiting = this.#pending.get(id);
    if (waiting) {
      this.#pending.delete(id);
      if (type === "error") waiting.reject(new ServerError(message));
      else waiting.resolve(message);
    }
    if (type === "pong") this.#pong(message);
    if (type === "restart") this.#wait = message.retry;
    if (type === "error" && !waiting) this.emit("problem", new ServerError(message));
    else if (type !== "error" && type !== "welcome") this.emit(type, message);
  }

  #pong({ at, now }) {
    const trip = Date.now() - at;
    this.#samples = [...this.#samples, [trip, now + trip / 2 - Date.now()]].slice(-CLOCK_SAMPLES);
    this.emit("latency", trip);
  }

  // beat asks for a sign of life, and gives up a connection that shows none.
  #beat() {
    if (this.status !== "open") return;
    if (Date.now() - this.#heard > SILENCE) this.#lost();
    else this.#send({ type: "ping", at: Date.now() });
  }

  #lost() {
    if (!this.#credentials) return;
    this.#drop();
    // At first at once, as most servers that go come back soon; then slower,
    // and never all clients at the same time.
    const slowest = Math.min(5000, 100 * 2 ** this.#tries++);
    const after = Math.max(this.#wait, slowest * (0.5 + Math.random() / 2));
    this.#wait = 0;
    this.#again(after);
  }

  #again(after) {
    this.#become("lost");
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(), after);
  }
}
