package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"gamebots/bots/spotstudy"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/progress"
	"gamebots/internal/shutdown"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr"
	"gamebots/solvers/resolve/spot"
	"gamebots/solvers/resolve/spot/ondevice"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// spotFlags are the flags of solve poker.
type spotFlags struct {
	spot    string
	locks   []string
	at      []string
	save    string
	flops   string
	grid    gridFlags
	force   bool
	threads int
	device  cudalib.Choice
	memory  cli.Bytes
	json    bool
}

// spotKeys are the keys of [configs.Spot] that have flags.
var spotKeys = []struct{ flag, key string }{
	{"board", "spot.board"}, {"pot", "spot.pot"}, {"stack", "spot.stack"}, {"range-oop", "ranges.oop"},
	{"range-ip", "ranges.ip"}, {"bets", "bets.bets"}, {"raises", "bets.raises"}, {"donks", "bets.donks"},
	{"rake", "rake.percent"}, {"target", "solve.target"},
	{"iterations", "solve.iterations"},
}

func newSolvePoker() *cobra.Command {
	var f spotFlags
	cmd := command("solve_poker", "poker",
		"Solve a flop, turn or river of no-limit hold'em for two ranges", cli.Arguments(0, 0),
		"SPOTS", configs.Spots())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return f.run(cmd) }
	flags := cmd.Flags()
	flags.SortFlags = false
	f.grid.Add(flags)
	var keys []any
	for _, k := range spotKeys {
		keys = append(keys, k.flag, new(textFlag))
	}
	cli.Bind(cmd, append(keys, "spot", &f.spot, "lock", &f.locks, "at", &f.at, "save", &f.save,
		"flops", &f.flops, "force", &f.force, "threads", cli.PerProcessor(&f.threads), "device", &f.device,
		"memory", &f.memory, "json", &f.json)...)
	return cmd
}

// textFlag is a flag whose text is read later.
type textFlag string

func (*textFlag) Type() string         { return "" }
func (t *textFlag) String() string     { return string(*t) }
func (t *textFlag) Set(s string) error { *t = textFlag(s); return nil }

// overrides returns the settings that flags give.
func overrides(flags *pflag.FlagSet) (all []string) {
	for _, k := range spotKeys {
		if flag := flags.Lookup(k.flag); flag.Changed {
			value, more := flag.Value.String(), false
			if k.flag == "rake" {
				var most string
				if value, most, more = strings.Cut(value, ","); more {
					all = append(all, "rake.cap="+most)
				}
			}
			all = append(all, k.key+"="+value)
		}
	}
	return all
}

