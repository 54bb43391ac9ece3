package registry

import (
	"context"
	"time"

	"gamebots/bots/arena/tournament"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/strategy"
)

// NewPlayers returns the players of the arena. OnTraining, if not nil, is called now
// and then while a player is trained, with the done fraction.
func NewPlayers(onTraining func(ctx context.Context, player string, done float64)) *tournament.Players {
	return &tournament.Players{
		Rules: Rules,
		Bot:   Bot,
		Train: func(ctx context.Context, player string, spec train.Spec, iterations uint64, file string) error {
			return trainPlayer(ctx, spec, iterations, file, func(done float64) {
				if onTraining != nil {
					onTraining(ctx, player, done)
				}
			})
		},
	}
}

// The first report of a training, and the interval of the others.
const (
	firstReport = time.Second
	reportEvery = 10 * time.Second
)

// trainPlayer trains the strategy of a player and writes it to a file. Report is called now and then
// with the done fraction.
func trainPlayer(
	ctx context.Context, spec train.Spec, iterations uint64, file string, report func(done float64),
) error {
	a, err := train.Open(spec, train.Options{})
	if err != nil {
		return err
	}
	next := time.Now().Add(firstReport)
	for a.Iterations() < iterations {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		a.Step()
		if now := time.Now(); now.After(next) {
			next = now.Add(reportEvery)
			report(float64(a.Iterations()) / float64(iterations))
		}
	}
	return a.Save(file, strategy.Meta{Seed: spec.Seed, Iterations: a.Iterations()})
}
