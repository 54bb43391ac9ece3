// Package publictree has the public tree of a poker game with all hands of a player at once, as
// vectors over the buckets of a round (Johanson et al., "Accelerating best response calculation in
// large extensive games", IJCAI 2011), and values strategies by exact best responses:
//
//	layout, err := publictree.Prepare(game, betting.Actions{}, abstraction.Lossless, 8<<30)
//	e := publictree.NewEvaluator(layout, runtime.NumCPU()).Evaluate(weights)
//	fmt.Println(e.Exploitability())
//
// The [betting.Tree] of betting sequences, joined with the boards and buckets of package abstraction,
// is a [Layout]: of a whole game, of the game of a policy ([LayoutOf]), or of the rest of a hand
// ([NewSubgame]). A [Traversal] goes down for the reach of every sequence, computes terminal values
// in time linear in the hands, and goes up for values. It is a loop over arrays in level order, a
// betting round at a time; there is no recursion. An [Evaluator] is one such traversal, in 64 bits.
// Another is the trainer of package cfr, which says what is regretted. Nothing is trained here, so that
// who judges or shows a strategy links no trainer.
//
// The results have the same bits for any number of threads. Package cfr/ondevice evaluates on a
// GPU, to the same bits.
//
// Terminal values are the winnings of all hands of a player where a hand of poker ends, given the reach of the
// other players' hands. With two players and at most two hole cards they take time linear in the hands. Other
// games are summed over all deals, which is possible for small ones.
//
// # Units
//
// Values are in chips a hand. Exploitability is NashConv divided by the number of players.
// With two it is (b0+b1)/2 for the values b0 and b1 of the best responses.
package publictree
