package jobs

import (
	"context"
	"fmt"
	"time"

	"gamebots/bots/grid"
)

// WaitKind is the kind of jobs that WaitJob does.
const WaitKind = "wait"

// WaitJob does nothing for the duration in its spec, and returns its seed. Benchmarks
// measure the overhead of a grid with it.
func WaitJob(ctx context.Context, job grid.Job) ([]byte, error) {
	d, err := time.ParseDuration(string(job.Spec))
	if err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(d):
		return fmt.Appendf(nil, "%d", job.Seed), nil
	}
}
