// Package mcts searches two-player games by Monte-Carlo tree search, with proofs.
//
// A [Search] grows a tree from a position. A simulation descends the tree to a leaf,
// an [Evaluator] plays playouts from there, and their results are added to the moves
// on the path:
//
//	s := mcts.New(game, evaluator, mcts.Options{})
//	err := s.Run(ctx, 10_000)
//	best := s.Best()
//	s.Advance(best) // keeps the part of the tree below it
//
// A caller implements [Game], [Expander] and [Evaluator]; the example of the package
// does so for a small game.
//
// # Selection
//
// The value of a move combines its own simulations with all playouts in which the
// same player made it at any later time (rapid action value estimation, RAVE: S. Gelly
// and D. Silver, Monte-Carlo tree search and rapid action value estimation in computer
// Go, 2011). After n simulations RAVE has the weight k/(k+n). A move that was never
// tried counts as won, and the prior that the game gives a move is added in the
// proportion 1/√(n+1). This explores enough, so there is no upper confidence bound
// unless Options.Explore asks for one.
//
// # Proofs
//
// A position is won if a move wins, and lost if all moves lose; draws are in between.
// The game reports the proofs that it sees when a position is expanded, and they are
// propagated towards the root (M. Winands, Y. Björnsson and J. Saito, Monte-Carlo tree
// search solver, 2008). A proved move is not tried again. A search ends when its root
// is proved.
//
// Options.ProofAfter is for searches that want proofs rather than a good move. A game
// that implements [Studier] then examines a node more closely once it has had that many
// simulations, and for one that implements [Keyer], a proved position is recognised
// when it is reached by other moves.
//
// # Advice
//
// A game that implements [Adviser] may have an opinion that is too slow for every node, such
// as that of a neural network. With Options.AdviseAfter it is asked at the root and once a
// move has had that many simulations. It adds to the priors of the moves that follow, which
// fade as all priors do (C. Gao, R. Hayward and M. Müller, Move prediction using deep
// convolutional neural networks in Hex, 2017), and it moves the value of the move itself
// half of the way towards its own, which fades in the same proportion.
//
// # Batches
//
// All playouts of a leaf count as one simulation with their mean result. What they say
// about the moves that follow the leaf is stored, and initialises the leaf's node when
// one is added.
//
// Leaves are evaluated in batches. Two batches are in flight at a time, so that neither
// a device nor the tree waits for the other. A batch descends the tree in one pass: each
// node distributes its simulations among its moves one by one, and those that chose the
// same move descend together. A simulation in flight counts as lost until its playouts
// are back (virtual loss: G. Chaslot et al., Parallel Monte-Carlo tree search, 2008),
// which spreads a batch over the tree. Results are backed up in one pass too, so that
// each node is updated once per batch.
//
// Where playouts cost next to nothing, Options.LeavesPerDescent makes several
// simulations share one descent. They separate at the frontier of the tree, one to each
// of the best moves there, and so share the cost of the path and of the new node.
//
// Subtrees of different moves are independent, so several threads work on the parts of
// one batch. The tree depends on the game, the number of simulations and all options
// but Threads. It does not depend on the threads of the search or of the evaluator.
//
// # Memory
//
// The tree lives in arrays that are allocated by [New]. A node has an edge for every
// move number of the game, so that a playout's RAVE counts are added to all edges in
// one sweep, with AVX2 where the processor has it. When a batch might not fit, the nodes
// with the fewest visits are dropped.
//
// # Concurrency
//
// A Search is used by one goroutine at a time. It never looks at a clock: a time limit
// is a context with a deadline.
//
// docs/api.txt lists the names of this package that are kept.
package mcts
