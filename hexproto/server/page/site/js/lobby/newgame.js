// The form that makes a challenge: to a bot of the server, to a player, or to
// everybody. The server describes the fields of each game.

import { byDays, describe } from "../clock.js";
import { choice, el, field, put } from "../dom.js";
import { aboutGame, howTo } from "../help.js";
import { alone } from "../server.js";
import { Options } from "./options.js";

const CLOCKS = [
  { main: 0, increment: 0, per_move: 0 },
  { main: 60_000, increment: 1000, per_move: 0 },
  { main: 180_000, increment: 2000, per_move: 0 },
  { main: 300_000, increment: 3000, per_move: 0 },
  { main: 600_000, increment: 5000, per_move: 0 },
  { main: 1_800_000, increment: 20_000, per_move: 0 },
  { main: 0, increment: 0, per_move: 10_000 },
  { main: 0, increment: 0, per_move: 30_000 },
  { main: 30_000, increment: 0, per_move: 15_000 }, // a time bank, as at a table of poker
  ...[1, 3, 7, 14].map((days) => ({ main: 0, increment: 0, per_move: 86_400_000 * days })),
];

// botsOf returns the server's bots for a game, described if the server describes them.
const botsOf = ({ bots, about_bots: about }) => about ?? bots.map((name) => ({ name }));

// firstOf returns the bot to offer to somebody who has not chosen one: of those with a rating the weakest but one,
// since the weakest plays at random.
function firstOf(bots) {
  const rated = bots.filter(({ rating }) => rating).sort((a, b) => a.rating - b.rating);
  return rated[1] ?? rated[0] ?? bots[0];
}

// gamesOf returns the options of a choice of games: board games, the poker that people play, which begins with the
// games that have a strategy, and games of few cards.
function gamesOf(rules) {
  const options = (list) => list.map((r) => el("option", { value: r.name }, r.title));
  const kinds = Object.groupBy(rules, ({ hidden, title }) => (!hidden ? "boards" : title.includes("Texas") ? "texas" : "small"));
  const group = (label, list = []) => list.length > 0 && el("optgroup", { label }, options(list));
  return [options(kinds.boards ?? []), group("Texas hold'em", kinds.texas?.sort((a, b) => !a.methods - !b.methods)), group("Small poker games", kinds.small)];
}

// wide makes a field as wide as the form.
function wide(label, control) {
  const made = field(label, control);
  made.classList.add("wide");
  return made;
}

// ratedWords says which games are rated: "side 5 to 13, with a clock".
function ratedWords({ rated }) {
  const [key] = Object.keys(rated[0]);
  const values = rated.map((options) => options[key]);
  const options = key ? `${key} ${Math.min(...values)} to ${Math.max(...values)}` : "the options as they are at first";
  return `${options}, with a clock`;
}

const WIDE = matchMedia("(min-width: 68rem)"); // the lobby has room for the rules

