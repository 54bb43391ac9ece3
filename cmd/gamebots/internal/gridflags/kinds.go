package gridflags

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

// Kinds returns the kinds of jobs that commands share with workers.
func Kinds() grid.Kinds {
	kinds := jobs.Kinds()
	kinds[tournament.Kind] = Players().Play
	return kinds
}

// WorkerKinds returns the kinds of jobs of a worker, whose refusals say how to change them.
func WorkerKinds() grid.Kinds {
	kinds := Kinds()
	play := kinds[tournament.Kind]
	kinds[tournament.Kind] = func(ctx context.Context, job grid.Job) ([]byte, error) {
		result, err := play(ctx, job)
		if refusal := (*grid.UnwillingError)(nil); errors.As(err, &refusal) {
			err = &grid.UnwillingError{Err: fmt.Errorf("%w, only by gamebots work --programs", refusal.Err)}
		}
		return result, err
	}
	return kinds
}

// Players are the players of this process. Its jobs share their open sessions.
var Players = sync.OnceValue(func() *tournament.Players {
	return registry.NewPlayers(LogTraining)
})

// LogTraining logs the training of a player.
func LogTraining(ctx context.Context, player string, done float64) {
	zerolog.Ctx(ctx).Info().Str("player", player).Str("done", fmt.Sprintf("%.0f%%", 100*done)).Msg("training")
}
