// Package mccfr trains strategies for poker games by Monte Carlo counterfactual
// regret minimisation: it looks at sampled parts of a game, so that it gets along
// without vectors over all deals. Any number of players and any card abstraction
// will do.
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
// # The trainers
//
// [Sampler] has the samplings of the literature, see [Sampling]. An iteration
// goes once through the tree for each player.
//
// [Recursive] and [Iterative] are the two programs of Reis, "A GPU
// implementation of counterfactual regret minimization" (Porto, 2015), whose
// poker variants come with this program as reis-a to reis-d. Both deal once a
// step, go through all betting sequences, and update all players at once; one
// depth first, the other level by level with several threads.
//
// [Deals] is like them with a batch of deals at once, and [DeviceDeals] does the
// same on a GPU, as does [NewDeviceReis] what Reis's third program does.
// [PublicChanceGPU] does on a GPU what a Sampler does by public chance sampling, has
// strategies play each other there, and learns responses to them.
//
// All of them average uniformly over iterations, keep regrets and sums of
// strategies as 32-bit floats, 8 bytes an entry together, and can write and read
// their whole state. With the same seed they have the same bits for any number
// of threads, and whether or not they were interrupted: every traversal draws
// its random numbers from a stream of its own.
//
// # More than two players
//
// What is known of convergence is about two players. For more, external sampling
// meets an information set only if others have acted towards it too, and makes
// up for that with weights, which may vary much.
//
// # Memory
//
// A [Game] takes 8 bytes a decision, 4 an action, and what its ends need
// that differ in their stakes. Save and Weights lay the tree of package cfr out
// on top of that, for as long as they run.
package mccfr
