package mccfr

import (
	"gamebots/acpc"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr/internal/tree"
)

// Game is a game laid out for sampling. Its Rules, Buckets, Shape and Entries are
// for everyone, and InfoSets; the rest is for trainers. It does not change after
// it is made and may be shared between goroutines.
type Game = tree.Game

// NewGame lays a game out. It fails for games with too many betting sequences.
func NewGame(rules *acpc.Game, actions betting.Actions, buckets cfr.Buckets) (*Game, error) {
	return tree.NewGame(rules, actions, buckets)
}
