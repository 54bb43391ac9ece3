// The hands or games of a table of a run, page by page.

import { button, choice, el, field, put } from "../dom.js";
import { request } from "./api.js";
import { chips, number, replayOf } from "./words.js";

const PAGE = 25;

export class ArenaGames {
  constructor(app, run) {
    this.app = app;
    this.run = run;
    this.select = el("div", {});
    this.list = el("ul", { class: "list games" });
    this.more = button("More", () => this.load());
    this.title = el("h2", {});
    this.element = el("section", { class: "panel" }, this.title, this.select, this.list, this.more);
    this.table = 0;
  }

  // draw updates the list; games that are listed stay.
  draw(run) {
    this.title.textContent = run.kind === "board" ? "Games" : "Hands";
    this.kind = run.kind;
    const tables = run.results.map(({ names }) => names.join(" – "));
    const key = JSON.stringify(tables);
    if (key !== this.key) {
      this.key = key;
      const select = choice("table", tables.map((text, i) => [i, text]), this.table);
      select.addEventListener("change", () => { this.table = Number(select.value); this.reset(); });
      put(this.select, tables.length > 1 && field("Table", select));
    }
    const had = this.shards?.length > 0;
    this.all = run.shown;
    this.shards = run.shown[this.table];
    if (!had && this.shards.length > 0) this.reset();
    else this.#mayMore();
  }

  reset() {
    this.shards = this.all[this.table];
    this.at = 0; // index of the shard to load next
    this.from = 0; // the first game of it to load
    this.entries = [];
    put(this.list);
    this.load();
  }

  #mayMore() {
    this.more.hidden = !(this.at < this.shards.length);
  }

  // load adds a page, from as many shards as needed: a shard of a board game has two
  // games.
  async load() {
    const { table } = this;
    this.more.disabled = true;
    try {
      for (let left = PAGE; left > 0 && this.at < this.shards.length;) {
        const shard = this.shards[this.at];
        const got = await request(this.app.settings, "games", { run: this.run, shard, from: this.from, limit: left });
        if (table !== this.table) return; // another was chosen meanwhile
        left -= got.games.length;
        this.from += got.games.length;
        if (this.from >= got.total) [this.at, this.from] = [this.at + 1, 0];
        this.list.append(...got.games.map((entry) => el("li", {}, this.#row(shard, entry))));
      }
    } catch (error) {
      this.app.notices.error(error);
    } finally {
      this.more.disabled = false;
    }
    this.#mayMore();
  }

  #row(shard, entry) {
    const players = entry.players.flatMap((name, i) => [i > 0 && el("span", { class: "vs" }, "–"), el("span", { class: "person-name" }, name)]);
    const board = this.kind === "board";
    const told = board
      ? `${number(entry.moves)} moves, ${entry.how}`
      : `deal ${number((entry.deal ?? 0) + 1)}, pot ${number(entry.pot)}`;
    const result = entry.values.map((value) => (board ? String(value) : chips(value))).join(board ? " : " : " / ");
    return el(
      "a",
      { class: "game-link", href: replayOf(this.run, shard, entry.index) },
      el("span", { class: "versus" }, players),
      el("small", {}, told, entry.betting && [" · ", el("span", { class: "betting" }, entry.betting)]),
      el("span", { class: "state" }, result),
    );
  }
}
