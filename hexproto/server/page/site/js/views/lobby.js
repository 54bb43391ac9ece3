// The lobby: challenges, running games, and players.

import { el, put } from "../dom.js";
import { Chat } from "../game/chat.js";
import { Challenges } from "../lobby/challenges.js";
import { GameList } from "../lobby/gamelist.js";
import { NewGame } from "../lobby/newgame.js";
import { Players } from "../lobby/players.js";
import { Previews } from "../lobby/previews.js";

export const lobby = {
  path: "",
  title: "Lobby",
  nav: "Lobby",

  // player is somebody to challenge: #/challenge/NAME.
  open(app, place, [player]) {
    const { session, games } = app;
    const newGame = new NewGame(app);
    const challenges = new Challenges(app);
    const mine = new GameList(app, "Your games", "");
    const previews = new Previews(app);
    const running = new GameList(app, "Games to watch", "No games are running.", previews);
    const players = new Players(app, (player) => newGame.against(player));
    const chat = new Chat(app, "", "Lobby chat");
    const lines = [];

    const drawMine = () => mine.draw(games.mine());
    const draw = (state) => {
      challenges.draw(state.challenges);
      running.draw(state.games.filter(({ seats }) => seats.every(({ name }) => name !== session.you.name)));
      players.draw(state.players, state.connected);
    };
    const ask = () => session.status === "open" && session.tell("enter_lobby", { on: true });
    const ends = [
      session.on("lobby", draw),
      session.on("welcome", () => { ask(); previews.again(); }),
      session.on("said", (line) => line.game || (lines.push(line), chat.draw(lines))),
      games.on("change", drawMine),
      () => previews.close(),
      () => session.status === "open" && session.tell("enter_lobby", { on: false }),
    ];
    put(
      place,
      el("h1", { class: "unseen" }, "Lobby"),
      el(
        "div",
        { class: "lobby" },
        el("div", { class: "stack" }, newGame.element),
        el("div", { class: "stack" }, mine.element, challenges.element, running.element, newGame.help),
        el("div", { class: "stack" }, players.element, chat.element),
      ),
    );
    if (player) newGame.against(player);
    drawMine();
    chat.draw(lines);
    ask();
    return () => ends.forEach((end) => end());
  },
};

export const challenge = { ...lobby, path: "challenge", nav: "", of: lobby.path };
