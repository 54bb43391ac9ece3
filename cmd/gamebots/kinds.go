package main

import (
	"context"
	"errors"

	"gamebots/bots/arena/tournament"
	"gamebots/bots/experiment"
	"gamebots/bots/grid"
	"gamebots/bots/grid/jobs"
)

// jobKinds returns the kinds of jobs that commands share with workers.
func jobKinds() grid.Kinds {
	kinds := jobs.Kinds()
	kinds[tournament.Kind] = arenaPlayers().Play
	kinds[experiment.Kind] = experiment.Job
	return kinds
}

// workerKinds returns the kinds of jobs of a worker, whose refusals say how to change them.
func workerKinds() grid.Kinds {
	kinds := jobKinds()
	play := kinds[tournament.Kind]
	kinds[tournament.Kind] = func(ctx context.Context, job grid.Job) ([]byte, error) {
		result, err := play(ctx, job)
		if refusal := (*grid.UnwillingError)(nil); errors.As(err, &refusal) {
			err = &grid.UnwillingError{Reason: refusal.Reason + ", only by gamebots work --programs"}
		}
		return result, err
	}
	return kinds
}
