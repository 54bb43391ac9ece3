// Small boards of running games, which follow the moves.

import { pictureOf } from "../boards/boards.js";
import { el, put } from "../dom.js";

const MOST = 4; // boards
const DRAWN = ["hexagon", "heaps"]; // kinds of boards that are legible when small

export class Previews {
  #shown = new Map(); // {element, picture} by game

  constructor({ session, games }) {
    this.session = session;
    this.games = games;
    this.off = games.on("change", ({ id }) => this.#draw(id));
  }

  // choose chooses the first games of a list that are played, and watches them.
  choose(list) {
    const wanted = new Set(list.filter(({ idle }) => !idle).slice(0, MOST).map(({ game }) => game));
    for (const id of this.#shown.keys()) if (!wanted.has(id)) this.#drop(id);
    for (const id of wanted) {
      if (this.#shown.has(id)) continue;
      this.#shown.set(id, { element: el("div", { class: "preview", inert: true }) });
      this.watch(id);
    }
  }

  // of returns the small board of a game, or undefined.
  of({ game }) {
    return this.#shown.get(game)?.element;
  }

  // again watches the games again after a new connection.
  again() {
    [...this.#shown.keys()].forEach((id) => this.watch(id));
  }

  // watch requests a game, which may have ended meanwhile.
  watch(id) {
    this.session.ask("watch", { game: id }).catch(() => {});
  }

  close() {
    this.off();
    [...this.#shown.keys()].forEach((id) => this.#drop(id));
  }

  #drop(id) {
    this.#shown.delete(id);
    this.games.forget(id);
    this.session.ask("unwatch", { game: id }).catch(() => {});
  }

  #draw(id) {
    const shown = this.#shown.get(id);
    const game = this.games.get(id);
    if (!shown) return;
    const Picture = pictureOf(game.board);
    if (!DRAWN.includes(game.board?.kind)) {
      put(shown.element, Picture.small?.(game) ?? game.view.text);
      return;
    }
    if (!shown.picture) {
      shown.picture = new Picture(game.board, game.names, { play: () => {}, browse: () => {} });
      put(shown.element, shown.picture.element);
    }
    shown.picture.draw({ view: game.view, seat: null, chosen: "", values: null, label: "" });
  }
}
