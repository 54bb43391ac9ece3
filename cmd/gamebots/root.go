package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"gamebots/internal/usererr"
	"gamebots/internal/version"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newRoot() *cobra.Command {
	level := "info"
	cmd := &cobra.Command{
		Use:   "gamebots",
		Short: "Bots for game servers, and the solvers behind them",
		Long: `gamebots trains strategies for games and plays them against other programs.

Results are printed on standard output, logs and progress on standard error. The
exit status is 0 for success, 1 for failure and 2 for a command line that was
not understood.`,
		Example: `  gamebots train leduc --target 1mb
  gamebots evaluate leduc.strategy
  gamebots play acpc localhost 16177 --strategy leduc.strategy`,
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
	leadsTo(cmd,
		newAbstract(), newAnalyse(), newArena(), newBench(), newCheck(), newConvert(), newDealer(), newDemo(),
		newEvaluate(), newExperiment(), newGames(), newGPU(), newGrid(), newGTP(), newMatch(), newPackage(), newPlay(), newReplay(),
		newServe(), newShow(), newSolve(), newTrain(), newWork(),
	)
	help := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !*showVersion {
			return help(cmd, args)
		}
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "gamebots %s (%s %s/%s)\n", version.Release(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return err
	}
	return cmd
}

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
