package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gamebots/bots/submission"
	"gamebots/cmd/gamebots/internal/strategies"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newPackage() *cobra.Command {
	cmd := explain(&cobra.Command{Use: "package", Short: "Make and check an entry for a competition"}, "package")
	cli.LeadsTo(cmd, newPackageACPC())
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
	cmd := explain(&cobra.Command{
		Use:   "acpc STRATEGY DIR",
		Short: "Make and check an entry for the Annual Computer Poker Competition",
		Args:  cli.Arguments(2, 2),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.makeAndCheck(cmd, args[0], args[1]) },
	}, "package_acpc")
	flags := cmd.Flags()
	flags.StringVar(&f.name, "name", "", "name of the bot in the README (default: that of the strategy file)")
	flags.StringVar(&f.program, "program", "",
		"gamebots executable to include, as for another system (default: this one)")
	flags.StringVar(&f.readme, "readme", "", "file to use as the README")
	flags.StringVar(&f.config, "config", "", "settings file of the bot")
	cli.AddSet(flags, &f.set, "bot.purify=true")
	flags.Uint32Var(&f.hands, "hands", f.hands, "hands of the check; 0 for no check")
	flags.BoolVar(&f.asJSON, "json", false, "print the verdict as one JSON object")
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
	log := zerolog.Ctx(cmd.Context())
	file, err := strategies.File(nameOrFile)
	if err != nil {
		return err
	}
	entry, err := f.entry(file)
	if err != nil {
		return err
	}
	// Opening the strategy prepares the cards that the bot would, too.
	policy, err := strategies.OpenSolved(cmd, file, strategies.SolvingOf(entry.Settings.Bot.Solving()),
		memory.Available())
	if err != nil {
		return err
	}
	defer policy.Close()
	strategies.WarnOfRounds(cmd, policy)
	entry.Game = policy.Tree.Game
	if err := errors.Join(policy.Verify(), entry.Prepare()); err != nil {
		return err
	}
	if err := entry.Write(dir); err != nil {
		return err
	}
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
	if f.asJSON {
		err = verdict.WriteJSON(cmd.OutOrStdout(), dir)
	} else {
		err = verdict.WriteText(cmd.OutOrStdout())
	}
	if err != nil {
		return err
	}
	if !verdict.OK() {
		return fmt.Errorf("%s breaks a rule of the competition", dir)
	}
	return nil
}
