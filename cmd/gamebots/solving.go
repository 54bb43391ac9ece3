package main

import (
	"errors"
	"runtime"
	"strings"

	"gamebots/bots/poker"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/usererr"
	"gamebots/solvers/policy"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// solvingFlags are the flags of commands whose bots solve rounds in play.
type solvingFlags struct{ configs.Solving }

func (f *solvingFlags) add(flags *pflag.FlagSet, who string) {
	flags.Uint64Var(&f.Iterations, "solve", 0, who+" the last round in play, in this many `ITERATIONS`, as in 200")
	flags.StringVar(&f.From, "solve-from", "", "with --solve: the first `ROUND` that is solved: flop, turn or river; for no-limit hold'em")
}

// addTime adds the flag of commands that play. What has been solved in a given time cannot be
// solved again, as estimates of it would have to.
func (f *solvingFlags) addTime(flags *pflag.FlagSet) {
	flags.DurationVar(&f.Time, "solve-time", 0, "with --solve: average time to think about a hand; for no-limit hold'em")
}

// checkDevice returns an error if --device was given and no turn is solved.
func (f *solvingFlags) checkDevice(flags *pflag.FlagSet) error {
	if flags.Changed("device") && !f.Turns() {
		return usererr.Usagef("--device has no effect without --solve-from turn or flop")
	}
	return nil
}

// check returns an error for rounds that nothing solves.
func (f *solvingFlags) check(flags *pflag.FlagSet) error {
	if flags.Changed("solve") && f.Iterations < 1 {
		return usererr.Usagef("--solve %d: want at least 1", f.Iterations)
	}
	if err := f.Check(func(key string) string { return "--" + strings.ReplaceAll(key, "_", "-") }); err != nil {
		return usererr.Usage(err)
	}
	return nil
}

func (f *solvingFlags) solving() poker.Solving { return solvingOf(f.Solving) }

// solvingOf returns the rounds that settings have solved in play.
func solvingOf(s configs.Solving) poker.Solving {
	return poker.Solving{Iterations: int(s.Iterations), From: poker.RoundNamed(s.From), Time: s.Time, Threads: runtime.NumCPU()}
}

// onDevice returns solving with turns on the chosen device, which is open until the program ends.
func onDevice(cmd *cobra.Command, solving poker.Solving, choice cudalib.Choice) (poker.Solving, error) {
	if choice.CPU() {
		return solving, nil
	}
	device, where, err := choice.Open()
	if err == nil {
		zerolog.Ctx(cmd.Context()).Info().Str("device", where).Msg("turns are solved there")
	}
	solving.Device = device
	return solving, err
}

// openSolved opens a strategy for a player that solves rounds in play. It may lack these.
func openSolved(cmd *cobra.Command, file string, solving poker.Solving, free int64) (*policy.Policy, error) {
	if solving.Iterations == 0 {
		return openPolicy(cmd, file, free)
	}
	p, err := openPart(cmd, file, free)
	if err != nil {
		return nil, err
	}
	prepared, err := solving.Prepare(p, free)
	if err != nil {
		err = errors.Join(err, p.Close())
	}
	switch {
	case errors.As(err, new(*policy.CutError)):
		err = usererr.WithHint(err, "--solve-from turn solves the turn, too")
	case errors.As(err, new(*poker.SolvingError)):
		err = usererr.WithHint(usererr.Usage(err), "without --solve, and bot.solve in settings, the strategy is played as it is")
	}
	return prepared, err
}
