// Package gamebots is the map of this module: bots for game servers, and the
// solvers behind them. It has no code of its own; the program is ./cmd/gamebots.
//
// To connect a bot:
//
//   - acpc/client takes a seat at a poker dealer, acpc/dealer deals; package acpc
//     reads games and follows hands
//   - hexproto/client plays board games at a server over a websocket,
//     hexproto/server is that server, and hexproto/gtp talks to board engines
//   - bots/registry makes the bots of this module by their names
//
// To make a strategy:
//
//   - solvers/cfr/train trains a poker strategy by the name of an algorithm and
//     writes its file; solvers/policy opens and asks it
//   - solvers/cfr/mccfr and solvers/cfr/pcs train by sampled hands and boards,
//     solvers/cfr/tabular any game with hidden information from its rules
//   - solvers/resolve/spot solves a flop, turn or river of no-limit hold'em for two
//     ranges, solvers/resolve in play
//   - solvers/selfplay trains a network of package hexnet for Havannah
//
// To search and to solve:
//
//   - solvers/mcts searches a game of yours by Monte-Carlo tree search, and
//     solvers/gumbel by a learned policy and value
//   - solvers/minimax and solvers/nimsolver prove values, solvers/nmcs/snake finds long
//     snakes in the box
//   - solvers/nash finds all equilibria of a matrix game, nash/extensive/sequence
//     one of a game with moves, both proved exactly
//
// To measure:
//
//   - bots/arena plays matches, bots/arena/tournament tournaments on many machines
//   - solvers/evaluate/bestresponse, lbr and aivat say how good a poker strategy is
//
// cudalib/driver calls NVIDIA's driver without cgo. ARCHITECTURE.md lists all
// packages in order of dependency; the tests of this package hold imports to it.
// docs/library.md leads to examples that are complete programs.
package gamebots
