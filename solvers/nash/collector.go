package nash

import (
	"context"
	"errors"
	"sync"

	"gamebots/solvers/nash/internal/extreme"
	"gamebots/solvers/nash/verify"
)

// The reasons to give up a search in floats for one in integers, beside
// labels.ErrCycling: an equilibrium is degenerate or nearly one, or floats see a
// vertex where there is none.
var (
	errDegenerate = errors.New("a degenerate equilibrium")
	errSingular   = errors.New("singular supports")
)

// A collector decides about candidates exactly, on the goroutines that find them. It
// cancels its context where the search cannot go on in floats.
type collector struct {
	verifier   *verify.Verifier
	ctx        context.Context
	cancel     context.CancelFunc
	progress   *Progress
	enumerated bool // candidates come from an enumeration of supports

	mutex                sync.Mutex
	equilibria           []verify.Equilibrium
	candidates, rejected uint64
	failed               error // why the search was cancelled
}

// newCollector returns a collector, whose cancel must be called.
func newCollector(ctx context.Context, v *verify.Verifier, p *Progress) *collector {
	c := &collector{verifier: v, progress: p}
	c.ctx, c.cancel = context.WithCancel(ctx)
	return c
}

// Candidate decides about a pair of supports. Empty ones, of the leaf at the origins,
// do not count.
func (c *collector) Candidate(rows, cols uint64) {
	if rows == 0 && cols == 0 {
		return
	}
	e, verdict := c.verifier.Candidate(rows, cols)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.candidates++
	switch verdict {
	case verify.Proved:
		c.equilibria = append(c.equilibria, *e)
		c.progress.found.Add(1)
	case verify.Refuted:
		c.rejected++
	case verify.Singular, verify.Degenerate:
		// A singular pair of an enumeration has no equilibrium, or infinitely many: then
		// there is one with smaller supports at their edge, which is degenerate. A leaf of
		// a search by labels is an equilibrium or nearly one; singular, it may lie next to
		// an empty face.
		if verdict == verify.Singular && (c.enumerated || !extreme.HasFaces(c.verifier, rows, cols)) {
			c.rejected++
			return
		}
		if verdict == verify.Degenerate {
			c.failed = errDegenerate
		} else if c.failed == nil {
			c.failed = errSingular
		}
		c.cancel()
	}
}
