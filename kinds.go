package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"gamebots/bots/arena/tournament"
	"gamebots/bots/grid"
)

// jobKinds are the kinds of jobs that gamebots work does, and every command that
// spreads its work.
func jobKinds() grid.Kinds {
	return grid.Kinds{
		"wait":    waitJob,
		nashKind:  nashJob(),
		runsKind:  runsJob,
		beamKind:  beamJob,
		valueKind: valueJob(),
		// The house stays open, with the strategies of the latest runs.
		tournament.Kind: house().Play,
	}
}

// newRun returns a name for a run that nobody goes on with later.
func newRun(what string) string { return what + " " + rand.Text() }

// waitJob does nothing for as long as its spec says, and returns its seed: what
// a grid costs is what is measured beside it.
func waitJob(ctx context.Context, job grid.Job) ([]byte, error) {
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
