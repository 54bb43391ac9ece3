package jobs

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"gamebots/bots/grid"
)

// NewRun returns a name for a run that nobody goes on with later.
func NewRun(what string) string { return what + " " + rand.Text() }

// Wait does nothing for as long as its spec says, and returns its seed: what
// a grid costs is what is measured beside it.
func Wait(ctx context.Context, job grid.Job) ([]byte, error) {
	d, err := time.ParseDuration(string(job.Spec))
	if err != nil {
		return nil, err
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-t.C:
		return fmt.Appendf(nil, "%d", job.Seed), nil
	}
}