export class NewGame {
  constructor(app) {
    this.app = app;
    const { rules } = app.session.welcome;
    const last = app.settings.get("form") ?? {}; // what was played last
    this.rules = el("select", { name: "rules" }, gamesOf(rules));
    if (app.session.rules(last.rules)) this.rules.value = last.rules;
    this.rules.addEventListener("change", () => this.#drawRules());
    this.options = el("div", { class: "pair" });
    this.opponent = choice("opponent", [], "");
    this.chosen = last.opponent ?? null; // the opponent, if the player chose one
    this.opponent.addEventListener("change", () => { this.chosen = this.opponent.value; this.#drawOpponent(); });
    this.name = el("input", { name: "to", maxlength: 24, autocomplete: "off", spellcheck: "false" });
    this.named = wide("Name of the player", this.name);
    this.clock = choice("clock", [...CLOCKS.map((c, i) => [i, describe(c)]), ["own", "other…"]], last.clock ?? (alone ? 0 : 3));
    this.clock.addEventListener("change", () => { this.own.hidden = this.clock.value !== "own"; });
    this.own = el("div", { class: "three", hidden: true }, this.#ownClock());
    this.seat = choice("seat", [["", "random"], ["first", "me"], ["second", "the opponent"]], last.seat ?? "");
    this.seatLabel = el("span", {});
    this.rated = el("input", { type: "checkbox", name: "rated" });
    this.ratedWords = el("small");
    this.ratedField = el("label", { class: "check" }, this.rated, "Rated", this.ratedWords);
    this.players = choice("players", [], ""); // number of players at a table of more than two seats
    this.players.addEventListener("change", () => this.#drawOpponent());
    this.seated = field("How many players", this.players);
    this.filled = el("div", { class: "pair wide" }); // bots of the other seats
    this.help = el("section", { class: "panel", "aria-label": "rules" }); // rules of the chosen game, shown beside
    this.about = el("small", { class: "wide" }); // what the game is
    this.level = el("small", { class: "wide" }); // how the chosen bot plays
    this.only = this.#restrictions();
    this.submit = el("button", { class: "primary" });
    this.element = el(
      "section",
      { class: "panel", "aria-label": "new game" },
      el("h2", {}, "New game"),
      el(
        "form",
        { class: "stack", onsubmit: (event) => { event.preventDefault(); this.#challenge(); } },
        el("div", { class: "pair" }, wide("Game", this.rules), this.about, wide("Against", this.opponent), this.level, this.named, this.seated, this.filled),
        this.options,
        el("div", { class: "pair" }, field("Clock", this.clock), field(this.seatLabel, this.seat)),
        this.own,
        this.ratedField,
        this.only.element,
        this.submit,
      ),
    );
    this.#drawRules();
    if (this.rules.value === last.rules) this.fields.write(last.options ?? {});
  }

  // against fills in the form for a challenge to a player, or to a bot of the server with a game
  // that it plays: the one that is named, if it plays that.
  against(player, name = this.rules.value) {
    const plays = ({ bots }) => bots.includes(player);
    const { session } = this.app;
    const rules = [session.rules(name), ...session.welcome.rules].find((rules) => rules && plays(rules));
    this.chosen = rules ? `=${player}` : "?";
    if (rules) this.rules.value = rules.name;
    else this.name.value = player;
    this.#drawRules();
    this.element.scrollIntoView({ block: "nearest" });
    this.submit.focus();
  }

  #drawRules() {
    const rules = this.app.session.rules(this.rules.value);
    this.fields = new Options(rules.options);
    put(this.options, this.fields.elements);
    this.about.textContent = aboutGame(rules);
    const help = howTo(rules, WIDE.matches);
    put(this.help, help);
    this.help.hidden = !help;
    this.ratedField.hidden = !rules.rated || alone !== null;
    // A match of poker has too many moves for days.
    [...this.clock.options].forEach((o) => { o.hidden = o.disabled = o.value !== "own" && byDays(CLOCKS[o.value]) && (rules.hidden || alone !== null); });
    if (this.clock.selectedOptions[0].disabled) this.clock.value = 3;
    if (rules.rated) this.ratedWords.textContent = ratedWords(rules);
    else this.rated.checked = false;
    this.#drawSeat(rules);
    put(this.players, rules.seats.slice(1).map((_, i) => el("option", { value: i + 2 }, `${i + 2}`)));
    put(this.filled);
    put(
      this.opponent,
      rules.bots.length > 0 && el("optgroup", { label: "bots of the server" }, botsOf(rules).map(({ name, rating }) => el("option", { value: `=${name}` }, rating ? `${name} (${rating})` : name))),
      !alone && [["", "anybody"], ["?", "a player…"], ["&", "a friend, by a link"]].map(([value, text]) => el("option", { value }, text)),
    );
    const option = (value) => [...this.opponent.options].find((o) => o.value === value);
    const kept = option(this.chosen) ?? option(`=${firstOf(botsOf(rules))?.name}`);
    if (kept) kept.selected = true;
    this.#drawOpponent();
  }

  #drawOpponent() {
    const { value } = this.opponent;
    this.named.hidden = value !== "?";
    const { seats } = this.app.session.rules(this.rules.value);
    this.seated.hidden = seats.length <= 2 || !["", "&"].includes(value);
    const players = this.seated.hidden ? 2 : Number(this.players.value);
    this.#drawOthers(seats.length - players, value.slice(1));
    this.name.required = value === "?";
    this.only.element.hidden = value !== "";
    const bot = botsOf(this.app.session.rules(this.rules.value)).find(({ name }) => value === `=${name}`);
    const rules = this.app.session.rules(this.rules.value);
    const looks = rules.hidden && rules.methods?.includes(bot?.name);
    const plain = rules.hidden && rules.seats.length > 2 && !rules.methods && "No bot of this server plays this game by a strategy. ";
    put(this.level, bot?.about && `${bot.name}: ${bot.about} `, bot && plain, looks && el("a", { href: `#/strategy/${[rules.name, bot.name].map(encodeURIComponent).join("/")}` }, "Look at it"));
    this.level.hidden = !bot?.about;
    this.submit.textContent = { "": "Offer this game", "?": "Challenge", "&": "Make the link" }[value] ?? "Play";
  }

  // drawSeat asks for the seat, in poker for the position in the first hand.
  #drawSeat({ positions }) {
    const button = positions?.indexOf("BTN");
    const [label, first, second] = !positions ? ["Who moves first", "me", "the opponent"]
      : positions.length > 2 ? ["First position", positions[0] || "seat 1", positions[1] || "seat 2"]
      : ["First button", ...(button === 0 ? ["me", "the opponent"] : ["the opponent", "me"])];
    this.seatLabel.textContent = label;
    const { value } = this.seat;
    const options = [["", "random"], ["first", first], ["second", second]];
    if (button === 1) options.push(options.splice(1, 1)[0]);
    put(this.seat, options.map(([seat, text]) => el("option", { value: seat, selected: seat === value }, text)));
  }

  // drawOthers asks for a bot for each of the seats that players leave, the last of the table. At
  // first they are the bots that play a strategy, or else all of them in turn, after the opponent.
  #drawOthers(seats, opponent) {
    const { bots, methods = [] } = this.app.session.rules(this.rules.value);
    const able = bots.filter((name) => methods.includes(name));
    const list = able.length > 0 ? able : bots;
    const next = list.indexOf(opponent) + 1;
    this.filled.hidden = seats <= 0 || bots.length === 0;
    if (this.filled.children.length === seats) return;
    const first = this.app.session.rules(this.rules.value).seats.length - seats + 1;
    put(this.filled, Array.from({ length: Math.max(0, seats) }, (_, i) => field(`Seat ${first + i}`, choice("fill", bots.map((name) => [name, name]), list[(next + i) % list.length]))));
  }

  #ownClock() {
    return [["main", "Minutes", 5, 60_000], ["increment", "Seconds more a move", 3, 1000], ["per_move", "Seconds free a move", 0, 1000]]
      .map(([name, label, value, unit]) =>
        field(label, el("input", { type: "number", name, value, step: "any", min: 0, max: 600, "data-unit": unit })));
  }

  #restrictions() {
    const who = choice("who", [["", "anybody"], ["humans", "people"], ["bots", "bots"]], "");
    const rating = (name) => el("input", { type: "number", name, min: 0, max: 4000, step: "any", placeholder: "any" });
    const [min, max] = [rating("min_rating"), rating("max_rating")];
    const element = el(
      "details",
      {},
      el("summary", {}, "Who may accept"),
      el("div", { class: "three" }, field("Who", who), field("Rating from", min), field("to", max)),
    );
    const read = () => {
      const only = { [who.value]: true, min_rating: Number(min.value), max_rating: Number(max.value) };
      const wanted = Object.entries(only).filter(([key, value]) => key && value);
      return wanted.length ? Object.fromEntries(wanted) : undefined;
    };
    return { element, read };
  }

  #readClock() {
    if (this.clock.value !== "own") return CLOCKS[this.clock.value];
    return Object.fromEntries([...this.own.querySelectorAll("input")].map((input) =>
      [input.name, Math.round(Number(input.value) * Number(input.dataset.unit))]));
  }

