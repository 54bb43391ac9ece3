// A spot of no-limit hold'em: its cards, chips, ranges and sizes, and the decisions of its solution.
// The address has all of it: #/spot/SETTINGS, and #/spot/SETTINGS/LINE once it is solved.

import { save } from "../archive.js";
import { card, cut } from "../cards.js";
import { copyButton } from "../copy.js";
import { button, choice, el, field, put, set } from "../dom.js";
import { Progress } from "../progress.js";
import { request } from "../server.js";
import { ask, LIMIT, SERVED } from "../solver.js";
import { CardPicker } from "../study/cardpicker.js";
import { Drill } from "../study/drill.js";
import { RangeGrid } from "../study/rangegrid.js";
import { addressOf, DEFAULTS, fromAddress, fromFile, queryOf, toFile } from "../study/settings.js";
import { number, sentence } from "../words.js";
import { decision, path } from "./strategy.js";

const CHIPS = [["spot.pot", "Pot", "Chips in the middle."], ["spot.stack", "Stack", "Chips that each player has left."]];
const SIZES = [["bets.bets", "Bets", "Percent of the pot; a is all-in."], ["bets.raises", "Raises", "Percent of the pot; 2.5x is two and a half times the bet."]];
const MORE = [
  ["bets.donks", "Bets into the last bettor", "As bets, or sizes."], ["bets.raise_cap", "Most bets and raises", "On a street; 0 for any number."],
  ["bets.add_all_in", "All-in is added up to", "Pots."], ["bets.force_all_in", "A bet is all-in if it leaves", "Pots, or less."], ["bets.merge", "Merge sizes", "Closer than this."],
  ["rake.percent", "Rake", "Percent of the pot."], ["rake.cap", "Most rake", "Chips; 0 for any."], ["solve.target", "Exploitability to reach", "Percent of the pot."],
];
const PLAYERS = [["ranges.oop", "Out of position"], ["ranges.ip", "In position"]];

// AT_FIRST is a spot of ranges that people have.
const AT_FIRST = "texas-river";

// examples are the spots that come with the program.
let examples = null;
const exampleList = async (settings) => (examples ??= (await (await request("spots/", settings.get("token"))).json()).map(({ name, text }) => ({ name, text, settings: fromFile(text) })));

export const spot = {
  path: "spot",
  title: "Solve a spot",
  nav: "Spots",

  open(app, place, [address = "", line]) {
    const view = new Spot(app, line);
    put(place, view.element);
    view.begin(address);
    return () => view.close();
  },
};

class Spot {
  #values = { ...DEFAULTS };
  #controls = new Map(); // fields by setting
  #player = 0; // whose range is shown
  #stop = null;

