// Package gtp is the Go Text Protocol, version 2, as board engines speak it: text
// lines over standard input and output, in both directions.
//
//   - A Controller asks an engine: bots/proc uses it for programs of others.
//   - Serve answers a controller: gamebots gtp is an engine of its own.
//
// A command is a line "id name arguments", of which the id may be missing; an
// answer is "=id text" or "?id text" and ends with an empty line. The protocol is
// that of Farnebäck's specification (2002), with the commands that engines of
// Havannah have in common: boardsize, clear_board, play, genmove, undo,
// time_settings, time_left, showboard. Colours are white, who moves first in
// Havannah, and black. Moves are the rules' own: HGui's notation is GTP's.
package gtp
