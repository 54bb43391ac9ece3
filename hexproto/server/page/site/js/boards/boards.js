// The drawings of games, by the kind of their board (docs/hexproto.md, "Boards
// and views"). A drawing is a class with
//
//   constructor(board, names, {play, browse})
//                   the fixed part; names are the names of the seats.
//                   play(move) is called when the player chooses a move, and
//                   browse(move) when the pointer is on one
//   element         what to show
//   draw({view, seat, chosen, values, label})
//                   shows a view. seat is the seat whose move can be chosen, or
//                   null; chosen is a move to be confirmed; values are ratings
//                   by move (see analysis.js)
//   focus()         restores the focus
//
// and, where moves suffice for that, a static replay(board, moves) that returns the
// view of an earlier position. A new kind is a file here and a line below.

import { Hexagon } from "./hexagon.js";
import { Heaps } from "./heaps.js";
import { Matrix } from "./matrix.js";
import { Words } from "./words.js";

const kinds = { hexagon: Hexagon, heaps: Heaps, matrix: Matrix };

// pictureOf returns the class that draws a board. Unknown kinds are shown as text and
// buttons.
export function pictureOf(board) {
  return kinds[board?.kind] ?? Words;
}
