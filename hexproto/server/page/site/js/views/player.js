// The profile of a player.

import { listRecords } from "../archive.js";
import { el, put } from "../dom.js";
import { GameList } from "../lobby/gamelist.js";

const LAST = 20; // games

export const player = {
  path: "player",
  title: "Player",

  open(app, place, [name = app.session.you.name]) {
    const last = new GameList(app, "Last games", "No finished games yet.");
    put(place, el("div", { class: "narrow stack" }, el("h1", {}, name), last.element));
    listRecords(app.settings, { player: name, limit: LAST }).then((games) => last.draw(games, name), (error) => app.notices.error(error));
  },
};
