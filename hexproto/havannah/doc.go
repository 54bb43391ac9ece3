// Package havannah is the game of Havannah on boards of side 2 to 13: its rules,
// its notations and its records.
//
//   - A [Grid] is a board's geometry: [GridOf].
//   - A [Board] is a game in progress: [New] or [Setup] start one, [Board.Play]
//     and [Board.Undo] move, [Board.AppendMoves] lists what is legal. Groups are
//     kept as a forest, so that a move costs about the same on every board.
//   - A [Record] is a game with its players and its end: [ParseRecord] and
//     [Record.String] as a line of text, [ParseHGF] and [Record.HGF] as HGF.
//   - A [Notation] is one of six ways to write a move; HGui's is the one used
//     wherever nothing else is said.
//   - [Board.Text] and [Board.SVG] are pictures, with a [Heat] of their own.
//
// # Rules
//
// A board of side s is a hexagon of 3·s·(s-1)+1 cells. White moves first; players
// put one stone of their colour on an empty cell in turn, and stones stay. The
// second move may instead be [Swap]: the first stone becomes black where it is,
// and white moves again. A player wins by completing with a group of touching
// stones at least one of three structures:
//
//   - a [Ring] around at least one cell, be it empty or taken by either colour;
//   - a [Bridge] of two of the six corners;
//   - a [Fork] of three of the six edges, to which corners do not belong.
//
// One stone can complete several. A full board without a structure is a draw.
//
// The test for rings is exact and looks at a stone and its surroundings only. A
// stone closes a ring if two of its neighbours do not touch on the circle around
// it but were connected before; where the circle is the reason, it is full. What
// remains is rings around own stones alone, and the smallest part of such a ring
// is seven stones, a middle and all its neighbours.
//
// Nothing here logs, waits or reads a clock. Boards and records belong to one
// goroutine at a time; grids are shared.
package havannah
