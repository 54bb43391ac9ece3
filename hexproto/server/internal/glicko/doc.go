// Package glicko rates players by Glicko-2, as Glickman describes it in "Example of the
// Glicko-2 system" (http://www.glicko.net/glicko/glicko2.pdf, 2013).
//
// A [Rating] is an estimate of a player's strength with its uncertainty, and a win
// against a player of known strength says more than one against a new player. Each game
// is a rating period of its own, as on lichess: [Play] returns both ratings after it, and
// a deviation grows with the time since the last game ([Rating.After]).
package glicko