  constructor(app, line) {
    this.app = app;
    this.line = line;
    this.problem = el("div", { "aria-live": "assertive" });
    this.progress = new Progress();
    this.answer = el("div", { class: "stack" });
    this.examples = el("div", { class: "row scrolls examples", role: "group", "aria-label": "examples" });
    this.cards = el("div", { class: "cards", "aria-live": "polite" });
    this.picker = new CardPicker("cards of the board", (chosen) => this.#toggle(chosen));
    this.grid = new RangeGrid("range", (text) => this.#change(PLAYERS[this.#player][0], text));
    this.tabs = PLAYERS.map(([, label], i) => button(label, () => { this.#player = i; this.#draw(); }));
    this.taken = el("div");
    this.name = el("input", { "aria-label": "name to keep the range by", placeholder: "Name", maxlength: 30 });
    this.solve = el("button", { class: "primary", disabled: true }, "Solve"); // until there is a spot
    this.stop = button("Stop", () => (SERVED ? this.#ask() : this.#end()), { hidden: true }); // the server has kept what it found
    const file = el("input", { type: "file", hidden: true, onchange: () => this.#openFile(file.files[0]) });
    this.form = el(
      "form", { class: "stack", onsubmit: (event) => { event.preventDefault(); this.#submit(); } },
      this.examples,
      el("div", { class: "spot-form" },
        el("div", { class: "stack" },
          this.#field("spot.board", "Board", SERVED ? "Three to five cards." : "A turn or a river: four or five cards.", el("div", { class: "stack tight" }, this.cards, this.picker.element)),
          el("div", { class: "pair" }, [...CHIPS, ...SIZES].map((f) => this.#field(...f))),
          el("details", {}, el("summary", {}, "More settings"), el("div", { class: "pair" }, MORE.map((f) => this.#field(...f))))),
        el("div", { class: "stack" },
          el("div", { class: "row spread" }, el("span", { class: "row", role: "group", "aria-label": "whose range" }, this.tabs), this.taken),
          this.grid.element,
          PLAYERS.map(([key, label]) => this.#field(key, `Range ${label.toLowerCase()}`, "Such as 22+,A2s+,KTo+,QJs:0.5; random is all hands.")),
          el("div", { class: "row keep" }, this.name, button("Keep this range", () => this.#keep())))),
      el("div", { class: "row" }, this.solve, button("Open a file", () => file.click()), file, button("Save the settings", () => this.#saveFile()), copyButton(app.notices, "The link", () => location.href, "Copy the link"), el("small", {}, LIMIT)),
    );
    this.details = el("details", { open: line === undefined }, el("summary", {}, "The spot"), this.form);
    this.element = el(
      "div", { class: "stack" },
      el("h1", {}, "Solve a spot"),
      el("p", { class: "lead" }, "No-limit hold'em for two players, with exact cards: what both should do with every hand of their ranges."),
      el("section", { class: "panel", "aria-label": "spot" }, this.details), this.problem, this.progress.element, el("div", { class: "row" }, this.stop), this.answer,
    );
  }

  async begin(address) {
    try {
      const all = await exampleList(this.app.settings);
      put(this.examples, el("span", {}, "Examples:"), all.map(({ name, settings }) => button(sentence(name.replaceAll("-", " ")), () => this.#take(settings))));
      const first = all.find(({ name }) => name === AT_FIRST)?.settings;
      this.#values = address ? fromAddress(address) : this.app.settings.get("spot") ?? { ...first };
    } catch (error) {
      this.#fail({ text: error.message });
    }
    this.#draw();
    this.#end();
    if (this.line !== undefined) this.#ask();
  }

  close() {
    this.#stop?.abort();
  }

  #field(key, label, note, more) {
    const input = el("input", { name: key, autocomplete: "off", autocapitalize: "off", spellcheck: "false", oninput: () => this.#change(key, input.value) });
    const wrong = el("small", { class: "wrong", id: `wrong-${key}` });
    this.#controls.set(key, { input, wrong });
    return el("div", { class: "stack tight" }, more, field(label, input, note), wrong);
  }

  // #mark shows what is wrong with a setting, or nothing.
  #mark(key, text = "") {
    const { input, wrong } = this.#controls.get(key);
    set(input, { "aria-invalid": text ? "true" : null, "aria-describedby": text ? wrong.id : null });
    put(wrong, text);
  }

  #change(key, value) {
    this.#values[key] = value;
    this.#edited();
  }

  #take(settings) {
    this.#values = { ...settings };
    this.#edited();
  }

  #toggle(chosen) {
    const cards = cut(this.#board());
    this.#change("spot.board", (cards.includes(chosen) ? cards.filter((c) => c !== chosen) : [...cards, chosen]).join(" "));
  }

  #board = () => this.#values["spot.board"].replaceAll(" ", "");

  // #edited keeps a spot that is not solved any more.
  #edited() {
    this.#end();
    this.line = undefined;
    delete this.#values.file;
    put(this.answer);
    put(this.problem);
    this.app.settings.set("spot", this.#values);
    this.app.stay(addressOf(this.#values));
    this.#draw();
  }

  #draw() {
    for (const [key, { input }] of this.#controls) {
      if (input !== document.activeElement || input.value.trim() !== this.#values[key].trim()) input.value = this.#values[key];
      this.#mark(key);
    }
    const cards = cut(this.#board()).filter((c) => /^[2-9TJQKA][cdhs]$/.test(c));
    put(this.cards, cards.map(card), [...Array(Math.max(0, 5 - cards.length))].map(() => el("span", { class: "no-card" })));
    this.picker.show(cards, 5);
    this.tabs.forEach((tab, i) => set(tab, { "aria-pressed": String(i === this.#player) }));
    PLAYERS.forEach(([key], i) => {
      this.#controls.get(key).input.closest(".stack").hidden = i !== this.#player;
      if (i !== this.#player) return;
      try {
        this.grid.show(this.#values[key]);
      } catch (error) {
        this.#mark(key, error.message);
      }
    });
    if (cards.length === 3 && !SERVED) this.#mark("spot.board", "Flops take the program: save this as a file, and gamebots solve poker --spot FILE solves it.");
    this.#drawTaken();
  }

  // #drawTaken offers ranges: those that this browser keeps, and those of the examples.
  #drawTaken() {
    const [key] = PLAYERS[this.#player];
    const kept = this.app.settings.get("ranges") ?? {};
    const all = [["", "Take a range …"], ["random", "All hands"], ["none", "No hand"], ...Object.entries(kept).map(([name, text]) => [text, name]),
      ...(examples ?? []).flatMap(({ name, settings }) => PLAYERS.filter(([k]) => settings[k] !== "random").map(([k, label]) => [settings[k], `${name}, ${label.toLowerCase()}`]))];
    const select = choice("range", all, "");
    set(select, { "aria-label": "take a range", onchange: () => this.#change(key, select.value === "none" ? "" : select.value) });
    put(this.taken, select);
  }

  // #keep keeps the range that is shown, by its name, in this browser.
  #keep() {
    const name = this.name.value.trim();
    if (!name) return this.name.focus();
    this.app.settings.set("ranges", { ...this.app.settings.get("ranges"), [name]: this.#values[PLAYERS[this.#player][0]] });
    this.app.announce(`The range is kept as ${name}.`);
    this.name.value = "";
    this.#drawTaken();
  }

  #submit() {
    const address = addressOf(this.#values, "");
    if (location.hash === address) this.#ask("1");
    else location.hash = address;
  }

  // #ask shows the point of the line, for which the spot is solved first, or further if that is "1".
  async #ask(further = "") {
    const body = await this.#request("solve", { line: this.line, further });
    if (body) this.#show(body);
  }

  // #request returns what the solver answers, undefined if that is no solution.
  async #request(path, parameters, file) {
    this.#end();
    put(this.problem);
    const stop = (this.#stop = new AbortController());
    set(this.solve, { disabled: true });
    this.stop.hidden = false;
    const late = setTimeout(() => this.progress.show({ phase: "solving", text: " " }), 300);
    try {
      const reply = await ask(`spots/${path}?${file ? "" : queryOf(this.#values, parameters)}`, { token: this.app.settings.get("token"), signal: stop.signal, file, progress: (news) => { clearTimeout(late); this.progress.show(news); } });
      const json = reply.status === 422 || reply.ok;
      const body = json ? await reply.json() : { text: await reply.text() };
      if (stop.signal.aborted) return undefined;
      if (!body.text) return body;
      this.#fail(body);
    } catch (error) {
      if (!stop.signal.aborted) this.#fail({ text: error.message });
    } finally {
      clearTimeout(late);
      if (this.#stop === stop) this.#end();
    }
    return undefined;
  }

  // #end ends a request.
  #end() {
    this.#stop?.abort();
    this.#stop = null;
    set(this.solve, { disabled: false });
    this.stop.hidden = true;
    this.progress.clear();
  }

  #fail({ key, text, hint }) {
    this.details.open = true;
    if (!this.#controls.has(key)) {
      put(this.problem, el("div", { class: "notice bad" }, el("strong", {}, sentence(text)), hint && el("p", {}, hint)));
      return;
    }
    if (key === PLAYERS[1 - this.#player][0]) {
      this.#player = 1 - this.#player;
      this.#draw();
    }
    const { input } = this.#controls.get(key);
    const more = input.closest("details");
    if (more) more.open = true;
    this.#mark(key, sentence([text, hint].filter(Boolean).join("; ")));
    input.focus();
  }

  #show({ exploitability, short, values, pot, node }) {
    const to = (line) => addressOf(this.#values, line);
    const fromFile = Boolean(this.#values.file);
    if (!fromFile) this.app.settings.set("spot", this.#values);
    this.app.announce("The spot is solved.");
    const further = short && [" The target is not reached. ", button("Solve further", () => this.#ask("1"))];
    put(
      this.answer,
      el("p", {}, `${fromFile ? "From a file. " : ""}Exploitability ${exploitability}.`, further, ` Of the pot of ${number(pot)}, ${number(values[0], 2)} is won out of position and ${number(values[1], 2)} in position.`),
      !this.line && el("div", { class: "row" }, button("Drill this spot", () => this.#drill(pot)), SERVED && !fromFile && button("Save the solution", () => this.#saveSolution())),
      node.actions ? decision(node, to, this.#means(node)) : [path(node, to), this.#nextCard(node, to)],
    );
  }

  // #drill deals hands to play. The solution would tell what to do.
  #drill(pot) {
    put(this.answer, new Drill(pot, (hand) => this.#request("drill", hand)).element, el("div", {}, button("Back to the solution", () => this.#ask())));
  }

  #means({ players }) {
    return el("p", {}, players.map(({ name, value = 0, equity = 0 }) => `${sentence(name)}: EV ${number(value, 2)}, equity ${number(100 * equity, 1)}%`).join(" · "));
  }

  // #nextCard asks for the card that comes next.
  #nextCard(node, to) {
    const picker = new CardPicker("next card", (chosen) => { location.hash = to(`${node.betting} ${chosen}`); });
    for (const dealt of cut(node.board)) set(picker.buttons.get(dealt), { disabled: true });
    return el("section", { class: "panel stack", "aria-label": "next card" }, el("div", { class: "row spread" }, el("h2", {}, cut(node.board).length === 3 ? "The turn" : "The river"), el("div", { class: "cards" }, cut(node.board).map(card))), picker.element);
  }

  // #openFile opens the settings of a spot, or on a server a solution.
  async #openFile(file) {
    try {
      if (file.name.endsWith(".toml")) return this.#take(fromFile(await file.text()));
      if (!SERVED) throw new Error("Settings are in .toml files. Solutions are opened by gamebots serve, and gamebots show.");
      const body = await this.#request("open", {}, file);
      if (body) location.hash = addressOf({ file: body.settings.split("=")[1] }, "");
    } catch (error) {
      this.#fail({ text: error.message });
    }
    return undefined;
  }

  async #saveSolution() {
    const reply = await request(`spots/file?${queryOf(this.#values, {})}`, this.app.settings.get("token"));
    if (reply.ok) save(reply, "solution.spot");
    else this.#fail(reply.status === 422 ? await reply.json() : { text: await reply.text() });
  }

  #saveFile() {
    save(new Response(toFile(this.#values)), "spot.toml");
  }
}
