package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"gamebots/internal/usererr"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newRoot() *cobra.Command {
	level := "info"
	cmd := &cobra.Command{
		Use:   "gamebots",
		Short: "Bots for game servers, and the solvers behind them",
		Long: `gamebots trains strategies for games, measures how good they are, and plays them
against people and other programs.

Results are printed on standard output, logs and progress on standard error. The
exit status is 0 for success, 1 for failure and 2 for a command line that was
not understood.

More: docs/commands.md`,
		Example: `  gamebots train leduc --target 1mb
  gamebots evaluate leduc.strategy
  gamebots play poker leduc --against leduc.strategy`,
		SilenceErrors: true, // main reports them
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			l, err := zerolog.ParseLevel(level)
			if err != nil {
				return usererr.Usagef("--log-level: %q is not one of debug, info, warn, error", level)
			}
			log := newLogger(cmd.ErrOrStderr()).Level(l)
			cmd.SetContext(log.WithContext(cmd.Context()))
			return nil
		},
	}
	cmd.PersistentFlags().StringVar(&level, "log-level", level, "minimum level of messages on standard error: debug, info, warn or error")
	showVersion := cmd.Flags().BoolP("version", "v", false, "version for gamebots")
	cmd.SetUsageFunc(printUsage)
	cmd.SetFlagErrorFunc(flagError)
	leadsTo(cmd)
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Start", []*cobra.Command{newDemo(), newGames()}},
		{"Play", []*cobra.Command{newPlay(), newServe(), newGTP()}},
		{"Train and judge strategies", []*cobra.Command{newTrain(), newEvaluate(), newShow(), newAbstract(), newExperiment()}},
		{"Compete", []*cobra.Command{newArena(), newMatch(), newDealer(), newReplay(), newPackage()}},
		{"Solve games", []*cobra.Command{newSolve(), newAnalyse()}},
		{"Files", []*cobra.Command{newCheck(), newConvert()}},
		{"Machines", []*cobra.Command{newGPU(), newWork(), newGrid()}},
	} {
		cmd.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, sub := range group.commands {
			sub.GroupID = group.title
			cmd.AddCommand(sub)
		}
	}
	cmd.AddCommand(newBench(), newVersion())
	help := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !*showVersion {
			return help(cmd, args)
		}
		return printVersion(cmd)
	}
	return cmd
}

// Commands are listed in the order in which they are added, the everyday ones first.
func init() { cobra.EnableCommandSorting = false }

// leadsTo makes cmd a command that does nothing but lead to others.
func leadsTo(cmd *cobra.Command, others ...*cobra.Command) {
	cmd.AddCommand(others...)
	cmd.SuggestionsMinimumDistance = 2
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) > 0:
			err := usererr.Usagef("unknown command %q for %s", args[0], cmd.CommandPath())
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				err = fmt.Errorf("%w, the nearest is %s", err, strings.Join(near, " or "))
			}
			return err
		case cmd.HasParent():
			return usererr.Usagef("%s needs a command after it", cmd.CommandPath())
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// newLogger returns a log for people where w is a terminal, else for programs:
// one JSON object a line.
func newLogger(w io.Writer) zerolog.Logger {
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.TimeOnly}
	}
	return zerolog.New(w).With().Timestamp().Logger()
}
