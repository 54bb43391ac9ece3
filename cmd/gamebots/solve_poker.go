package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gamebots/bots/spots"
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
	spot       string
	locks      []string
	at         []string
	save       string
	checkpoint time.Duration
	flops      string
	from       string
	grid       gridFlags
	force      bool
	threads    int
	device     cudalib.Choice
	memory     cli.Bytes
	spotFormat
}

// spotKeys are the keys of [configs.Spot] that have flags, with the usage of the flag.
var spotKeys = []struct{ flag, key, usage string }{
	{"board", "spot.board", "`CARDS` of the flop, and of the turn and the river as far as they are dealt"},
	{"pot", "spot.pot", "`CHIPS` in the middle"},
	{"stack", "spot.stack", "`CHIPS` that each player has left"},
	{"range-oop", "ranges.oop",
		"`RANGE` of the player out of position, as in 22+,A5s-A2s,KQ,AKo:0.5,AhKh (default all hands)"},
	{"range-ip", "ranges.ip", "`RANGE` of the player in position"},
	{"bets", "bets.bets", "`SIZES` of bets, as in '50,100' or '33,75; river: 50,a; oop turn: 120c' (default 50,100)"},
	{"raises", "bets.raises", "`SIZES` of raises, as in '60', '2.5x' or '60,a; turn: 50' (default 60)"},
	{"donks", "bets.donks",
		"`SIZES` of bets into the player who bet last on the street before, '' for none (default those of --bets)"},
	{"raise-cap", "bets.raise_cap", "allow at most `N` bets and raises on a street (default no limit)"},
	{"add-all-in", "bets.add_all_in", "add all-in where it is at most so many `POTS` (default 1)"},
	{"force-all-in", "bets.force_all_in", "make bets all-in that leave at most so many `POTS` behind (default 0.15)"},
	{"merge", "bets.merge", "merge bets that differ by less than this `PART` into the larger one (default 0.1)"},
	{"rake", "rake.percent", "`PERCENT` of a pot that the house takes"},
	{"rake-cap", "rake.cap", "the most `CHIPS` that the house takes"},
	{"algorithm", "solve.algorithm", "`NAME` of the variant of CFR: dcfr, cfr+, dcfr+, linear or cfr (default dcfr)"},
	{"target", "solve.target", "stop at this exploitability, in `PERCENT` of the pot (default 0.3)"},
	{"iterations", "solve.iterations", "stop after `N` iterations (default 1000)"},
	{"bits", "solve.bits", "`N` bits an entry: 32, or 16 for about half of the memory (default 32)"},
}

func newSolvePoker() *cobra.Command {
	var f spotFlags
	cmd := command("solve_poker", "poker",
		"Solve a flop, turn or river of no-limit hold'em for two ranges", cli.Arguments(0, 0))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return f.run(cmd) }
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.spot, "spot", "",
		"read the spot from this `FILE` of settings or of --save, or the name of a shipped one: "+
			strings.Join(configs.Spots(), ", "))
	for _, k := range spotKeys {
		flags.Var(new(textFlag), k.flag, k.usage)
	}
	flags.StringArrayVar(&f.locks, "lock", nil, "keep the strategy of this CSV `FILE` fixed; more than once for more")
	flags.StringArrayVar(&f.at, "at", nil,
		"show the point after this `LINE` instead of the root; more than once for more")
	flags.StringVar(&f.save, "save", "", "also save the solution into this `FILE`, which show opens")
	flags.DurationVar(&f.checkpoint, "checkpoint", 0,
		"with --save: also save FILE.checkpoint, from which solving goes on, at this `INTERVAL` and at the end")
	flags.StringVar(&f.from, "from", "",
		"take pot, stacks and ranges from this `STRATEGY` after the betting of --at, as show reads it")
	flags.StringVar(&f.flops, "flops", "",
		"solve many boards, those of this `FILE` with their weights, or so many flops of all, spread evenly")
	f.grid.Add(flags)
	cli.AddForce(flags, &f.force)
	cli.AddThreads(flags, &f.threads, "threads; the result is the same")
	cli.AddDevice(flags, &f.device, "where to solve: auto, cpu, cuda or cuda:N; the result is the same")
	cli.AddMemory(flags, &f.memory)
	flags.BoolVar(&f.table, "table", false, "also print a table of all hands")
	flags.BoolVar(&f.csv, "csv", false, "print CSV, a line for each hand and action")
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	flags.StringVar(&f.svg, "svg", "", "also draw the grid into this `FILE`")
	flags.Var(&f.color, "color", "colours: auto, always or never")
	cli.Settings(cmd, "donks", "raise-cap", "add-all-in", "force-all-in", "merge", "rake", "rake-cap", "algorithm",
		"iterations", "bits", "threads", "memory", "table", "svg", "color", "checkpoint", "force",
		"device", "lock", "json", "nats", "nats-listen", "nats-keys", "nats-token", "nats-ca", "nats-own")
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
			all = append(all, k.key+"="+flag.Value.String())
		}
	}
	return all
}

