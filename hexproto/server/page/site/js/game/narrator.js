// A game in words, for whoever does not see the board.

import { resultOf } from "../people.js";

// narrate says what a message changed, or "" where that needs no words.
export function narrate(game, type, message, say) {
  const you = (seat) => seat === game.you;
  const who = (seat) => game.seats[seat].name;
  switch (type) {
    case "moved": {
      const made = message.moves.filter(({ seat }) => !you(seat)).map(({ seat, move }) => `${who(seat)} plays ${say(move)}.`);
      const yours = game.to_move.includes(game.you) ? "Your move." : "";
      return [...made, yours].filter(Boolean).join(" ");
    }
    case "offered":
      if (you(message.seat)) return "";
      if (message.no) return `${who(message.seat)} refuses.`;
      return `${who(message.seat)} offers ${message.offer === "draw" ? "a draw" : "to take moves back"}.`;
    case "over": return `${resultOf(game)}.`;
  }
  return "";
}
