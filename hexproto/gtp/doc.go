// Package gtp is the Go Text Protocol, version 2 (Farnebäck 2002): lines of text over
// standard input and output, between a controller and a board engine.
//
//   - A [Controller] sends commands to an engine. bots/proc uses it for other programs.
//   - [Serve] answers a controller. "gamebots gtp" is an engine by it.
//
// A command is a line "id name arguments", with an optional id. An answer is "=id text"
// or "?id text" and ends with an empty line. The commands are those that engines of
// Havannah have in common: boardsize, clear_board, play, genmove, undo, time_settings,
// time_left, showboard. Colours are white, which moves first in Havannah, and black.
// Moves are written as the rules write them.
package gtp
