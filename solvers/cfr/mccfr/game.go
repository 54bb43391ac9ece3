package mccfr

import (
	"gamebots/acpc"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr/internal/tree"
	"gamebots/solvers/policy"
)

// Game is a game laid out for sampling. Callers may read Rules, Buckets, Shape and
// Entries, and call InfoSets; the other fields are the arrays that trainers work on. A
// Game does not change after it is made and may be shared between goroutines.
type Game = tree.Game

// NewGame lays a game out. It fails for games with too many betting sequences and for
// games without a decision.
func NewGame(rules *acpc.Game, actions betting.Actions, buckets policy.Buckets) (*Game, error) {
	return tree.NewGame(rules, actions, buckets)
}