func (f *spotFlags) run(cmd *cobra.Command) (err error) {
	if given := cmd.Flags().Changed; !given("spot") && !given("board") && f.flops == "" {
		return usererr.WithHint(usererr.Usagef("--board or --spot is needed"),
			"--board 'Qs Jh 2h' --pot 180 --stack 910 is a flop, --spot river-bluffs a shipped spot")
	}
	if len(f.at) == 0 {
		f.at = []string{""}
	}
	if f.flops != "" {
		return f.solveBoards(cmd)
	}
	if f.grid.NATS != "" {
		return usererr.Usagef("--nats has no effect without --flops")
	}
	again := againWith(cmd.Flags(), "solve", "poker")
	start, err := f.start(cmd)
	if err != nil {
		return err
	}
	settings, saved, found, err := f.loadSaved(overrides(cmd.Flags()))
	if err != nil {
		return err
	}
	var s *spot.Spot
	if found {
		defer saved.Close()
		if done, err := f.printSaved(cmd, saved, settings.Solve); done || err != nil {
			return err
		}
		s = saved.Spot()
		zerolog.Ctx(cmd.Context()).Info().Msg("the saved spot is solved from the start")
	} else if settings, s, err = f.load(append(start, overrides(cmd.Flags())...)); err != nil {
		return err
	}
	if err := cli.Replaceable(f.save, "--save FILE", f.force || f.save == f.spot); err != nil {
		return err
	}
	options, err := f.options(settings.Solve)
	if err != nil {
		return err
	}
	solver, release, err := f.open(cmd.Context(), s, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	for _, line := range f.at {
		if err := solver.Solution().Check(line); err != nil {
			return usererr.Usage(err)
		}
	}
	defer shutdown.Inhibit("evaluating the solution so far")()
	begun := time.Now()
	exploitability := solveSpot(cmd, solver, s, spot.Limits{
		Iterations: settings.Solve.Iterations, Exploitability: settings.Solve.Target / 100 * float64(s.Pot),
	})
	seconds := time.Since(begun).Seconds()
	r, err := spotstudy.NewReport(solver.Solution(), solver.Iterations(), f.at)
	if err != nil {
		return err
	}
	r.Entries, r.Seconds = solver.Entries(), seconds
	worse := false
	if found && f.save == f.spot && !f.force {
		before := saved.Evaluate()
		worse = r.Evaluation.Exploitability() > before.Exploitability()
	}
	if !worse {
		if err := f.write(zerolog.Ctx(cmd.Context()), solver, r.Evaluation.Exploitability()); err != nil {
			return err
		}
	}
	if err := printSpot(cmd.OutOrStdout(), r, spotFormat{json: f.json}); err != nil {
		return err
	}
	if worse {
		return usererr.WithHint(fmt.Errorf("%s is kept: its solution is closer", f.save), "--force replaces it")
	}
	if cmd.Context().Err() != nil {
		return fmt.Errorf("interrupted after %d of %d iterations", solver.Iterations(), settings.Solve.Iterations)
	}
	err = missed(cmd.Flags().Changed, 100*exploitability/float64(s.Pot), settings.Solve.Target, solver.Iterations())
	if f.save != "" {
		return cli.Next(cmd, err, "show", f.save, "--walk")
	}
	return cli.Next(cmd, err, append(again, "--save", "my.spot")...)
}

// againWith returns the words of a command with the flags that were given.
func againWith(flags *pflag.FlagSet, words ...string) []string {
	flags.Visit(func(flag *pflag.Flag) {
		values := []string{flag.Value.String()}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			if flag.NoOptDefVal == "" && flag.Name != "set" { // the settings are flags themselves
				words = append(words, "--"+flag.Name, value)
			}
		}
	})
	return words
}

// missed returns an error if a target was not reached, in percent of the pot. There is none of 0, and none if only
// --iterations are given.
func missed(given func(flag string) bool, exploitability, target float64, iterations uint64) error {
	if target == 0 || exploitability <= target || given("iterations") && !given("target") {
		return nil
	}
	return usererr.WithHint(fmt.Errorf("the target of %g%% of the pot was missed: %.3g%% after %s",
		target, exploitability, usererr.Iterations(iterations)), "more --iterations, or a larger --target")
}

// flagOf returns the flag that gives a key, or "".
func flagOf(key string) string {
	for _, k := range spotKeys {
		if k.key == strings.Replace(key, ".cap", ".percent", 1) { // --rake gives both
			return k.flag
		}
	}
	return ""
}

// flagError returns the error of a setting as that of the flag that gives it.
func (f *spotFlags) flagError(err error, overrides []string) error {
	e := (*configs.Error)(nil)
	if !errors.As(err, &e) || e.File != configs.CommandLine && e.File != "" {
		return err
	}
	key := e.Key
	if flag := flagOf(key); flag != "" {
		e.File, e.Key = "--"+flag, ""
	}
	if key != "spot.pot" && key != "spot.stack" {
		return usererr.Usage(err)
	}
	given := func(text string) bool { return strings.HasPrefix(text, key+"=") }
	if f.spot == "" && !slices.ContainsFunc(overrides, given) {
		e.Msg = "missing"
	}
	return usererr.WithHint(usererr.Usage(err),
		"give whole chips, as in --pot 550 --stack 9725 for 5.5 and 97.25 big blinds")
}

// load reads the spot, what flags say instead, and its locks.
func (f *spotFlags) load(overrides []string) (settings configs.Spot, s *spot.Spot, err error) {
	settings, err = configs.LoadSpot(f.spot, overrides, func(c *configs.Spot) (err error) {
		s, err = spotstudy.FromSettings(c)
		return err
	})
	if err != nil {
		return settings, nil, f.flagError(err, overrides)
	}
	for _, name := range f.locks {
		file, err := os.Open(name)
		if err != nil {
			return settings, nil, err
		}
		locks, err := spotstudy.ReadLocks(file)
		if err := errors.Join(err, file.Close()); err != nil {
			return settings, nil, usererr.WithHint(fmt.Errorf("%s: %w", name, err),
				"gamebots show FILE --csv prints such a file")
		}
		s.Locks = append(s.Locks, locks...)
	}
	return settings, s, nil
}

