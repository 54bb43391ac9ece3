// Package cfr solves poker games by counterfactual regret minimisation (CFR) in vector form, on
// the CPU, and values strategies by exact best responses: whole games, which makes a strategy, and
// the rest of a hand at the table (see [NewSubgame] and package resolve).
//
// A game is laid out once and then solved in iterations:
//
//	layout, err := cfr.Prepare(game, betting.Actions{}, abstraction.Lossless, 8<<30)
//	trainer := cfr.NewTrainer(layout, cfr.Algorithms[0], runtime.NumCPU())
//	for range 1000 {
//		trainer.Step()
//	}
//	e := cfr.NewEvaluator(layout, runtime.NumCPU()).Evaluate(trainer.Weights())
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
// The public tree is the [betting.Tree] of betting sequences joined with the boards
// and buckets of package abstraction into a [Layout]. All hands of a player are
// treated at once, as vectors over the buckets of a round (Johanson et al.,
// "Accelerating best response calculation in large extensive games", IJCAI 2011). A
// traversal goes down for the reach of every sequence, computes terminal values in time
// linear in the hands, and goes up for values and regrets. It is a loop over arrays in
// level order, a betting round at a time; there is no recursion.
//
// An iteration updates the players in turn, player 0 first, each against the
// newest strategies of the others. Regrets and sums of strategies are 32-bit
// floats, 8 bytes an entry together, or 16-bit numbers with scales where
// Algorithm.Quantized is set; evaluation is in 64 bits. The results have
// the same bits for any number of threads and with or without AVX2.
//
// Package ondevice does the iterations of a [Trainer], and evaluates, on a GPU, to the same
// bits. This package links no kernels: who solves the rest of a hand with it, or values a
// strategy, carries none.
//
// Games of more than two players are summed over all deals, which is possible for small
// ones. There the average strategy is not known to converge to an equilibrium; NashConv
// measures the distance from one.
//
// # Units
//
// Values are in chips a hand. Exploitability is NashConv divided by the number of players.
// With two it is (b0+b1)/2 for the values b0 and b1 of the best responses.
package cfr
