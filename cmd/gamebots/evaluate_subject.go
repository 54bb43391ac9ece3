package main

import (
	"slices"

	"gamebots/acpc/money"
	"gamebots/bots/judge"
	"gamebots/bots/poker"
	"gamebots/bots/poker/resolving"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/policy"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// subjectFlags are the flags of commands that judge a player: who it is, what it is judged with, and how the result is
// printed.
type subjectFlags struct {
	bot, game string
	program   programFlags
	style     poker.Style
	device    cudalib.Choice
	threads   int
	memory    cli.Bytes
	unit      money.Unit
	asJSON    bool
}

func (f *subjectFlags) add(flags *pflag.FlagSet, device string) {
	f.program.add(flags, "judge a program that answers as docs/agents.md says")
	cli.AddDevice(flags, &f.device, device)
	bindShared(flags, "flags_subject", "bot", &f.bot, "game", &f.game, "purify", &f.style.Purify,
		"threshold", cli.Probability(&f.style.Threshold), "threads", cli.PerProcessor(&f.threads), "memory", &f.memory,
		"json", &f.asJSON, "unit", &f.unit)
}

// check returns an error for flags that cannot be combined with each other or with this count of files.
func (f *subjectFlags) check(files int) error {
	switch {
	case f.program.command != "":
		return f.checkProgram(files)
	case f.game != "" && f.bot == "":
		return usererr.Usagef("--game has no effect without --bot or --program: a strategy file has its game")
	case f.bot != "" && f.game == "":
		return usererr.WithHint(usererr.Usagef("--bot %s: --game is missing", f.bot),
			"for example --game holdem-limit-2p")
	case f.bot != "" && !slices.Contains(policy.Plains, policy.Plain(f.bot)):
		return usererr.Usagef("--bot %s: want call, raise, fold or half", f.bot)
	case f.bot != "" && files > 0:
		return usererr.Usagef("give a strategy file or --bot, not both")
	case f.bot == "" && files == 0:
		return usererr.WithHint(usererr.Usagef("an argument is missing: the file of a strategy"),
			"give a file, the name of a game that comes with a strategy, or --bot or --program with --game")
	case f.bot != "" && f.style != (poker.Style{}):
		return usererr.Usagef("--purify and --threshold have no effect on --bot")
	}
	return nil
}

// subject returns the report of who is judged, with the rounds that it solves in play. The caller closes the subject.
func (f *subjectFlags) subject(cmd *cobra.Command, args []string, solving resolving.Options) (*judge.Report, error) {
	s := &judge.Report{Subject: &judge.Subject{Name: f.bot, Style: f.style}, Out: cmd.OutOrStdout(), JSON: f.asJSON}
	var err error
	if f.program.command != "" {
		s.Agent, err = f.program.poker(f.game)
		if err == nil {
			s.Name, s.Game = f.program.command, s.Agent.Game
		}
	} else if f.bot != "" {
		if s.Game, err = configs.Game(f.game); err == nil && s.Game.NumPlayers != 2 {
			err = usererr.Usagef("--bot %s: %s has %d players, and simple players are judged in games for two",
				f.bot, s.Game.Name, s.Game.NumPlayers)
		}
	} else if s.Name, s.Game, err = strategyFile(args[0]); err == nil {
		s.Policy, err = openStrategy(cmd, s.Name, s.Game, solving, f.memory.Or(memory.Available))
	}
	if err != nil {
		return nil, err
	}
	if s.Policy != nil {
		s.Game = s.Policy.Tree.Game
	}
	if s.Format, err = f.unit.In(s.Game); err != nil {
		s.Close()
		return nil, usererr.WithHint(usererr.Usage(err), "--unit chips is for every game")
	}
	return s, nil
}

// means returns what the work is done with.
func (f *subjectFlags) means() judge.Means {
	return judge.Means{Threads: f.threads, Memory: f.memory.Or(memory.Available), Device: f.device}
}
