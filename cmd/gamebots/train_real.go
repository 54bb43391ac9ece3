package main

import (
	"errors"
	"io"

	"gamebots/bots/judge"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/evaluate/bestresponse"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// evaluateInGame has the strategies of a training evaluated in the game itself. An
// evaluation that fails or is interrupted is left out.
func (f *trainFlags) evaluateInGame(cmd *cobra.Command, t *train.Training) error {
	m := judge.Means{Threads: f.threads, Memory: f.memory.Or(memory.Available), Device: f.device}
	err := t.EvaluateInGame(func(s *bestresponse.Strategy) ([2]float64, bool) {
		best, err := bestInGame(cmd, s, m)
		if err != nil && cmd.Context().Err() == nil {
			zerolog.Ctx(cmd.Context()).Error().Err(err).Msg("no evaluation")
		}
		return best, err == nil
	})
	if errors.As(err, new(*bestresponse.GameError)) {
		return usererr.WithHint(usererr.Usagef("--real: %v", err), "two-player limit games have exact best responses")
	}
	return err
}

// bestInGame returns what the best response of each player wins, and logs how far it is.
func bestInGame(cmd *cobra.Command, s *bestresponse.Strategy, m judge.Means) (best [2]float64, err error) {
	log := zerolog.Ctx(cmd.Context())
	a, err := judge.NewAnswer(&judge.Subject{Strategy: s}, m)
	if err != nil {
		return best, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	log.Debug().Str("device", a.Where).Int("boards", a.Parts()).Msg("evaluating in the game itself")
	// The terminal has the bar of the training.
	bar, done := cli.NewCountBar(io.Discard, log, "evaluating in the game itself", uint64(a.Parts())), uint64(0)
	defer bar.Close()
	return a.Exact(cmd.Context(), func() { done++; bar.Update(done) })
}
