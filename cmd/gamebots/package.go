package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gamebots/bots/sites/mit"
	"gamebots/bots/submission"
	"gamebots/cmd/gamebots/internal/strategies"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newPackage() *cobra.Command {
	cmd := command("package", "package", "Make and check an entry for a competition", nil)
	cli.LeadsTo(cmd, newPackageACPC(), newPackageMIT())
	return cmd
}

// packageFlags are the flags of package acpc.
type packageFlags struct {
	name, program, readme, config string
	set                           []string
	hands                         uint32
	asJSON                        bool
}

func newPackageACPC() *cobra.Command {
	f := packageFlags{hands: submission.RuleHands}
	cmd := command("package_acpc", "acpc STRATEGY DIR",
		"Make and check an entry for the Annual Computer Poker Competition", cli.Arguments(2, 2))
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.makeAndCheck(cmd, args[0], args[1]) }
	flags := cmd.Flags()
	flags.StringVar(&f.name, "name", "", "name of the bot in the README (default: that of the strategy file)")
	f.addTo(flags)
	flags.StringVar(&f.readme, "readme", "", "file to use as the README")
	flags.Uint32Var(&f.hands, "hands", f.hands, "hands of the check; 0 for no check")
	flags.BoolVar(&f.asJSON, "json", false, "print the verdict as one JSON object")
	return cmd
}

// addTo adds the flags of every contest.
func (f *packageFlags) addTo(flags *pflag.FlagSet) {
	flags.StringVar(&f.program, "program", "",
		"gamebots executable to include, as for another system (default: this one)")
	flags.StringVar(&f.config, "config", "", "settings file of the bot")
	cli.AddSet(flags, &f.set, "bot.purify=true")
}

func newPackageMIT() *cobra.Command {
	f := packageFlags{hands: mit.Rounds}
	cmd := command("package_mit", "mit STRATEGY DIR",
		"Make and check a folder for the engine of MIT Pokerbots", cli.Arguments(2, 2))
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.makeForMIT(cmd, args[0], args[1]) }
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
	if f.readme != "" {
		text, err := configs.ReadFileAtMost(f.readme, submission.MaxReadme)
		if err != nil {
			return e, err
		}
		e.Readme = string(text)
	}
	if e.Program == "" {
		e.Program, err = os.Executable()
	}
	return e, err
}

// makeAndCheck makes the folder of an entry, and checks it unless that is not wanted.
func (f *packageFlags) makeAndCheck(cmd *cobra.Command, nameOrFile, dir string) error {
	if f.asJSON && f.hands == 0 {
		return usererr.Usagef("--json prints the verdict of a check, and --hands 0 makes none")
	}
	entry, err := f.prepared(cmd, nameOrFile)
	if err != nil {
		return err
	}
	if err := entry.Write(dir); err != nil {
		return err
	}
	log := zerolog.Ctx(cmd.Context())
	log.Info().Str("folder", dir).Str("game", entry.Game.Name).Msg("made")
	if f.hands == 0 {
		return nil
	}
	const every = 20 * time.Second // a bot that solves rounds takes hours in all
	next := time.Now().Add(every)
	check := submission.Check{Dir: dir, Game: entry.Game, Hands: f.hands, OnHand: func(played, hands uint32) {
		if now := time.Now(); now.After(next) {
			next = now.Add(every)
			log.Info().Uint32("hands", played).Uint32("of", hands).Msg("checking")
		}
	}}
	verdict, err := check.Run(cmd.Context())
	if err != nil {
		return err
	}
	return f.print(cmd, verdict, dir)
}

// prepared returns the entry of a strategy, which it reads through.
func (f *packageFlags) prepared(cmd *cobra.Command, nameOrFile string) (e submission.Entry, err error) {
	file, err := strategies.File(nameOrFile)
	if err != nil {
		return e, err
	}
	if e, err = f.entry(file); err != nil {
		return e, err
	}
	// Opening the strategy prepares the cards that the bot would, too.
	policy, err := strategies.OpenSolved(cmd, file, strategies.SolvingOf(e.Settings.Bot.Solving()),
		memory.Available())
	if err != nil {
		return e, err
	}
	defer policy.Close()
	strategies.WarnOfRounds(cmd, policy)
	e.Game = policy.Tree.Game
	return e, errors.Join(policy.Verify(), e.Prepare())
}

// print prints a verdict, and returns an error if a rule is broken.
func (f *packageFlags) print(cmd *cobra.Command, v *submission.Verdict, dir string) (err error) {
	if f.asJSON {
		err = v.WriteJSON(cmd.OutOrStdout(), dir)
	} else {
		err = v.WriteText(cmd.OutOrStdout())
	}
	if err == nil && !v.OK() {
		err = fmt.Errorf("%s breaks a rule of the competition", dir)
	}
	return err
}

// makeForMIT makes a folder for the engine of MIT Pokerbots, and checks it unless that is not wanted.
func (f *packageFlags) makeForMIT(cmd *cobra.Command, nameOrFile, dir string) error {
	entry, err := f.prepared(cmd, nameOrFile)
	if err != nil {
		return err
	}
	if err := entry.WriteMIT(dir); err != nil {
		return err
	}
	log := zerolog.Ctx(cmd.Context())
	log.Info().Str("folder", dir).Msg("made")
	if f.hands == 0 {
		return nil
	}
	check := submission.MITCheck{Dir: dir, Rounds: int(f.hands)}
	verdict, err := check.Run(cmd.Context())
	if err != nil {
		return err
	}
	return f.print(cmd, verdict, dir)
}
