package main

import (
	"errors"
	"runtime"
	"slices"

	"gamebots/bots/poker"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/betting"

	"github.com/spf13/cobra"
)

// solvingOf returns the rounds that --solve and --solve-from have solved in play.
func solvingOf(iterations uint64, from string) poker.Solving {
	return poker.Solving{Iterations: int(iterations), From: max(0, slices.Index(betting.RoundNames[:], from)), Threads: runtime.NumCPU()}
}

// openSolved opens a strategy for a player that solves rounds in play. It may lack these.
func openSolved(cmd *cobra.Command, file string, solving poker.Solving, free int64) (*cfr.Policy, error) {
	if solving.Iterations == 0 {
		return openPolicy(cmd, file, free)
	}
	policy, err := openPart(cmd, file, free)
	if err != nil {
		return nil, err
	}
	prepared, err := solving.Prepare(policy, free)
	if err != nil {
		err = errors.Join(err, policy.Close())
	}
	switch {
	case errors.As(err, new(*cfr.CutError)):
		err = usererr.WithHint(err, "--solve-from turn solves the turn, too")
	case errors.As(err, new(*poker.SolvingError)):
		err = usererr.WithHint(err, "leave --solve out, bot.solve in settings, to play the strategy as it is")
	}
	return prepared, err
}
