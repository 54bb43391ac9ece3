package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"gamebots/bots/arena"
	"gamebots/bots/judge"
	"gamebots/bots/judge/agent"
	"gamebots/bots/poker"
	"gamebots/bots/poker/resolving"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/hexproto/boards"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/policy"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// judgeFlags are the flags of judge.
type judgeFlags struct {
	patience   time.Duration
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
	f := judgeFlags{
		output: "report.html", deals: 750, localDeals: 200, seed: 1, time: 10 * time.Minute,
		patience: agent.DefaultPatience,
	}
	cmd := command("judge", "judge --game GAME [flags] -- COMMAND...",
		"Write a report card for anybody's poker bot", cli.Arguments(1, cli.AnyNumber))
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) }
	cli.Bind(cmd, "game", &f.game, "acpc", &f.acpc, "output", &f.output, "force", &f.force, "deals", &f.deals,
		"lbr-deals", &f.localDeals, "seed", &f.seed, "json", &f.json, "time", &f.time,
		"threads", cli.PerProcessor(&f.threads), "memory", &f.memory, "patience", &f.patience)
	return cmd
}

func (f *judgeFlags) run(cmd *cobra.Command, command []string) error {
	switch {
	case f.game == "":
		return usererr.WithHint(usererr.Usagef("--game is missing"), "for example --game holdem-limit-2p")
	case f.deals < 2 || f.localDeals < 2:
		return usererr.Usagef("--deals and --lbr-deals: want at least 2")
	case f.time < time.Second || f.patience <= 0:
		return usererr.Usagef("--time and patience: want a time of at least a second")
	}
	if f.game == boards.HavannahName {
		return f.judgeBoards(cmd, command)
	}
	g, err := configs.Game(f.game)
	if err == nil && g.NumPlayers == 2 { // others are refused below
		err = f.ready(command)
	}
	if err != nil {
		return err
	}
	spec := &judge.Spec{
		Game: g, Command: command, ACPC: f.acpc, Deals: f.deals, LocalDeals: f.localDeals, Seed: f.seed, Time: f.time,
		Patience: f.patience, Means: judge.Means{Threads: f.threads, Memory: f.memory.Or(memory.Available)},
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
	if err = errors.Join(judgeErr, f.write(cmd, card)); err == nil && card.Conduct().Hands == 0 {
		err = fmt.Errorf("the bot has played no hand; %s says why", f.output)
	}
	return err
}

// ready returns an error if the program cannot be started or its report cannot be written.
func (f *judgeFlags) ready(command []string) error {
	if _, err := exec.LookPath(command[0]); err != nil {
		return err
	}
	return cli.Replaceable(f.output, "--output FILE", f.force)
}

// write writes a report card to its file, and what is printed.
func (f *judgeFlags) write(cmd *cobra.Command, card interface{ WriteHTML(io.Writer) error }) error {
	if err := cli.WriteOutput(cmd.OutOrStdout(), f.output, card.WriteHTML); err != nil {
		return err
	}
	if err := cli.Print(cmd.OutOrStdout(), f.json, card); err != nil || f.json {
		return err
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "written to      %s\n", f.output)
	return err
}

// ladder are the bots of Havannah that an engine plays against. They are the same on any machine.
var ladder = []string{
	"random,seed=1,name=random", "mcts,simulations=100,threads=1,seed=1,device=cpu,name=mcts 100",
	"mcts,simulations=1000,threads=1,seed=1,device=cpu,name=mcts 1000",
	"mcts,simulations=10000,threads=1,seed=1,device=cpu,name=mcts 10000",
	"gumbel,simulations=100,threads=1,seed=1,device=cpu,name=network 100",
}

// judgeBoards judges an engine of Havannah that speaks GTP.
func (f *judgeFlags) judgeBoards(cmd *cobra.Command, command []string) error {
	switch {
	case f.acpc:
		return usererr.Usagef("--acpc: engines of %s speak GTP", f.game)
	case slices.ContainsFunc(command, func(word string) bool { return len(strings.Fields(word)) != 1 }):
		return usererr.Usagef("COMMAND: a word of an engine's command has no blanks")
	}
	if err := f.ready(command); err != nil {
		return err
	}
	if !cmd.Flags().Changed("deals") {
		f.deals = 10
	}
	card := &judge.EngineCard{Repeat: f.repeat(command), Version: cli.Build()}
	for _, rung := range ladder {
		m := matchFlags{a: "gtp:" + strings.Join(command, " "), b: rung, side: 8}
		m.series = arena.Series{Games: 2 * f.deals, Opening: 2, AtOnce: 1, Seed: uint64(f.seed)}
		match, err := m.spec()
		if err != nil {
			return err
		}
		card.Matches = append(card.Matches, &match)
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), f.time)
	defer cancel()
	err := card.Play(ctx, func(m *arena.Match) {
		zerolog.Ctx(ctx).Info().Msg("playing against " + m.B.Name)
	})
	err = errors.Join(err, context.Cause(cmd.Context()))
	switch {
	case len(card.Rungs()) > 0:
		return errors.Join(err, f.write(cmd, card))
	case err == nil:
		err = fmt.Errorf("no game was played within %v", f.time)
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
	if spec.Known, err = resolving.ForAIVAT(p, poker.Style{}, resolving.Options{}); err != nil {
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
