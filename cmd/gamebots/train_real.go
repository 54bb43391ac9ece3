package main

import (
	"errors"
	"io"

	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/evaluate/bestresponse"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// evaluateInGame has the strategies of a training evaluated in the game itself. An
// evaluation that fails or is interrupted is left out.
func (f *trainFlags) evaluateInGame(cmd *cobra.Command, t *train.Training) error {
	real := realFlags{device: f.device, threads: f.threads, memory: f.memory}
	err := t.EvaluateInGame(func(s *bestresponse.Strategy) ([2]float64, bool) {
		best, err := real.best(cmd, s)
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

// best returns what the best response of each player wins, and logs how far it is.
func (f *realFlags) best(cmd *cobra.Command, s *bestresponse.Strategy) (best [2]float64, err error) {
	log := zerolog.Ctx(cmd.Context())
	a, err := f.answer(cmd, bestresponse.New(s))
	if err != nil {
		return best, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	log.Debug().Str("device", a.where).Int("boards", a.Parts()).Msg("evaluating in the game itself")
	// The terminal has the bar of the training.
	bar, done := cli.NewCountBar(io.Discard, log, "evaluating in the game itself", uint64(a.Parts())), uint64(0)
	defer bar.Close()
	err = a.value(a.Missing(a.parts), func() { done++; bar.Update(done) })
	if err != nil {
		return best, err
	}
	return a.Total(a.parts), nil
}
