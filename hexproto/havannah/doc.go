// Package havannah has the game of Havannah on boards of side 2 to 13: rules,
// notations and records.
//
//   - A [Grid] is a board's geometry: [GridOf].
//   - A [Board] is a game in progress: [New] or [Setup] start one, [Board.Play]
//     and [Board.Undo] move, [Board.AppendMoves] lists the legal moves. Groups are a
//     disjoint-set forest, so a move costs about the same on every board.
//   - A [Record] is a game with its players and its end: [ParseRecord] and
//     [Record.String] as a line of text, [ParseHGF] and [Record.HGF] as HGF.
//   - A [Notation] is one of three ways to write a move. HGui's is the default.
//   - [Board.Text] and [Board.SVG] draw a board, with a [Heat] map if given.
//
// # Rules
//
// A board of side s is a hexagon of 3·s·(s-1)+1 cells. White moves first. Players take
// turns to place one stone of their colour on an empty cell; stones never move. The
// second move may instead be [Swap]: the first stone becomes black, and white moves
// again. A player wins by completing one of three structures with connected stones:
//
//   - a [Ring] around at least one cell, empty or with a stone of either colour;
//   - a [Bridge] of two of the six corners;
//   - a [Fork] of three of the six edges; corners belong to no edge.
//
// One stone can complete several. A full board without a structure is a draw.
//
// The test for rings is exact and local to the last stone. A stone closes a ring if
// two of its neighbours are not adjacent runs on the circle around it, but were
// connected before. The remaining case is a ring with only stones of its colour inside.
// It contains seven stones, a centre and all its neighbours.
//
// Boards and records belong to one goroutine at a time; grids are shared.
package havannah
