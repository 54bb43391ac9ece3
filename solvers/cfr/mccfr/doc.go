// Package mccfr trains strategies for poker games by Monte Carlo counterfactual
// regret minimisation. It looks at sampled parts of a game and needs no vectors over
// all deals, so it works for any number of players and with any card abstraction.
//
// A game is laid out once and then trained by steps:
//
//	game, err := mccfr.NewGame(rules, betting.Actions{}, abstraction.New(rules, abstraction.Lossless))
//	method, err := mccfr.ParseMethod("external")
//	trainer := mccfr.NewSampler(game, method, seed, runtime.NumCPU())
//	for range 1_000_000 {
//		trainer.Step()
//	}
//	err = trainer.Save("leduc.strategy", strategy.Meta{})
//
// # Trainers
//
// [Sampler] is external sampling, see [Method]. An iteration
// traverses the tree once for each player. Package published/reis has the programs of
// Reis (2015), which update all players at once.
//
// All trainers average uniformly over iterations unless the method is linear. They
// keep regrets and strategy sums as 32-bit floats, together 8 bytes an entry, or a
// Sampler in 16 bits, and can write and read their whole state. The same seed gives the
// same bits for any number of threads, and whether or not the training was interrupted:
// every traversal draws its random numbers from a stream of its own.
//
// # More than two players
//
// Convergence is proved for two players only. With more, external sampling reaches
// the information sets of the player whose strategy is averaged only where the
// others act towards them too. It makes up for that with weights, whose variance may
// be large.
//
// # Memory
//
// A [Game] takes 8 bytes a decision, 4 bytes an action, and a few more for each
// distinct outcome of the betting. Save and Weights lay out the tree of package
// betting on top of that while they run.
package mccfr
