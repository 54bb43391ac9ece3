// Package cfr trains strategies for poker games by counterfactual regret minimisation (CFR) in
// vector form, on the CPU: of whole games, and of the rest of a hand at the table (see
// [publictree.NewSubgame] and package resolve).
//
// A game is laid out once and then solved in iterations:
//
//	layout, err := publictree.Prepare(game, betting.Actions{}, abstraction.Lossless, 8<<30)
//	trainer := cfr.NewTrainer(layout, cfr.Algorithms[0], runtime.NumCPU())
//	for range 1000 {
//		trainer.Step()
//	}
//	e := publictree.NewEvaluator(layout, runtime.NumCPU()).Evaluate(trainer.Weights())
//	fmt.Println(e.Exploitability())
//	err = trainer.Save("leduc.strategy", strategy.Meta{})
//
// No-limit games are laid out with the raises of a [betting.Actions]. A strategy that was
// saved is read by package policy. Games too large for vectors over all cards are trained by
// package mccfr, over a [policy.Index]. Package train opens all of these algorithms by name, and
// runs and resumes training with checkpoints.
//
// # How it works
//
// A [Trainer] traverses the public tree of package publictree, which treats all hands of a player
// at once. An iteration updates the players in turn, player 0 first, each against the
// newest strategies of the others. Regrets and sums of strategies are 32-bit
// floats, 8 bytes an entry together, or 16-bit numbers with scales where
// Algorithm.Quantized is set; evaluation is in 64 bits. The results have
// the same bits for any number of threads and with or without AVX2.
//
// Package ondevice does the iterations of a [Trainer], and evaluates, on a GPU, to the same
// bits. This package links no kernels: who solves the rest of a hand with it carries none.
//
// In games of more than two players the average strategy is not known to converge to an
// equilibrium; NashConv measures the distance from one.
package cfr