  async #challenge() {
    const { session, settings, notices, announce, go, invitations } = this.app;
    const { value } = this.opponent;
    const byLink = value === "&";
    const to = value === "?" ? this.name.value.trim() : value.slice(1); // "" for a link
    this.submit.disabled = true;
    try {
      const { game, challenge } = await session.ask("challenge", {
        rules: this.rules.value,
        options: this.fields.read(),
        clock: this.#readClock(),
        rated: this.rated.checked,
        seat: (!(this.rated.checked && session.rules(this.rules.value).by_lot) && this.seat.value) || undefined, // else drawn
        to: to || undefined,
        private: byLink || undefined,
        players: (!this.seated.hidden && Number(this.players.value)) || undefined,
        fill: this.filled.hidden ? undefined : [...this.filled.querySelectorAll("select")].map(({ value }) => value),
        only: value === "" ? this.only.read() : undefined,
      });
      const form = { rules: this.rules.value, options: this.fields.read(), opponent: value, seat: this.seat.value };
      settings.set("form", this.clock.value === "own" ? form : { ...form, clock: this.clock.value });
      if (game) go("game", game);
      else if (byLink) go("join", challenge);
      else if (value === "?") invitations.sent(challenge, to);
      else announce("Your challenge is in the list.");
    } catch (error) {
      notices.error(error);
    } finally {
      this.submit.disabled = false;
    }
  }
}
