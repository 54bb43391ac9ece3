// Package gamebots is the map of this module: bots for game servers, and the
// solvers behind them. It has no code of its own.
//
// The program is ./cmd/gamebots. What others would import first:
//
//   - gamebots/acpc, acpc/client, acpc/dealer: games, states and both ends of the
//     protocol of the Annual Computer Poker Competition
//   - gamebots/hexproto, hexproto/server, hexproto/gtp: board games over a
//     websocket, the server, and the text protocol of board engines
//   - gamebots/solvers/cfr, cfr/train, cfr/mccfr: counterfactual regret minimisation
//   - gamebots/solvers/nash: all equilibria of a game of two players
//   - gamebots/solvers/mcts, minimax, nmcs, playout: searches of a game tree
//   - gamebots/bots/arena: matches, tournaments and their statistics
//   - gamebots/cudalib/driver: NVIDIA's driver, called without cgo
//
// ARCHITECTURE.md lists all packages in order of dependency, and docs/library.md
// has three complete programs. The test of this package holds imports to the
// layout.
package gamebots
