// The lobby: challenges, running games, and players.

import { el, put } from "../dom.js";
import { Chat } from "../game/chat.js";
import { Challenges } from "../lobby/challenges.js";
import { GameList } from "../lobby/gamelist.js";
import { NewGame } from "../lobby/newgame.js";
import { Players } from "../lobby/players.js";
import { Previews } from "../lobby/previews.js";
import { applied } from "../lobby/state.js";
import { alone } from "../server.js";

export const lobby = {
  path: "",
  title: "Lobby",
  nav: "Lobby",

  // player is somebody to challenge, in a game if one is named: #/challenge/NAME/GAME.
  open(app, place, [player, rules]) {
    const { session, games } = app;
    const newGame = new NewGame(app);
    const challenges = new Challenges(app);
    const mine = new GameList(app, "Your games", "");
    const previews = new Previews(app);
    const running = new GameList(app, "Games to watch", "No games are running.", previews);
    const players = new Players(app, (player) => newGame.against(player));
    const chat = new Chat(app, "", "Lobby chat");
    const lines = [];

    let listed = null; // the lobby, as the server told it last
    let others = []; // its games of others
    const drawGames = () => {
      mine.draw(games.mine());
      running.draw(others.map((game) => ({ ...game, turn: games.get(game.game)?.turn ?? game.turn })));
    };
    const draw = (state) => {
      listed = state;
      challenges.draw(state.challenges);
      others = state.games.filter(({ seats }) => seats.every(({ name }) => name !== session.you.name));
      drawGames();
      players.draw(state.players, state.connected);
    };
    let again = 0; // the timer of another attempt, if the lobby was asked for too often
    const ask = () => session.status === "open" && session.ask("enter_lobby", { on: true, changes: true }).catch((error) => {
      if (error.retry) again = setTimeout(ask, error.retry);
      else session.emit("problem", error);
    });
    const ends = [
      session.on("lobby", draw),
      session.on("lobby_changed", (changes) => listed && draw(applied(listed, changes))),
      session.on("welcome", () => { ask(); previews.again(); }),
      session.on("said", (line) => line.game || (lines.push(line), chat.draw(lines))),
      games.on("change", drawGames),
      () => previews.close(),
      () => clearTimeout(again),
      () => session.status === "open" && session.tell("enter_lobby", { on: false }),
    ];
    put(
      place,
      el("h1", { class: "unseen" }, "Lobby"),
      alone && el("p", { class: "lead" }, "Nothing is installed, and nothing that you do leaves this browser."),
      el(
        "div",
        { class: "lobby" },
        el("div", { class: "stack" }, newGame.element),
        el("div", { class: "stack" }, mine.element, !alone && [challenges.element, running.element], newGame.help),
        !alone && el("div", { class: "stack" }, players.element, chat.element),
      ),
    );
    if (player) newGame.against(player, rules);
    drawGames();
    chat.draw(lines);
    ask();
    return () => ends.forEach((end) => end());
  },
};

export const challenge = { ...lobby, path: "challenge", nav: "", of: lobby.path };
