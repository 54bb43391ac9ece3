package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"gamebots/acpc"
	"gamebots/bots/arena/tournament"
	"gamebots/bots/grid"
	"gamebots/bots/grid/jobs"
	"gamebots/bots/poker"
	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/cmd/gamebots/internal/gridflags"
	"gamebots/cmd/gamebots/internal/strategies"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/stats"
	"gamebots/internal/usererr"
	"gamebots/solvers/evaluate/lbr"
	"gamebots/solvers/policy"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// lbrFlags are the flags of evaluate --lbr.
type lbrFlags struct {
	menu, rounds string
	solve        strategies.SolvingFlags
	device       cudalib.Choice
	deals        int
	seed         uint64
	style        poker.Style
	bot, game    string
	share        gridflags.Flags
	threads      int
	memory       cli.Bytes
	asJSON       bool
}

func (f *lbrFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.menu, "lbr", "", "play a local best response with these `ACTIONS`: fc, fcpa, 56, or a list as for train --actions")
	flags.StringVar(&f.rounds, "rounds", "", "with --lbr: the rounds in which it may do more than call, as in turn,river or 3,4 (default all)")
	flags.IntVar(&f.deals, "hands", 1000, "with --lbr: deals, each played from both positions")
	f.solve.Add(flags, "with --lbr or --log: the player solves")
}

// check returns an error for flags that cannot be combined.
func (f *lbrFlags) check(flags *pflag.FlagSet) error {
	if err := f.solve.Check(flags); err != nil {
		return err
	}
	if f.menu == "" {
		for _, name := range []string{"rounds", "hands"} {
			if flags.Changed(name) {
				return usererr.Usagef("--%s has no effect without --lbr", name)
			}
		}
		if flags.Changed("solve") && !flags.Changed("log") {
			return usererr.Usagef("--solve has no effect without --lbr or --log")
		}
		return nil
	}
	for _, name := range []string{"real", "learned", "log"} {
		if flags.Changed(name) {
			return usererr.Usagef("--lbr and --%s cannot be combined", name)
		}
	}
	if err := f.solve.CheckDevice(flags); err != nil {
		return err
	}
	if flags.Changed("device") && flags.Changed("nats") {
		return usererr.Usagef("--nats: work that is shared with other machines is done on CPUs")
	}
	if f.deals < 2 {
		return usererr.Usagef("--hands %d: want at least 2", f.deals)
	}
	if flags.Changed("solve") && flags.Changed("bot") {
		return usererr.Usagef("--solve %d: want a strategy file, not --bot", f.solve.Iterations)
	}
	if _, err := lbr.ParseMenu(f.menu); err != nil {
		return usererr.WithHint(usererr.Usagef("--lbr %s: %v", f.menu, err), "fc folds and calls, fcpa raises by the pot or all-in, too, and 56 by 55 parts of the pot or all-in")
	}
	return nil
}

// callOnly returns the rounds of a game that --rounds leaves out.
func (f *lbrFlags) callOnly(g *acpc.Game) (out [acpc.MaxRounds]bool, err error) {
	chosen, err := strategies.ParseRounds(g, f.rounds)
	for r := range g.NumRounds {
		out[r] = !chosen[r]
	}
	return out, err
}

// evaluateLBR prints what a local best response wins from a strategy.
func evaluateLBR(cmd *cobra.Command, args []string, f lbrFlags) error {
	ctx, log := cmd.Context(), zerolog.Ctx(cmd.Context())
	solving := f.solve.Poker()
	match := jobs.LBRMatch{Style: f.style, Solve: solving.Iterations, From: solving.From, Plain: policy.Plain(f.bot), Menu: f.menu, Seed: f.seed}
	var p *policy.Policy
	var g *acpc.Game
	var err error
	name := f.bot
	if f.bot != "" {
		if g, err = configs.Game(f.game); err != nil {
			return err
		}
		match.Name, match.Game = g.Name, g.String()
	} else {
		name = args[0]
		free := f.memory.Or(memory.Available)
		if p, err = strategies.OpenSolved(cmd, name, solving, free); err != nil {
			return err
		}
		defer p.Close()
		if err := p.Load(free - 4*int64(p.Len())); err != nil { // half of it for other things
			return err
		}
		g = p.Tree.Game
	}
	if match.CallOnly, err = f.callOnly(g); err != nil {
		return err
	}
	if solving, err = strategies.OnDevice(cmd, solving, f.device); err != nil {
		return err
	}
	match.Device = solving.Device
	play, err := match.Job(p)
	if err != nil {
		return err
	}
	var work grid.Grid = &grid.Local{Kinds: grid.Kinds{jobs.LBRKind: play}, Threads: f.threads}
	if f.share.NATS != "" {
		if p != nil {
			if match.File, err = os.ReadFile(name); err != nil {
				return err
			}
		}
		var end func() error
		if work, end, err = f.share.Open(ctx, f.threads); err != nil {
			return err
		}
		defer end()
	}
	log.Info().Str("player", name).Str("actions", f.menu).Int("deals", f.deals).Uint64("seed", f.seed).Msg("playing a local best response")
	bar := cli.NewCountBar(cmd.ErrOrStderr(), log, "playing a local best response", uint64(f.deals))
	outcomes, err := jobs.PlayLBR(ctx, work, &match, f.deals, func(deals int) { bar.Update(uint64(deals)) })
	bar.Close()
	if ctx.Err() != nil && len(outcomes) > 1 {
		log.Warn().Int("deals", len(outcomes)).Msg("interrupted: the result is that of the first deals")
		err = nil
	}
	if err != nil {
		return err
	}
	return f.print(cmd.OutOrStdout(), g, name, outcomes)
}

// print prints what the response won.
func (f *lbrFlags) print(w io.Writer, g *acpc.Game, name string, outcomes []lbr.Outcome) error {
	var won, estimated stats.Sample
	for _, o := range outcomes {
		won.Add(o.Won)
		estimated.Add(o.Estimated)
	}
	if f.asJSON {
		return json.NewEncoder(w).Encode(struct {
			Game              string               `json:"game"`
			Strategy          string               `json:"strategy"`
			Actions           string               `json:"actions"`
			Rounds            string               `json:"rounds,omitempty"`
			Solve             uint64               `json:"solve,omitempty"`
			SolveFrom         string               `json:"solve_from,omitempty"`
			Deals             int                  `json:"deals"`
			Seed              uint64               `json:"seed"`
			Won               float64              `json:"won"`
			WonInterval       tournament.HalfWidth `json:"won_interval95"`
			Estimated         float64              `json:"estimated"`
			EstimatedInterval tournament.HalfWidth `json:"estimated_interval95"`
			Unit              string               `json:"unit"`
		}{g.Name, name, f.menu, f.rounds, f.solve.Iterations, f.solve.From, len(outcomes), f.seed, won.Mean(), tournament.HalfWidth(won.Interval95()),
			estimated.Mean(), tournament.HalfWidth(estimated.Interval95()), "chips"})
	}
	rounds := "all rounds"
	if f.rounds != "" {
		rounds = f.rounds
	}
	fmt.Fprintf(w, "%s: %s, answered by a local best response (%s, %s) in %d deals\n", g.Name, name, f.menu, rounds, len(outcomes))
	fmt.Fprintf(w, "won        %s\n", figures.ChipsWithin(won.Mean(), won.Interval95(), g))
	_, err := fmt.Fprintf(w, "estimated  %s\n", figures.ChipsWithin(estimated.Mean(), estimated.Interval95(), g))
	return err
}
