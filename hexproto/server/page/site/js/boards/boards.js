// The pictures of games, by the kind of their board (docs/hexproto.md, "Boards
// and views"). A picture is a class with
//
//   constructor(board, names, {play, browse})
//                   the fixed part; names are what the rules call the seats.
//                   play(move) is called when the player chooses a move, and
//                   browse(move) when one is looked at
//   element         what to show
//   draw({view, seat, chosen, values, label})
//                   shows a view. seat is whose move can be chosen, or null;
//                   chosen is a move that waits to be confirmed; values are
//                   ratings of moves, by move (see analysis.js)
//   focus()         puts the keyboard where it was
//
// and, where the moves tell it, a static replay(board, moves) that returns a
// view of an earlier position. A new kind is a file here and a line below.

import { Hexagon } from "./hexagon.js";
import { Heaps } from "./heaps.js";
import { Matrix } from "./matrix.js";
import { Words } from "./words.js";

const kinds = { hexagon: Hexagon, heaps: Heaps, matrix: Matrix };

// pictureOf returns the class that draws a board; of kinds that are not known it
// is words and buttons.
export function pictureOf(board) {
  return kinds[board?.kind] ?? Words;
}
