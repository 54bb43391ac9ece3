// Package nash finds all Nash equilibria of a game of two players with payoffs
// given by two matrices, and proves each of them in exact arithmetic.
//
// A [Game] is read from Gambit's .nfg files or lrsnash's input, or generated
// ([Generate]). [Solve] returns its equilibria as fractions:
//
//	game, err := nash.Read("game.nfg", text)
//	result, err := nash.Solve(ctx, game, nash.Options{})
//
// # Methods
//
// [Labels] branches over complementarity. With payoffs shifted to be positive an
// equilibrium is a pair of points of two polytopes
//
//	P = {x >= 0, x B <= 1},  Q = {y >= 0, A y <= 1}
//
// in which each row i has x_i = 0 or (A y)_i = 1 and each column j has y_j = 0 or
// (x B)_j = 1. Each of these m+n labels goes to one of the polytopes, which is
// narrowed to a face by a few simplex pivots; where the face is empty there is
// nothing below. The idea is that of EEE (Audet, Hansen, Jaumard, Savard 2001).
// Here a label is chosen by how close its rows are to proving that it cannot be
// 0, and rows that prove it decide their labels without branching.
//
// [Support] enumerates pairs of supports of equal size. For a row support it goes
// along a walk through column supports by exchanges of one column, and reads all
// that differ in one column from the tableau of each: for 20 columns 30 of them.
// [Nguyen] and [Grosu] solve each pair for itself, as their authors did.
//
// # Exactness
//
// Searches use floats, and only ever leave something out where it is out by more
// than the bound of their errors; what is nearer is kept and counted
// ([Stats].Doubts). Each candidate is then solved and tested in integers, of a few
// words mostly; where its probabilities are not asked for, in floats with bounds of
// all their errors, if these are enough for a proof. A tie is a degenerate game: its
// equilibria may be infinitely many, and the extreme ones are searched again in
// integers only, by the same branching down to pairs of faces, whose vertices they
// are. [Result.Structure] tells how they hang together.
//
// Degeneracy is looked for at all vertices of both polytopes in games of up to 14
// strategies a player, and in larger ones at those that the search ends at.
//
// That nothing is missing has two witnesses that cost nothing: in nondegenerate
// games the number of equilibria is odd and their indices sum to +1 (Shapley
// 1974). A third, for more than 32 strategies, is that a search in another order
// finds the same.
package nash
