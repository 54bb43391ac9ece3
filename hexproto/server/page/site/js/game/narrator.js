// Descriptions of a game's events for screen readers.

import { nameAt, resultOf } from "../people.js";

// narrate describes what a message changed in a game as it was before, "" for nothing worth a
// description. say names a move in a view.
export function narrate(game, type, message, say, before) {
  const you = (seat) => seat === game.you;
  const who = (seat) => nameAt(game.seats, seat);
  switch (type) {
    case "moved": {
      const made = message.moves.filter(({ seat }) => !you(seat)).map(({ seat, move }) => `${who(seat)} plays ${say(move, (before ?? game).view)}.`);
      const yours = game.to_move.includes(game.you) ? "Your move." : "";
      return [...made, yours].filter(Boolean).join(" ");
    }
    case "offered":
      if (you(message.seat)) return "";
      if (message.no) return `${who(message.seat)} refuses.`;
      return `${who(message.seat)} offers ${message.offer === "draw" ? "a draw" : "to take moves back"}.`;
    case "presence": {
      const added = (list) => game[list]?.filter((seat) => !before?.[list]?.includes(seat) && !you(seat)) ?? [];
      return [...added("gone").map((seat) => `${who(seat)} has left.`), ...added("away").map((seat) => `${who(seat)} is away.`)].join(" ");
    }
    case "over": return `${resultOf(game)}.`;
  }
  return "";
}
