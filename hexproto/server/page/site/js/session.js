// The connection to the server, as docs/hexproto.md describes it: a websocket that
// reconnects by itself. After that, views request the full state of what they show;
// there is no other way to catch up.

import { Emitter } from "./emitter.js";
import { ServerError, disconnected } from "./errors.js";
import { connect, SILENCE } from "./server.js";

const VERSION = 1;
const PING_EVERY = 10_000; // ms
const CLOCK_SAMPLES = 8;

// A Session emits every message of the server by its type, and
//   status   when its status changed
export class Session extends Emitter {
  // status is "connecting", "open", "lost" (the session tries again), "out" (not
  // signed in) or "refused" (see problem).
  status = "out";
  problem = null;
  welcome = null;
  connections = 1; // connections of the account: pages and programs with its token

  #socket = null;
  #credentials = null; // {token} or {name}
  #pending = new Map();
  #nextId = 1;
  #tries = 0;
  #retry = 0; // the timer
  #wait = 0; // ms that a restarting server asked to wait
  heard = 0; // when the last message came
  #samples = []; // [round trip, offset] of the last pings

  constructor() {
    super();
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

  // retry tries again now if the connection is lost.
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

  // token is that of the account, "" while there is none.
  get token() {
    return this.#credentials?.token ?? "";
  }

  get you() {
    return this.welcome?.you ?? null;
  }

  // rules returns the server's description of rules by their name.
  rules(name) {
    return this.welcome?.rules.find((rules) => rules.name === name) ?? null;
  }

  // serves reports whether a player is a bot of the server.
  serves(name) {
    return this.welcome.rules.some(({ bots }) => bots.includes(name));
  }

  // howIgnored returns how the player ignores another: "mute", "block", or "".
  howIgnored(name) {
    const { muted = [], blocked = [] } = this.welcome;
    return blocked.includes(name) ? "block" : muted.includes(name) ? "mute" : "";
  }

  // contested reports whether players meet in a running game who are no bots of the server: it
  // gives nobody help then.
  contested({ rules, seats, result }) {
    const bots = this.rules(rules)?.bots ?? [];
    return !result && seats.filter(({ name }) => !bots.includes(name)).length > 1;
  }

  // ratingIn returns the player's rating in a kind of game, undefined before the first.
  ratingIn(kind) {
    return this.welcome?.ratings?.[kind];
  }

  // now is the server's time in Unix milliseconds.
  now() {
    return Date.now() + this.drift;
  }

  // drift is the server's clock minus this one, in ms, measured by the ping with the
  // fastest answer.
  get drift() {
    return this.#best?.[1] ?? 0;
  }

  // uncertainty is how wrong now may be, in ms.
  get uncertainty() {
    return (this.#best?.[0] ?? Infinity) / 2;
  }

  get #best() {
    return this.#samples.reduce((best, s) => (best && best[0] <= s[0] ? best : s), null);
  }

  // latency is the round trip of the last ping, in ms.
  get latency() {
    return this.#samples.at(-1)?.[0] ?? null;
  }

  // ask sends a message and returns a promise of its answer. The promise is rejected
  // with a ServerError, also if the connection is lost first.
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

  // tell sends a message and ignores the answer.
  tell(type, fields = {}) {
    this.ask(type, fields).catch((error) => this.emit("problem", error));
  }

  #send(message) {
    this.#socket.send(JSON.stringify(message));
  }

  #become(status, problem = null) {
    this.status = status;
    this.connections = 1; // until more are heard of
    this.problem = problem;
    this.emit("status", status);
  }

  #connect() {
    this.#drop();
    this.#become("connecting", this.problem);
    const socket = (this.#socket = connect());
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
    const asked = (this.heard = Date.now());
    try {
      const hello = { version: VERSION, views: true, agent: "gamebots page", ...this.#credentials };
      this.welcome = await this.#request("hello", hello);
    } catch (error) {
      if (error.code === "disconnected") return; // #lost tries again
      this.#drop();
      if (error.retry && error.code !== "banned") return this.#again(error.retry);
      this.welcome = null;
      this.#become("refused", error);
      return;
    }
    const { token, now } = this.welcome;
    if (token) this.#credentials = { token };
    this.#tries = 0;
    this.#wait = 0;
    this.#samples = [];
    this.#sample(asked, now);
    this.#become("open");
    this.emit("welcome", this.welcome);
    this.#beat();
  }

  #receive(frame) {
    this.heard = Date.now();
    const message = JSON.parse(frame);
    const { type, id } = message;
    const waiting = this.#pending.get(id);
    if (waiting) {
      this.#pending.delete(id);
      if (type === "error") waiting.reject(new ServerError(message));
      else waiting.resolve(message);
    }
    if (type === "pong") this.#pong(message);
    if (type === "ignored") Object.assign(this.welcome, { muted: message.muted, blocked: message.blocked });
    if (type === "restart") this.#wait = message.retry;
    if (type === "connections") this.connections = message.count;
    if (type === "error" && !waiting) this.emit("problem", new ServerError(message));
    else if (type !== "error" && type !== "welcome") this.emit(type, message);
  }

  #pong({ at, now }) {
    this.#sample(at, now);
    this.emit("latency", this.latency);
  }

  // sample takes the time of the server in an answer to what was asked at a time.
  #sample(asked, now) {
    const trip = Date.now() - asked;
    this.#samples = [...this.#samples, [trip, now + trip / 2 - Date.now()]].slice(-CLOCK_SAMPLES);
  }

  // beat sends a ping, or ends a connection that has been silent too long.
  #beat() {
    if (this.status === "open" && Date.now() - this.heard > SILENCE) this.#lost();
    else this.probe();
  }

  // probe asks the server whether it is there. The answer counts as heard.
  probe() {
    if (this.status === "open") this.#send({ type: "ping", at: Date.now() });
  }

  #lost() {
    if (!this.#credentials) return;
    this.#drop();
    // At first almost at once, since most restarts are short; then slower. The delay
    // is random, so that clients do not all reconnect at the same time.
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
