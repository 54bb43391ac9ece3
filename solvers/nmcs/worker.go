package nmcs

import "context"

// Worker makes runs of a search, one at a time.
type Worker interface {
	// Run makes a run with a key. It returns the best line, which is valid until the next
	// run, and whether the run completed before the context was done. OnImproved is
	// called with better lines on the way; it may be nil.
	Run(ctx context.Context, key Key, onImproved func(Line)) (best Line, completed bool)
	// Work returns the work of all runs so far.
	Work() Work
}

// nested is a worker that searches at one level from one position.
type nested[G Game[G]] struct {
	search *Search[G]
	start  G
	level  int
}

// NewNested returns a worker that makes nested Monte-Carlo searches of a level from a
// position: see [NewSearch].
func NewNested[G Game[G]](newGame func() G, start G, level, leaf int) Worker {
	return &nested[G]{NewSearch(newGame, max(level, 1), leaf), start, level}
}

func (n *nested[G]) Run(ctx context.Context, key Key, onImproved func(Line)) (Line, bool) {
	// Searches of lower levels are too short for calls that take a lock.
	if n.search.OnImproved = nil; n.level >= 2 {
		n.search.OnImproved = onImproved
	}
	return n.search.Run(ctx, n.start, n.level, key)
}

func (n *nested[G]) Work() Work { return n.search.Work }