// options returns how to solve a spot.
func (f *spotFlags) options(solve configs.SpotSolve) (spot.Options, error) {
	algorithm, ok := cfr.AlgorithmByName(solve.Algorithm)
	if !ok {
		return spot.Options{}, usererr.Usagef("solve.algorithm: %q is not %s",
			solve.Algorithm, usererr.OneOf(solve.Algorithm, spot.Algorithms()))
	}
	algorithm.Quantized = solve.Bits == 16
	return spot.Options{Algorithm: algorithm, Threads: f.threads, Memory: f.memory.Or(memory.Available)}, nil
}

// open lays out a spot on the device that was asked for, or on a GPU where there is one and enough to do,
// and says how large it is. Release frees the device.
func (f *spotFlags) open(
	ctx context.Context, s *spot.Spot, options spot.Options,
) (solver *spot.Solver, release func() error, err error) {
	var d *cudalib.Device
	where := ""
	options.DeviceMemory = f.memory.Or(func() int64 { return 0 })
	options.Device = func(solver *spot.Solver) (_ spot.Device, err error) {
		d, where, err = f.device.If(solver.DeviceWorthwhile()).Open()
		return ondevice.Of(d), err
	}
	solver, err = spot.New(s, options)
	if err != nil && d != nil {
		err, d = errors.Join(err, d.Close()), nil
		if !f.device.GPU() {
			where, options.Device = "the CPU: "+err.Error(), nil
			solver, err = spot.New(s, options)
		}
	}
	bits := "bits = 16 in a file of --spot takes about half of it; "
	if options.Algorithm.Quantized {
		bits = ""
	}
	switch {
	case errors.Is(err, spot.ErrDeviceMemory):
		return nil, nil, usererr.WithHint(err, bits+"--device cpu solves it there")
	case errors.Is(err, spot.ErrTooManyNodes):
		return nil, nil, usererr.WithHint(err, "fewer sizes of bets, or raise_cap in a file of --spot, make it less")
	case errors.As(err, new(*spot.MemoryError)):
		return nil, nil, usererr.WithHint(err, bits+"fewer sizes of bets or narrower ranges make it smaller")
	case err != nil:
		return nil, nil, err
	}
	line := zerolog.Ctx(ctx).Info().Int64("entries", solver.Entries()).Str("memory", memory.Bytes(solver.Bytes())).
		Int("decisions", solver.Decisions()).Str("device", where)
	release = func() error { return nil }
	if d != nil {
		line = line.Str("device_memory", memory.Bytes(solver.DeviceBytes()))
		release = func() error { return errors.Join(solver.Close(), d.Close()) }
	}
	if f.save != "" {
		line = line.Str("file_at_most", memory.Bytes(solver.SavedBytes()))
	}
	line.Msg("solving the spot")
	return solver, release, nil
}

// solveSpot improves the strategies, and shows how far they are.
func solveSpot(cmd *cobra.Command, solver *spot.Solver, s *spot.Spot, limits spot.Limits) (exploitability float64) {
	bar := progress.New(cmd.ErrOrStderr(), "solving")
	defer bar.Close()
	abort, free := cli.Late(cmd.Context())
	defer free()
	limits.Abort = abort
	return solver.Solve(cmd.Context(), limits, func(exploitability float64) {
		if !bar.Due() {
			return
		}
		// Exploitability falls about as the square of the iterations rises.
		n := solver.Iterations()
		part := max(float64(n)/float64(limits.Iterations), math.Sqrt(limits.Exploitability/exploitability))
		text := fmt.Sprintf("%.2g%% of the pot after %s, %s left",
			100*exploitability/float64(s.Pot), usererr.Iterations(n), progress.TimeLeft(bar.Start, math.Min(1, part)))
		if !bar.Show(part, text) {
			zerolog.Ctx(cmd.Context()).Info().Str("exploitability", text).Msg("solving the spot")
		}
	})
}
