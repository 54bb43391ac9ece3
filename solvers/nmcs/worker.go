package nmcs

import "context"

// nested is a search of one level from one position, as a worker.
type nested[G Game[G]] struct {
	search *Search[G]
	start  G
	level  int
}

// NewNested returns a worker that does nested Monte-Carlo searches of a level from
// a position, see [NewSearch].
func NewNested[G Game[G]](fresh func() G, start G, level, leaf int, policy Policy) Worker {
	return &nested[G]{NewSearch(fresh, max(level, 1), leaf, policy), start, level}
}

func (n *nested[G]) Run(ctx context.Context, key Key, improved func(Line)) (Line, bool) {
	// Calls across threads for what is over in a moment would cost more than it.
	if n.search.OnImproved = nil; n.level >= 2 {
		n.search.OnImproved = improved
	}
	return n.search.Run(ctx, n.start, n.level, key)
}

func (n *nested[G]) Work() Work { return n.search.Work }
