package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"gamebots/bots/judge"
	"gamebots/bots/poker"
	"gamebots/bots/poker/resolving"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/policy"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// judgeFlags are the flags of judge.
type judgeFlags struct {
	program    programFlags
	game       string
	acpc       bool
	output     string
	force      bool
	deals      int
	localDeals int
	seed       uint32
	json       bool
	time       time.Duration
	threads    int
	memory     cli.Bytes
}

func newJudge() *cobra.Command {
	var f judgeFlags
	cmd := command("judge", "judge --game GAME [flags] -- COMMAND...",
		"Write a report card for anybody's poker bot", cli.Arguments(1, cli.AnyNumber))
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) }
	flags := cmd.Flags()
	flags.StringVar(&f.game, "game", "", "a `GAME` file or the name of a shipped game, for two players")
	flags.BoolVar(&f.acpc, "acpc", false, "COMMAND is an ACPC player: host and port of the dealer are added to it")
	flags.StringVarP(&f.output, "output", "o", "report.html", "write the page to this `FILE`")
	cli.AddForce(flags, &f.force)
	flags.IntVar(&f.deals, "deals", 750, "deals of a match, each played from both positions")
	flags.IntVar(&f.localDeals, "lbr-deals", 200, "deals of a local best response, each played from both positions")
	flags.Uint32Var(&f.seed, "seed", 1, "seed of the deals and draws")
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	flags.DurationVar(&f.time, "time", 10*time.Minute, "about how long to judge")
	f.program.addPatience(flags)
	cli.AddThreads(flags, &f.threads, "threads to use, and programs to start")
	cli.AddMemory(flags, &f.memory)
	cli.Settings(cmd, "memory", "patience")
	return cmd
}

func (f *judgeFlags) run(cmd *cobra.Command, command []string) error {
	switch {
	case f.game == "":
		return usererr.WithHint(usererr.Usagef("--game is missing"), "for example --game holdem-limit-2p")
	case f.deals < 2 || f.localDeals < 2:
		return usererr.Usagef("--deals and --lbr-deals: want at least 2")
	case f.time < time.Second || f.program.patience <= 0:
		return usererr.Usagef("--time and patience: want a time of at least a second")
	}
	if err := cli.Replaceable(f.output, "--output FILE", f.force); err != nil {
		return err
	}
	g, err := configs.Game(f.game)
	if err != nil {
		return err
	}
	spec := &judge.Spec{
		Game: g, Command: command, ACPC: f.acpc, Deals: f.deals, LocalDeals: f.localDeals, Seed: f.seed, Time: f.time,
		Patience: f.program.patience, Means: judge.Means{Threads: f.threads, Memory: f.memory.Or(memory.Available)},
		Repeat: f.repeat(command), Version: cli.Build(),
		OnPart: func(what string) { zerolog.Ctx(cmd.Context()).Info().Msg(what) },
	}
	end, err := f.opponent(cmd, spec)
	if err != nil {
		return err
	}
	defer end()
	card, judgeErr := judge.NewCard(cmd.Context(), spec)
	if card == nil || judgeErr != nil && !card.Interrupted {
		return judgeErr
	}
	if err := cli.WriteOutput(cmd.OutOrStdout(), f.output, card.WriteHTML); err != nil {
		return err
	}
	if f.json {
		err = card.WriteJSON(cmd.OutOrStdout())
	} else if err = card.WriteText(cmd.OutOrStdout()); err == nil {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "written to      %s\n", f.output)
	}
	if err = errors.Join(judgeErr, err); err == nil && card.Conduct().Hands == 0 {
		err = fmt.Errorf("the bot has played no hand; %s says why", f.output)
	}
	return err
}

// opponent opens the strategy that comes with the program for the game, if there is one. End closes it.
func (f *judgeFlags) opponent(cmd *cobra.Command, spec *judge.Spec) (end func(), err error) {
	file, err := configs.Strategy(configs.ShippedGame(spec.Game))
	if err != nil { // there is none for most games
		zerolog.Ctx(cmd.Context()).Info().Err(err).Msg("no strategy of ours plays along")
		return func() {}, nil
	}
	p, err := openStrategy(cmd, file, spec.Game, resolving.Options{}, spec.Means.Memory)
	if errors.As(err, new(*policy.CutError)) {
		return func() {}, nil
	}
	if err != nil {
		return nil, err
	}
	if spec.Known, err = knownStrategy(cmd, p, poker.Style{}, resolving.Options{}); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	spec.Strategy = p
	return func() { p.Close() }, nil
}

// repeat returns the command line that judges again.
func (f *judgeFlags) repeat(command []string) string {
	words := []string{
		"gamebots", "judge", "--game", f.game, "--deals", fmt.Sprint(f.deals), "--lbr-deals", fmt.Sprint(f.localDeals),
		"--seed", fmt.Sprint(f.seed), "--time", f.time.String(),
	}
	if f.acpc {
		words = append(words, "--acpc")
	}
	return cli.CommandLine(slices.Concat(words, []string{"--"}, command)...)
}
