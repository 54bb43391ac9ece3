// Package tree lays a poker game out for sampled traversals: the decisions of its
// betting tree and their entries as flat arrays, the values at the ends of hands,
// and the cards of a deal as buckets and ranks. The trainers of packages mccfr and
// reis work on it.
package tree
