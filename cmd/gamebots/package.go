package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"gamebots/acpc"
	"gamebots/bots/submission"
	"gamebots/cmd/gamebots/internal/strategies"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/strategy"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// maxReadme is more bytes than any README takes.
const maxReadme = 1 << 20

func newPackage() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "package",
		Short:   "Make and check an entry for a competition",
		Long:    `package makes a folder that can be submitted to a competition, and checks it.`,
		Example: `  gamebots package acpc holdem.strategy submission_2pl`,
	}
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
	cmd := &cobra.Command{
		Use:   "acpc STRATEGY DIR",
		Short: "Make and check an entry for the Annual Computer Poker Competition",
		Long: `acpc makes the folder DIR, which must not exist yet, with everything that the
Annual Computer Poker Competition requires: startme.sh, README, this program,
its settings and the strategy. Then it checks DIR by the competition's rules. It
starts startme.sh from another folder and has it play 12,000 hands against
random players, in matches of 3000 hands for two players or 1000 for three, over
TCP and with the competition's time limits. It reports files, size, warnings of
the dealer, the times of start, decisions and end, memory, and winnings.

STRATEGY is a file or, by the name of a game, the strategy that comes with the
program.

The settings have a random seed, unless --config or --set gives one, so that
somebody who has the program and the strategy cannot predict the bot's actions.

The exit status is 1 if a rule is broken; DIR is kept even then. The competition
requires the names submission_2pl, submission_2pn and submission_3pl; DIR may be
renamed and moved.

More: docs/competition.md`,
		Example: `  gamebots package acpc holdem-limit-2p submission_2pl
  gamebots package acpc leduc.strategy mybot --hands 1000 --name mybot
  gamebots package acpc holdem.strategy submission_2pl --set bot.purify=true
  gamebots package acpc holdem-nolimit-2p submission_2pn --set bot.solve=300 \
    --set bot.solve_from=turn --set bot.solve_time=5s`,
		Args: cli.Arguments(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error { return packageACPC(cmd, args[0], args[1], &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.name, "name", "", "name of the bot in the README (default: that of the strategy file)")
	flags.StringVar(&f.program, "program", "", "gamebots executable to include, as for another system (default: this one)")
	flags.StringVar(&f.readme, "readme", "", "file to use as the README")
	flags.StringVar(&f.config, "config", "", "settings file of the bot")
	flags.StringArrayVar(&f.set, "set", nil, "set one key of the settings by `KEY=VALUE`, as in bot.purify=true (may be repeated)")
	flags.Uint32Var(&f.hands, "hands", f.hands, "hands of the check; 0 for no check")
	flags.BoolVar(&f.asJSON, "json", false, "print the verdict as one JSON object")
	return cmd
}

func packageACPC(cmd *cobra.Command, nameOrFile, dir string, f *packageFlags) error {
	log := zerolog.Ctx(cmd.Context())
	file, err := strategies.File(nameOrFile)
	if err != nil {
		return err
	}
	settings := configs.DefaultPoker()
	settings.Bot.Seed = drawSeed()
	if err := configs.Load(f.config, &settings, f.set); err != nil {
		if e := (*configs.Error)(nil); errors.As(err, &e) && e.File == configs.CommandLine {
			err = usererr.Usage(err)
		}
		return err
	}
	policy, err := strategies.OpenSolved(cmd, file, strategies.SolvingOf(settings.Bot.Solving()), memory.Available())
	if err != nil {
		return err
	}
	if err := policy.Verify(); err != nil {
		return err
	}
	entry := submission.Entry{Name: f.name, Program: f.program, Strategy: file, Game: policy.Tree.Game, Settings: settings}
	if entry.Name == "" {
		entry.Name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	}
	if entry.Program == "" {
		if entry.Program, err = os.Executable(); err != nil {
			return err
		}
	}
	if f.readme != "" {
		text, err := configs.ReadFileAtMost(f.readme, maxReadme)
		if err != nil {
			return err
		}
		entry.Readme = string(text)
	}
	if entry.Prepared, err = preparedFiles(file, entry.Game); err != nil {
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
	if err := printVerdict(cmd.OutOrStdout(), dir, verdict, f.asJSON); err != nil {
		return err
	}
	if !verdict.OK() {
		return fmt.Errorf("%s breaks a rule of the competition", dir)
	}
	return nil
}

// preparedFiles returns the files that a bot of a strategy would make at its start,
// where this machine has them: opening the strategy has made them, if it could.
func preparedFiles(file string, g *acpc.Game) ([]string, error) {
	f, err := strategy.Open(file)
	if err != nil {
		return nil, err
	}
	cards := f.Meta().Abstraction
	if err := f.Close(); err != nil || !abstraction.IsEHS(cards) {
		return nil, err
	}
	kept, err := abstraction.EHSFile(g, cards, "")
	if err != nil {
		return nil, nil // there is no cache
	}
	if _, err := os.Stat(kept); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return []string{kept}, nil
}

// printVerdict prints a table of the rules, or an object.
func printVerdict(w io.Writer, dir string, v *submission.Verdict, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(struct {
			Folder string `json:"folder"`
			OK     bool   `json:"ok"`
			*submission.Verdict
		}{dir, v.OK(), v})
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "rule\twanted\tmeasured\t")
	for _, f := range v.Findings {
		mark := ""
		switch {
		case !f.OK:
			mark = "BROKEN"
		case f.Want != "":
			mark = "ok"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", f.Rule, f.Want, f.Got, mark)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if v.Reason != "" {
		fmt.Fprintf(w, "reason: %s\n", v.Reason)
	}
	return nil
}
