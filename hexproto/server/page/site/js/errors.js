// Errors of the server with its texts, and advice for players by their codes.

export class ServerError extends Error {
  constructor({ code, text, game, retry }) {
    super(text.charAt(0).toUpperCase() + text.slice(1));
    this.code = code;
    this.game = game;
    this.retry = retry;
  }

  // advice returns what a player can do, or "".
  get advice() {
    const advice = ADVICE[this.code] ?? "";
    return this.retry && this.code !== "banned" ? `Try again in ${Math.ceil(this.retry / 1000)} s.` : advice;
  }
}

const ADVICE = {
  version: "This page is older or newer than the server: reload it.",
  token: "Ask whoever runs the server for a token, or use the one you were given.",
  banned: "Write to whoever runs the server if that is a mistake.",
  name: "Choose another name of letters, digits, - and _; or enter with the token of this one.",
  not_found: "The lobby lists the games and the players.",
  not_yours: "Only the players of this game can do that. You can watch.",
  turn: "The board has moved on; it now shows the present position.",
  illegal: "Choose another move: the board shows where you can play.",
  over: "You can go through the moves, download the record, or start another game.",
  refused: "Choose something else, or try later.",
  rate: "You were faster than the server allows: wait a moment.",
  limit: "Finish or cancel something first.",
  internal: "This is a fault of the server. Try again; if it persists, see the server's log.",
  bad_message: "Reload the page. If it happens again, the page has a fault.",
  unknown_type: "Reload the page: it may be newer than the server.",
  disconnected: "The page reconnects by itself. What you see may be out of date until then.",
};

// disconnected returns the error of a message that was not sent or not answered.
export function disconnected() {
  return new ServerError({ code: "disconnected", text: "There is no connection to the server" });
}
