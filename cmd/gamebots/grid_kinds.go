package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"gamebots/bots/arena/tournament"
	"gamebots/bots/grid"
	"gamebots/bots/grid/jobs"
	"gamebots/bots/registry"

	"github.com/rs/zerolog"
)

// jobKinds returns the kinds of jobs that commands share with workers.
func jobKinds() grid.Kinds {
	kinds := jobs.Kinds()
	kinds[tournament.Kind] = arenaPlayers().Play
	return kinds
}

// workerKinds returns the kinds of jobs of a worker, whose refusals say how to change them.
func workerKinds() grid.Kinds {
	kinds := jobKinds()
	play := kinds[tournament.Kind]
	kinds[tournament.Kind] = func(ctx context.Context, job grid.Job) ([]byte, error) {
		result, err := play(ctx, job)
		if refusal := (*grid.UnwillingError)(nil); errors.As(err, &refusal) {
			err = &grid.UnwillingError{Err: fmt.Errorf("%w, only by gamebots grid work --programs", refusal.Err)}
		}
		return result, err
	}
	return kinds
}

// arenaPlayers are the players of this process. Its jobs share their open sessions.
var arenaPlayers = sync.OnceValue(func() *tournament.Players {
	return registry.NewPlayers(logTraining)
})

// logTraining logs the training of a player.
func logTraining(ctx context.Context, player string, done float64) {
	zerolog.Ctx(ctx).Info().Str("player", player).Str("done", fmt.Sprintf("%.0f%%", 100*done)).Msg("training")
}
