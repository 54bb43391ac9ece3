// The drawings of games, by the kind of their board (docs/hexproto.md, "Boards
// and views"). A drawing is a class with
//
//   constructor(board, names, {play, browse})
//                   the fixed part; names are the names of the seats.
//                   play(move) is called when the player chooses a move, and
//                   browse(move) when the pointer is on one
//   element         what to show
//   draw({view, seat, tries, chosen, values, label, game})
//                   shows a view. seat is the seat whose move can be chosen, or
//                   null, tries that of whose moves variations are tried; chosen is a move to be confirmed; values are ratings
//                   by move (see analysis.js); game is the state of the game
//   focus()         restores the focus
//
// and perhaps
//
//   static replay(board, moves, game)
//                   returns the view of an earlier position
//   static say(move)
//                   formats a move for people
//   static small(game)
//                   draws a game for a list of games, where the drawing is too large
//   static Moves    lists the moves instead of Moves (see moves.js)
//   static Report   judges the player's decisions (see report.js); hand is then what
//                   of the game is shown
//   static inTurn   players move in turn, and each could make the other's moves: a move
//                   can be planned while the opponent is to move, and variations
//                   of a finished game can be tried
//   static drawless no draw is offered
//   look(view, game)
//                   prepares for draw
//   words           says what is shown, where it is not the state of the game
//   static seated   the drawing has the seats, which the constructor gets
//   explicit        whether a move needs no confirmation
//   allows(move)    reports whether a move is legal that the view does not list
//   key(event)      handles a key that was pressed anywhere, and reports whether
//                   it did
//
// A new kind is a file here and a line below.

import { Hexagon } from "./hexagon.js";
import { Heaps } from "./heaps.js";
import { Matrix } from "./matrix.js";
import { Poker } from "./poker.js";
import { Words } from "./words.js";

const kinds = { hexagon: Hexagon, heaps: Heaps, matrix: Matrix, poker: Poker };

// pictureOf returns the class that draws a board. Unknown kinds are shown as text and
// buttons.
export function pictureOf(board) {
  return kinds[board?.kind] ?? Words;
}
