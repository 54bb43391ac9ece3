package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gamebots/acpc"
	"gamebots/bots/sites/mit"
	"gamebots/bots/submission"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/memory"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newPackage() *cobra.Command {
	return group("package", "Make and check an entry for a competition", newPackageACPC(), newPackageMIT())
}

// packageFlags are the flags of package acpc.
type packageFlags struct {
	name, program, config string
	set                   []string
	hands                 uint32
}

func newPackageACPC() *cobra.Command {
	f := packageFlags{hands: submission.RuleHands}
	cmd := command("package_acpc", "acpc STRATEGY DIR",
		"Make and check an entry for the Annual Computer Poker Competition", cli.Arguments(2, 2))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return f.makeAndCheck(cmd, args[0], args[1], (*submission.Entry).Write, f.checkACPC)
	}
	flags := cmd.Flags()
	flags.StringVar(&f.name, "name", "", "name of the bot in the README (default: that of the strategy file)")
	f.addTo(flags)
	flags.Uint32Var(&f.hands, "hands", f.hands, "hands of the check; 0 for no check")
	return cmd
}

// addTo adds the flags of every contest.
func (f *packageFlags) addTo(flags *pflag.FlagSet) {
	flags.StringVar(&f.program, "program", "",
		"gamebots executable to include, as for another system (default: this one)")
	flags.StringVar(&f.config, "config", "", "settings file of the bot")
	cli.AddSet(flags, &f.set, "bot.purify=false")
}

func newPackageMIT() *cobra.Command {
	f := packageFlags{hands: mit.Rounds}
	cmd := command("package_mit", "mit STRATEGY DIR",
		"Make and check a folder for the engine of MIT Pokerbots", cli.Arguments(2, 2))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return f.makeAndCheck(cmd, args[0], args[1], (*submission.Entry).WriteMIT, f.checkMIT)
	}
	f.addTo(cmd.Flags())
	cmd.Flags().Uint32Var(&f.hands, "rounds", f.hands, "rounds of the check; 0 for no check")
	return cmd
}

// entry returns the entry that the flags describe, but for its game, which is that of the strategy file.
func (f *packageFlags) entry(strategy string) (e submission.Entry, err error) {
	e = submission.Entry{Name: f.name, Program: f.program, Strategy: strategy, Settings: configs.DefaultPoker()}
	if e.Name == "" {
		e.Name = strings.TrimSuffix(filepath.Base(strategy), filepath.Ext(strategy))
	}
	e.Settings.Bot.Seed = drawSeed()
	if err := cli.Load(f.config, &e.Settings, f.set); err != nil {
		return e, err
	}
	if e.Program == "" {
		e.Program, err = os.Executable()
	}
	return e, err
}

// checkACPC checks the folder of an entry by the rules of the Annual Computer Poker Competition.
func (f *packageFlags) checkACPC(ctx context.Context, dir string, g *acpc.Game) (*submission.Verdict, error) {
	log := zerolog.Ctx(ctx)
	const every = 20 * time.Second // a bot that solves rounds takes hours in all
	next := time.Now().Add(every)
	check := submission.Check{Dir: dir, Game: g, Hands: f.hands, OnHand: func(played, hands uint32) {
		if now := time.Now(); now.After(next) {
			next = now.Add(every)
			log.Info().Uint32("hands", played).Uint32("of", hands).Msg("checking")
		}
	}}
	return check.Run(ctx)
}

// checkMIT checks a folder by a dialogue with an engine of MIT Pokerbots.
func (f *packageFlags) checkMIT(ctx context.Context, dir string, _ *acpc.Game) (*submission.Verdict, error) {
	check := submission.MITCheck{Dir: dir, Rounds: int(f.hands)}
	return check.Run(ctx)
}

// makeAndCheck makes the folder of an entry, and checks it unless that is not wanted.
func (f *packageFlags) makeAndCheck(
	cmd *cobra.Command, nameOrFile, dir string, write func(*submission.Entry, string) error,
	check func(ctx context.Context, dir string, g *acpc.Game) (*submission.Verdict, error),
) error {
	entry, err := f.prepared(cmd, nameOrFile)
	if err != nil {
		return err
	}
	if err := write(&entry, dir); err != nil {
		return err
	}
	zerolog.Ctx(cmd.Context()).Info().Str("folder", dir).Str("game", entry.Game.Name).Msg("made")
	if f.hands == 0 {
		return nil
	}
	v, err := check(cmd.Context(), dir, entry.Game)
	if err != nil {
		return err
	}
	if err := cli.Print(cmd.OutOrStdout(), false, v.Findings); err != nil {
		return err
	}
	if v.Reason != "" {
		fmt.Fprintf(cmd.OutOrStdout(), "reason: %s\n", v.Reason)
	}
	if b := entry.Settings.Bot; b.Purify && b.Threshold == 0 {
		fmt.Fprintf(cmd.OutOrStdout(), "played purified: gamebots evaluate %s --purify judges that\n", nameOrFile)
	}
	if !v.OK() {
		return fmt.Errorf("%s breaks a rule of the competition", dir)
	}
	return nil
}

// prepared returns the entry of a strategy, which it reads through.
func (f *packageFlags) prepared(cmd *cobra.Command, nameOrFile string) (e submission.Entry, err error) {
	file, g, err := strategyFile(nameOrFile)
	if err != nil {
		return e, err
	}
	if e, err = f.entry(file); err != nil {
		return e, err
	}
	// Opening the strategy prepares the cards that the bot would, too.
	policy, err := openStrategy(cmd, file, g, solvingOf(e.Settings.Bot.Solving()), memory.Available())
	if err != nil {
		return e, err
	}
	defer policy.Close()
	warnOfRounds(cmd, policy)
	e.Game = policy.Tree.Game
	if e.Game.String() != policy.Meta().GameText {
		e.GameFile = e.Game.Name + ".game"
	}
	return e, errors.Join(policy.Verify(), e.Prepare())
}
