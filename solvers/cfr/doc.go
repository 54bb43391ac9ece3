// Package cfr trains strategies for poker games by counterfactual regret
// minimisation, and values them by exact best responses.
//
// A game is prepared once and then trained by iterations:
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
// No-limit games are laid out with the raises of a [betting.Actions]; a [Policy]
// translates the raises of others that lie in between. Games too large for vectors over all
// cards are trained by package mccfr, over an [Index]; trainings are kept in
// files by package checkpoint.
//
// # How it works
//
// The public tree is the [betting.Tree] of betting sequences joined with the boards
// and buckets of package abstraction into a [Layout]. All hands of a player are
// treated at once, as vectors over the buckets of a round (Johanson et al.,
// "Accelerating best response calculation in large extensive games", IJCAI
// 2011): a way down computes the reach of every sequence, the ends of hands are
// valued in time linear in the hands, and a way up computes values and regrets.
// Both ways are loops over arrays in level order, a betting round at a time;
// there is no recursion.
//
// An iteration updates the players in turn, player 0 first, each against the
// newest strategies of the others. Regrets and sums of strategies are 32-bit
// floats, 8 bytes an entry together, or 16-bit numbers with scales where
// Algorithm.Half is set; evaluation is in 64 bits. The results have
// the same bits for any number of threads and with or without AVX2.
//
// A [DeviceTrainer] does the iterations on a GPU, and a [DeviceEvaluator] values
// strategies there. They do games of two players with one hole card or two, and have
// the same bits once more: a block of threads takes one betting round after one
// sequence of earlier rounds on some of the boards, and adds up in the order that a
// Trainer does. A game so small that one multiprocessor holds it is trained in one
// launch.
//
// Games of more than two players are summed over all deals, which small ones
// allow. There the average strategy is not known to converge to an equilibrium;
// NashConv says how far from one it is.
//
// # Units
//
// Values are chips a hand. Exploitability is NashConv divided by the number of
// players; with two it is (b0+b1)/2 for the best responses' values b0 and b1.
package cfr
