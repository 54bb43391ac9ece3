// Package mcts searches games of two players by Monte-Carlo tree search, with
// proofs.
//
// A [Search] grows a tree from a position. A simulation walks down it to a leaf,
// an [Evaluator] plays random games from there, and what they came to is added
// to the moves on the way:
//
//	s := mcts.New(game, evaluator, mcts.Options{})
//	err := s.Run(ctx, 10_000)
//	best := s.Best()
//	s.Advance(best) // keeps the part of the tree below it
//
// # How a move is chosen
//
// A move is rated by its own simulations and by those in which it was played at
// any later time (rapid action value estimation, RAVE: S. Gelly and D. Silver,
// Monte-Carlo tree search and rapid action value estimation in computer Go,
// 2011). The weight of the latter is k/(k+n) after n simulations. A move never
// tried is taken to win, and what the game knows of moves beforehand, their
// priors, is added in the proportion 1/√(n+1). That makes moves be tried often
// enough, so there is no other exploration unless the options ask for it.
//
// # Proofs
//
// A position in which a move wins is won; one in which all lose is lost; draws
// count between. The game says what it sees when a position is expanded, and
// proofs go up the tree from there (M. Winands, Y. Björnsson and J. Saito,
// Monte-Carlo tree search solver, 2008). A move that was proved is never tried
// again; a search ends when its root is proved.
//
// A search that is after proofs rather than a good move sets Options.Study. Then a game
// that is a [Studier] is asked once more, and may take longer over it, when a node has
// had so many simulations; and of one that is a [Keyer], positions that were proved are
// known again when other moves lead to them.
//
// # Batches
//
// However many random games are played from a leaf, they count as one simulation
// with their mean. What they say of the moves from the leaf is kept for the node
// that it gets when it is reached again.
//
// Leaves are handed to the evaluator in batches, of which two are under way at a
// time, so that a device never waits for the tree nor the tree for a device. A
// batch goes through the tree once: in every node its simulations are shared out
// among the moves, one after another, and all that go the same way go on together.
// A simulation that is under way counts as lost until its playouts are back
// (virtual loss, G. Chaslot et al., Parallel Monte-Carlo tree search, 2008), so a
// batch spreads over the tree. Results go up the same way, and every node adds up
// those from below it once.
//
// Most of the way to a leaf, and the node that is added before it, can serve several
// leaves. Where random games cost next to nothing, Options.Together sends as many
// simulations the same way until they come to moves that have no node, and there one
// to each of the best.
//
// What is below different moves has nothing in common, so several threads work on
// a batch's parts, one behind another's back. The tree depends on the game, the
// options but Threads, and the number of simulations; not on threads, those of the
// search or of the evaluator.
//
// # Memory
//
// The tree lives in arrays whose size is fixed at the start. A node has a place for
// every move of the game, so that what a random game says of all moves is added in
// one sweep of AVX2, where there is that. When there is no room for what a batch
// may add, what was visited least is dropped.
//
// A Search is used by one goroutine at a time. Nothing here looks at a clock: a
// time limit is a context that ends.
package mcts
