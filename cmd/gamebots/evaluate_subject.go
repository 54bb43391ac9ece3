package main

import (
	"slices"
	"strings"

	"gamebots/bots/judge"
	"gamebots/bots/judge/agent"
	"gamebots/bots/poker"
	"gamebots/bots/poker/resolving"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/policy"

	"github.com/spf13/cobra"
)

// check returns an error for flags that cannot be combined with each other or with this count of files.
func (f *evaluateFlags) check(files int) error {
	switch {
	case f.program != "":
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
func (f *evaluateFlags) subject(cmd *cobra.Command, args []string, solving resolving.Options) (*judge.Report, error) {
	s := &judge.Report{Subject: &judge.Subject{Name: f.bot, Style: f.style}, Out: cmd.OutOrStdout(), JSON: f.asJSON}
	var err error
	if f.program != "" {
		s.Agent, err = f.pokerAgent(f.game)
		if err == nil {
			s.Name, s.Game = f.program, s.Agent.Game
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
func (f *evaluateFlags) means() judge.Means {
	return judge.Means{Threads: f.threads, Memory: f.memory.Or(memory.Available), Device: f.device}
}

// words returns the program and its arguments.
func (f *evaluateFlags) words() ([]string, error) {
	switch words := strings.Fields(f.program); {
	case len(words) == 0:
		return nil, usererr.WithHint(usererr.Usagef("--program %q: there is no command", f.program),
			`for example --program "python3 agent.py"`)
	case f.patience <= 0:
		return nil, usererr.Usagef("patience %v: want a time over 0", f.patience)
	default:
		return words, nil
	}
}

// pokerAgent returns the agent of a poker game.
func (f *evaluateFlags) pokerAgent(name string) (*agent.Agent, error) {
	words, err := f.words()
	if err != nil {
		return nil, err
	}
	g, err := configs.Game(name)
	return &agent.Agent{Command: words, Game: g, Patience: f.patience}, err
}

// extensiveAgent returns the agent of an extensive game, or nil if a file is of none.
func (f *evaluateFlags) extensiveAgent(cmd *cobra.Command, name string) (*agent.Agent, error) {
	tree, err := openTree(cmd, name)
	if tree == nil {
		return nil, err
	}
	words, err := f.words()
	return &agent.Agent{Command: words, Extensive: tree.Game, Patience: f.patience}, err
}

// checkProgram returns an error for flags that cannot be combined with --program.
func (f *evaluateFlags) checkProgram(files int) error {
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
