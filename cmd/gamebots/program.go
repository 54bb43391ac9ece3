package main

import (
	"strings"
	"time"

	"gamebots/bots/judge/agent"
	"gamebots/configs"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// programFlags are the flags of commands that judge a program.
type programFlags struct {
	command  string
	patience time.Duration
}

func (f *programFlags) add(flags *pflag.FlagSet, usage string) {
	flags.StringVar(&f.command, "program", "", usage)
	f.addPatience(flags)
}

func (f *programFlags) addPatience(flags *pflag.FlagSet) {
	flags.DurationVar(&f.patience, "patience", agent.DefaultPatience, "how long an answer of the program may take")
}

// words returns the program and its arguments.
func (f *programFlags) words() ([]string, error) {
	switch words := strings.Fields(f.command); {
	case len(words) == 0:
		return nil, usererr.WithHint(usererr.Usagef("--program %q: there is no command", f.command),
			`for example --program "python3 agent.py"`)
	case f.patience <= 0:
		return nil, usererr.Usagef("patience %v: want a time over 0", f.patience)
	default:
		return words, nil
	}
}

// poker returns the agent of a poker game.
func (f *programFlags) poker(name string) (*agent.Agent, error) {
	words, err := f.words()
	if err != nil {
		return nil, err
	}
	g, err := configs.Game(name)
	return &agent.Agent{Command: words, Game: g, Patience: f.patience}, err
}

// extensive returns the agent of an extensive game, or nil if a file is of none.
func (f *programFlags) extensive(cmd *cobra.Command, name string) (*agent.Agent, error) {
	tree, err := openTree(cmd, name)
	if tree == nil {
		return nil, err
	}
	words, err := f.words()
	return &agent.Agent{Command: words, Extensive: tree.Game, Patience: f.patience}, err
}

// checkProgram returns an error for flags that cannot be combined with --program.
func (f *subjectFlags) checkProgram(files int) error {
	switch {
	case files > 0 || f.bot != "":
		return usererr.Usagef("give a strategy file, --bot or --program, not two of them")
	case f.game == "":
		return usererr.WithHint(usererr.Usagef("--program: --game is missing"), "for example --game leduc")
	case f.style.Purify || f.style.Threshold > 0:
		return usererr.Usagef("--purify and --threshold have no effect on --program")
	}
	return nil
}
