package main

import (
	"runtime"
	"strings"

	"gamebots/bots/poker"
	"gamebots/bots/poker/resolving"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
	"gamebots/solvers/resolve/spot/ondevice"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// solvingFlags are the flags of commands whose bots solve rounds in play.
type solvingFlags struct{ configs.Solving }

// Add adds the flags, with who solves for their help.
func (f *solvingFlags) Add(flags *pflag.FlagSet, who string) {
	flags.Uint64Var(&f.Iterations, "solve", 0, who+" the last round in play, in this many `ITERATIONS`, as in 200")
	flags.StringVar(&f.From, "solve-from", "",
		"with --solve: the first `ROUND` that is solved: flop (on a GPU), turn or river; for no-limit hold'em")
}

// AddTime adds the flag of commands that play. What has been solved in a given time cannot be
// solved again, as estimates of it would have to.
func (f *solvingFlags) AddTime(flags *pflag.FlagSet) {
	flags.DurationVar(&f.Time, "solve-time", 0,
		"with --solve: average time to think about a hand; for no-limit hold'em")
}

// CheckDevice returns an error if --device was given and no turn is solved.
func (f *solvingFlags) CheckDevice(given func(flag string) bool) error {
	if given("device") && !f.Turns() {
		return usererr.Usagef("--device has no effect without --solve-from turn or flop")
	}
	return nil
}

// Check returns an error for rounds that nothing solves.
func (f *solvingFlags) Check(flags *pflag.FlagSet) error {
	if flags.Changed("solve") && f.Iterations < 1 {
		return usererr.Usagef("--solve %d: want at least 1", f.Iterations)
	}
	if err := f.Solving.Check(func(key string) string { return "--" + strings.ReplaceAll(key, "_", "-") }); err != nil {
		return usererr.Usage(err)
	}
	return nil
}

// Poker returns the rounds that are solved in play.
func (f *solvingFlags) Poker() resolving.Options { return solvingOf(f.Solving) }

// solvingOf returns the rounds that settings have solved in play.
func solvingOf(s configs.Solving) resolving.Options {
	return resolving.Options{
		Options: resolve.Options{
			Iterations: s.Iterations, From: resolving.RoundNamed(s.From), Threads: runtime.NumCPU(),
		},
		TimeLimits: poker.TimeLimits{Time: s.Time},
	}
}

// onDevice returns solving with flops and turns on the chosen device, which is open until the program ends. Its
// speed is measured where there is a time limit. A device that fails in play is left.
func onDevice(cmd *cobra.Command, solving resolving.Options, choice cudalib.Choice) (resolving.Options, error) {
	if choice.CPU() {
		return solving, nil
	}
	log := zerolog.Ctx(cmd.Context())
	device, where, err := choice.Open()
	if err != nil {
		return solving, err
	}
	if device == nil {
		return solving, nil
	}
	spots, memory, err := ondevice.Shared(device)
	if err != nil {
		return solving, err
	}
	solving.Device = resolve.NewDevice(spots, memory)
	solving.DeviceFailed = func(err error) {
		log.Warn().Str("device", where).Err(err).Msg("the device failed; the rest is solved on the CPU")
	}
	event := log.Info().Str("device", where)
	if solving.Time > 0 || solving.Keeper != nil {
		if err := solving.Device.Measure(cmd.Context(), solving.Threads); err != nil {
			return solving, err
		}
		event = event.Float64("entries_per_second", solving.Device.Speed())
	}
	event.Msg("solving there")
	return solving, nil
}

// warnOfRounds warns before a bot plays a strategy that lacks rounds.
func warnOfRounds(cmd *cobra.Command, p *policy.Policy) {
	lacking := betting.RoundNames[p.Rounds():p.Tree.Game.NumRounds]
	if len(lacking) > 0 {
		zerolog.Ctx(cmd.Context()).Warn().Strs("lacks", lacking).
			Msg("where there is no time to solve these rounds, the bot only calls or folds, by its cards alone")
	}
}