// check refuses flags that cannot be combined. given reports whether a flag was set.
func (f *spotFlags) check(given func(flag string) bool) error {
	switch {
	case f.csv && f.json, f.csv && f.table, f.json && f.table:
		return usererr.Usagef("--csv, --json and --table cannot be combined")
	case f.svg != "" && filepath.Ext(f.svg) != ".svg":
		return usererr.Usagef("--svg: %q is not an .svg file", f.svg)
	case f.svg != "" && len(f.at) > 1:
		return usererr.Usagef("--svg draws one point, not %d", len(f.at))
	case !given("spot") && !given("board") && f.flops == "":
		return usererr.WithHint(usererr.Usagef("--board or --spot is needed"),
			"--board 'Qs Jh 2h' --pot 180 --stack 910 is a flop, --spot river-bluffs a shipped spot")
	}
	return nil
}

func (f *spotFlags) run(cmd *cobra.Command) (err error) {
	if err := f.check(cmd.Flags().Changed); err != nil {
		return err
	}
	if err := cli.Writable(f.svg, "--svg"); err != nil {
		return err
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
	} else if settings, s, err = f.load(append(start, overrides(cmd.Flags())...)); err != nil {
		return err
	}
	if err := f.checkSave(); err != nil {
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
	if err := f.resume(cmd, solver); err != nil {
		return err
	}
	defer shutdown.Inhibit("evaluating the solution so far")()
	begun, keeper := time.Now(), &keeper{f, solver, time.Now()}
	exploitability, err := solveSpot(cmd, solver, s, spot.Limits{
		Iterations: settings.Solve.Iterations, Exploitability: settings.Solve.Target / 100 * float64(s.Pot),
	}, keeper)
	if err != nil {
		return err
	}
	seconds := time.Since(begun).Seconds()
	r, err := spots.NewReport(solver.Solution(), solver.Iterations(), f.at)
	if err != nil {
		return err
	}
	r.Entries, r.Seconds = solver.Entries(), seconds
	if err := keeper.write(zerolog.Ctx(cmd.Context()), r.Evaluation.Exploitability()); err != nil {
		return err
	}
	if err := printSpot(cmd.OutOrStdout(), r, f.spotFormat); err != nil {
		return err
	}
	if cmd.Context().Err() != nil {
		return fmt.Errorf("interrupted after %d of %d iterations", solver.Iterations(), settings.Solve.Iterations)
	}
	return missed(cmd.Flags().Changed, 100*exploitability/float64(s.Pot), settings.Solve.Target, solver.Iterations())
}

// missed returns an error if a target was not reached, in percent of the pot. There is none of 0, and none if only
// --iterations are given.
func missed(given func(flag string) bool, exploitability, target float64, iterations uint64) error {
	if target == 0 || exploitability <= target || given("iterations") && !given("target") {
		return nil
	}
	return usererr.WithHint(fmt.Errorf("the target of %g%% of the pot was missed: %.3g%% after %d iterations",
		target, exploitability, iterations), "more --iterations, or a larger --target")
}

// load reads the spot, what flags say instead, and its locks.
func (f *spotFlags) load(overrides []string) (settings configs.Spot, s *spot.Spot, err error) {
	settings, err = configs.LoadSpot(f.spot, overrides, func(c *configs.Spot) (err error) {
		s, err = spots.FromSettings(c)
		return err
	})
	if e := (*configs.Error)(nil); errors.As(err, &e) && (e.File == configs.CommandLine || e.File == "") {
		chips := e.Key == "spot.pot" || e.Key == "spot.stack"
		for _, k := range spotKeys {
			if k.key != e.Key {
				continue
			}
			e.File, e.Key = "--"+k.flag, ""
			given := func(text string) bool { return strings.HasPrefix(text, k.key+"=") }
			if chips && f.spot == "" && !slices.ContainsFunc(overrides, given) {
				e.Msg = "missing"
			}
		}
		if err = usererr.Usage(err); chips {
			err = usererr.WithHint(err, "give whole chips, as in --pot 550 --stack 9725 for 5.5 and 97.25 big blinds")
		}
	}
	if err != nil {
		return settings, nil, err
	}
	capped := func(text string) bool { return strings.HasPrefix(text, "rake.cap=") }
	if settings.Rake.Percent == 0 && slices.ContainsFunc(overrides, capped) {
		return settings, nil, usererr.Usagef("--rake-cap has no effect without --rake")
	}
	for _, name := range f.locks {
		file, err := os.Open(name)
		if err != nil {
			return settings, nil, err
		}
		locks, err := spots.ReadLocks(file)
		if err := errors.Join(err, file.Close()); err != nil {
			return settings, nil, usererr.WithHint(fmt.Errorf("%s: %w", name, err), "--csv prints such a file")
		}
		s.Locks = append(s.Locks, locks...)
	}
	return settings, s, nil
}

// options returns how to solve a spot.
func (f *spotFlags) options(solve configs.SpotSolve) (spot.Options, error) {
	algorithm, ok := cfr.AlgorithmByName(solve.Algorithm)
	if !ok {
		return spot.Options{}, usererr.Usagef("--algorithm: %q is not %s",
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
		d, where, err = f.device.If(f.onGPU()).If(solver.DeviceWorthwhile()).Open()
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
	bits := "--bits 16 takes about half of it; "
	if options.Algorithm.Quantized {
		bits = ""
	}
	switch {
	case errors.Is(err, spot.ErrDeviceMemory):
		return nil, nil, usererr.WithHint(err, bits+"--device cpu solves it there")
	case errors.Is(err, spot.ErrTooManyNodes):
		return nil, nil, usererr.WithHint(err, "fewer sizes of bets, or a --raise-cap, make it smaller")
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
func solveSpot(
	cmd *cobra.Command, solver *spot.Solver, s *spot.Spot, limits spot.Limits, k *keeper,
) (exploitability float64, failed error) {
	ctx, end := context.WithCancelCause(cmd.Context())
	defer end(nil)
	bar := progress.New(cmd.ErrOrStderr(), "solving")
	defer bar.Close()
	abort, free := cli.Late(cmd.Context())
	defer free()
	limits.Abort = abort
	exploitability = solver.Solve(ctx, limits, func(exploitability float64) {
		if failed = errors.Join(failed, k.tick()); failed != nil {
			end(failed)
		}
		if !bar.Due() {
			return
		}
		// Exploitability falls about as the square of the iterations rises.
		n := solver.Iterations()
		part := max(float64(n)/float64(limits.Iterations), math.Sqrt(limits.Exploitability/exploitability))
		text := fmt.Sprintf("%.2g%% of the pot after %d iterations, %s left",
			100*exploitability/float64(s.Pot), n, progress.TimeLeft(bar.Start, math.Min(1, part)))
		if !bar.Show(part, text) {
			zerolog.Ctx(cmd.Context()).Info().Str("exploitability", text).Msg("solving the spot")
		}
	})
	return exploitability, failed
}
