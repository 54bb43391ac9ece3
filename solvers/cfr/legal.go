package cfr

import (
	"iter"

	"gamebots/acpc"
)

// Legal yields the actions at a decision that betting trees have, in their
// order: fold, call, raises upwards.
func Legal(s *acpc.State) iter.Seq[acpc.Action] { return Actions{}.Legal(s) }
