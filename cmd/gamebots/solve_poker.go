package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gamebots/bots/registry"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/progress"
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
	threads int
	device  cudalib.Choice
	memory  cli.Bytes
	table   bool
	csv     bool
	json    bool
	svg     string
	color   cli.Colour
}

// spotKeys are the keys of [configs.Spot] that have flags, with the usage of the flag.
var spotKeys = []struct{ flag, key, usage string }{
	{"board", "spot.board", "`CARDS` of the flop, and of the turn and the river as far as they are dealt"},
	{"pot", "spot.pot", "`CHIPS` in the middle"},
	{"stack", "spot.stack", "`CHIPS` that each player has left"},
	{"range-oop", "ranges.oop", "`RANGE` of the player out of position, as in 22+,A5s-A2s,KQ,AKo:0.5,AhKh (default all hands)"},
	{"range-ip", "ranges.ip", "`RANGE` of the player in position"},
	{"bets", "bets.bets", "`SIZES` of bets, as in '50,100' or '33,75; river: 50,a; oop turn: 120c' (default 50,100)"},
	{"raises", "bets.raises", "`SIZES` of raises, as in '60', '2.5x' or '60,a; turn: 50' (default 60)"},
	{"donks", "bets.donks", "`SIZES` of bets into the player who bet last on the street before (default those of --bets)"},
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
	cmd := &cobra.Command{
		Use:   "poker",
		Short: "Solve a flop, turn or river of no-limit hold'em for two ranges",
		Long: `poker solves the rest of a hand of two-player no-limit hold'em, from the start
of the flop, the turn or the river: with exact cards, for a range of each player
and the bet sizes that are given. It stops when best responses gain no more than
--target, and prints what the players win and do at the root, or at the points
of --at. After Ctrl-C it prints the solution so far.

A range has items such as AA, AKs, AKo, AK, TT+, A5s-A2s, AhKd or random, each
with a weight as in QQ:0.5. Sizes of bets and raises are in percent of the pot,
or 2.5x (of the bet), 120c (chips), e (the part of the pot that is all-in after
all streets) and a (all-in); parts after a semicolon are for a player (oop, ip),
a street, or both.

A line for --at has steps: x checks, c calls, f folds, b60 bets 60 chips, r180
raises to 180 chips on the street, and 7s is the next card, as in "x b60 c 7s".

--spot reads all of this from a file, or names a shipped spot; flags override
it. Large spots are solved on a GPU if there is one, with the same result;
--device chooses.

--csv prints every hand. --lock reads such a file, edited, and keeps the
strategy in it fixed.

More: docs/solve-poker.md`,
		Example: `  gamebots solve poker --spot river-bluffs
  gamebots solve poker --board 'Td 9d 6h Qc' --pot 200 --stack 900 \
    --bets 60,e,a --raises 2.5x --at 'b120'
  gamebots solve poker --board QsJh2h --range-oop 'QQ+,AKs,KJs:0.5' \
    --range-ip 99-22,AK --pot 180 --stack 910
  gamebots solve poker --spot texas-river --at x --csv > node.csv
  gamebots solve poker --spot texas-river --lock node.csv --svg root.svg`,
		Args: cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.spot, "spot", "", "read the spot from this `FILE`, or the name of a shipped one: "+strings.Join(configs.Spots(), ", "))
	for _, k := range spotKeys {
		flags.Var(new(textFlag), k.flag, k.usage)
	}
	flags.StringArrayVar(&f.locks, "lock", nil, "keep the strategy of this CSV `FILE` fixed; more than once for more")
	flags.StringArrayVar(&f.at, "at", nil, "show the point after this `LINE` instead of the root; more than once for more")
	cli.AddThreads(flags, &f.threads, "threads; the result is the same")
	cli.AddDevice(flags, &f.device, "where to solve: auto, cpu, cuda or cuda:N; the result is the same")
	flags.Var(&f.memory, "memory", "memory limit, as in 8GiB (default all available memory)")
	flags.BoolVar(&f.table, "table", false, "also print a table of all hands")
	flags.BoolVar(&f.csv, "csv", false, "print CSV, a line for each hand and action")
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	flags.StringVar(&f.svg, "svg", "", "also draw the grid into this `FILE`")
	flags.Var(&f.color, "color", "colours: auto, always or never")
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

// check refuses flags that cannot be combined.
func (f *spotFlags) check(flags *pflag.FlagSet) error {
	switch {
	case f.csv && f.json, f.csv && f.table, f.json && f.table:
		return usererr.Usagef("--csv, --json and --table cannot be combined")
	case f.svg != "" && filepath.Ext(f.svg) != ".svg":
		return usererr.Usagef("--svg: %q is not an .svg file", f.svg)
	case f.svg != "" && len(f.at) > 1:
		return usererr.Usagef("--svg draws one point, not %d", len(f.at))
	case !flags.Changed("spot") && !flags.Changed("board"):
		return usererr.WithHint(usererr.Usagef("--board or --spot is needed"), "--board 'Qs Jh 2h' --pot 180 --stack 910 is a flop, --spot river-bluffs a shipped spot")
	case f.svg != "":
		return cli.Writable(f.svg, "--svg")
	}
	return nil
}

func (f *spotFlags) run(cmd *cobra.Command) (err error) {
	if err := f.check(cmd.Flags()); err != nil {
		return err
	}
	settings, s, err := f.load(cmd.Flags())
	if err != nil {
		return err
	}
	if s.Locks, err = readLocks(f.locks); err != nil {
		return err
	}
	solver, err := f.open(cmd.Context(), settings, s)
	if err != nil {
		return err
	}
	if len(f.at) == 0 {
		f.at = []string{""}
	}
	solution := solver.Solution()
	for _, line := range f.at {
		if err := solution.Check(line); err != nil {
			return usererr.Usage(err)
		}
	}
	release, err := f.useDevice(cmd.Context(), solver)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	start := time.Now()
	f.solve(cmd, solver, settings, s)
	r := &spotResult{solver: solver, spot: s, evaluation: solution.Evaluate(), seconds: time.Since(start).Seconds()}
	if err := solver.Err(); err != nil {
		return err
	}
	for _, line := range f.at {
		n, err := solution.At(line)
		if err != nil {
			return err
		}
		r.nodes = append(r.nodes, n)
	}
	if err := f.print(cmd.OutOrStdout(), r); err != nil {
		return err
	}
	if cmd.Context().Err() != nil {
		return fmt.Errorf("stopped after %d of %d iterations", solver.Iterations(), settings.Solve.Iterations)
	}
	return nil
}

// load reads the spot and the flags that override it.
func (f *spotFlags) load(flags *pflag.FlagSet) (settings configs.Spot, s *spot.Spot, err error) {
	settings, err = configs.LoadSpot(f.spot, overrides(flags), func(c *configs.Spot) (err error) {
		s, err = registry.NewSpot(c)
		return err
	})
	if e := (*configs.Error)(nil); errors.As(err, &e) && (e.File == configs.CommandLine || e.File == "") {
		for _, k := range spotKeys {
			if k.key == e.Key {
				e.File, e.Key = "--"+k.flag, ""
			}
		}
		err = usererr.Usage(err)
	}
	if err == nil && flags.Changed("rake-cap") && settings.Rake.Percent == 0 {
		err = usererr.Usagef("--rake-cap has no effect without --rake")
	}
	return settings, s, err
}

// open lays out a spot, and says how large it is.
func (f *spotFlags) open(ctx context.Context, settings configs.Spot, s *spot.Spot) (*spot.Solver, error) {
	algorithm, ok := cfr.AlgorithmByName(settings.Solve.Algorithm)
	if !ok {
		name := settings.Solve.Algorithm
		return nil, usererr.Usagef("--algorithm: %q is not %s", name, usererr.OneOf(name, spot.Algorithms()))
	}
	algorithm.Quantized = settings.Solve.Bits == 16
	solver, err := spot.New(s, spot.Options{Algorithm: algorithm, Threads: f.threads, Memory: f.memory.Or(memory.Available)})
	switch {
	case errors.Is(err, spot.ErrTooManyNodes):
		return nil, usererr.WithHint(err, "fewer sizes of bets, or a --raise-cap, make it smaller")
	case errors.As(err, new(*spot.MemoryError)) && !algorithm.Quantized:
		return nil, usererr.WithHint(err, "--bits 16 takes about half of it; fewer sizes of bets or narrower ranges make it smaller")
	case errors.As(err, new(*spot.MemoryError)):
		return nil, usererr.WithHint(err, "fewer sizes of bets or narrower ranges make it smaller")
	case err != nil:
		return nil, err
	}
	zerolog.Ctx(ctx).Info().Int64("entries", solver.Entries()).Str("memory", memory.Bytes(solver.Bytes())).Int("decisions", solver.Decisions()).Msg("solving the spot")
	return solver, nil
}

// useDevice moves the solver to the device that was asked for, or to a GPU where there is one for
// which there is enough to do. Release frees it.
func (f *spotFlags) useDevice(ctx context.Context, solver *spot.Solver) (release func() error, err error) {
	none := func() error { return nil }
	if f.device.CPU() || !f.device.GPU() && !solver.DeviceWorthwhile() {
		return none, nil
	}
	d, where, err := f.device.Open()
	if d == nil {
		return none, err
	}
	if err := solver.UseDevice(ondevice.Of(d)); err != nil {
		err = errors.Join(err, d.Close())
		if f.device.GPU() {
			return none, usererr.WithHint(err, "--device cpu solves it there")
		}
		zerolog.Ctx(ctx).Info().Err(err).Msg("solving on the CPU")
		return none, nil
	}
	zerolog.Ctx(ctx).Info().Str("device", where).Msg("solving on a GPU")
	return func() error { return errors.Join(solver.Close(), d.Close()) }, nil
}

// solve improves the strategies, and shows how far they are.
func (f *spotFlags) solve(cmd *cobra.Command, solver *spot.Solver, settings configs.Spot, s *spot.Spot) {
	ctx := cmd.Context()
	bar := progress.New(cmd.ErrOrStderr(), "solving")
	defer bar.Close()
	pot := float64(s.Pot)
	limits := spot.Limits{Iterations: settings.Solve.Iterations, Exploitability: settings.Solve.Target / 100 * pot}
	solver.Solve(ctx, limits, func(exploitability float64) {
		if !bar.Due() {
			return
		}
		// Exploitability falls about as the square of the iterations rises.
		part := max(float64(solver.Iterations())/float64(limits.Iterations), math.Sqrt(limits.Exploitability/exploitability))
		text := fmt.Sprintf("%s%% of the pot after %d iterations, %s left", strconv.FormatFloat(100*exploitability/pot, 'g', 2, 64), solver.Iterations(), progress.TimeLeft(bar.Start, math.Min(1, part)))
		if !bar.Show(part, text) {
			zerolog.Ctx(ctx).Info().Str("exploitability", text).Msg("solving the spot")
		}
	})
}
