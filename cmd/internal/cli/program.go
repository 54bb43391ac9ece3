package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"gamebots/internal/progress"
	"gamebots/internal/shutdown"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// Main runs a program with the arguments and the streams of the process, and ends the process.
func Main(root *cobra.Command) {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		ends = append(ends, syscall.SIGHUP) // the end of an ssh session
	}
	ignored := signal.Ignored(os.Interrupt) // as a script starts a program with &
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	context.AfterFunc(ctx, func() {
		again := make(chan os.Signal, 1)
		if ignored { // stop has it ignored again
			signal.Notify(again, os.Interrupt)
		}
		stop() // a second signal ends the program at once
		shutdown.Begin()
		<-again
		os.Exit(130)
	})
	os.Exit(Run(ctx, root, os.Args[1:], os.Stdout, os.Stderr))
}

// Run executes one command line of a program and returns the exit status.
func Run(ctx context.Context, root *cobra.Command, args []string, stdout, stderr io.Writer) int {
	args = renamed(root.Name(), args, stderr)
	out := &output{Writer: stdout}
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(stderr)
	root.InitDefaultHelpFlag() // or a command after -h would be its value
	refuseHelp(root)
	completeShells(root)
	cmd, rest, _ := root.Find(args)
	var err error
	for i := 0; i < len(rest) && err == nil && cmd.HasSubCommands(); i++ { // with --help cobra would show that of cmd
		err = goneError(cmd, rest[i])
	}
	if err == nil {
		cmd, err = execute(ctx, root, args, stderr)
	}
	if err == nil {
		err = out.failure()
	}
	return report(stderr, cmd, interrupted(ctx, cmd, err))
}

// output is the standard output of a command, which writes many lines without a look at their errors. It keeps the
// first.
type output struct {
	io.Writer
	mu  sync.Mutex
	err error
}

func (o *output) Write(text []byte) (n int, err error) {
	n, err = o.Writer.Write(text)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
	}
	return n, err
}

func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// grace is how long a command that was asked to end has for the result so far. It then is given up, but for what
// inhibits a shutdown, and afterGrace is how long it has after that.
const (
	grace      = 800 * time.Millisecond
	afterGrace = 300 * time.Millisecond
)

// execute executes the command line, and returns the command. Some time after the end of ctx it gives up a command that
// has not returned: that goes on until the process ends.
func execute(ctx context.Context, root *cobra.Command, args []string, stderr io.Writer) (*cobra.Command, error) {
	type result struct {
		cmd *cobra.Command
		err error
	}
	done := make(chan result, 1)
	go func() {
		cmd, err := root.ExecuteContextC(ctx)
		done <- result{cmd, err}
	}()
	select {
	case r := <-done:
		return r.cmd, r.err
	case <-ctx.Done():
	}
	tick := time.NewTicker(grace / 16)
	defer tick.Stop()
	end, told := time.Now().Add(grace), ""
	for {
		select {
		case r := <-done:
			return r.cmd, r.err
		case now := <-tick.C:
			if now.Before(end) {
				continue
			}
			what := shutdown.Inhibited()
			if what == "" {
				return named(root, args), nil
			}
			if end = now.Add(afterGrace); what != told {
				told = what
				fmt.Fprintf(stderr, "%s: still %s; Ctrl-C again ends at once\n", root.Name(), what)
			}
		}
	}
}

// named returns the command that arguments name.
func named(root *cobra.Command, args []string) *cobra.Command {
	if cmd, _, err := root.Find(args); err == nil {
		return cmd
	}
	return root
}

// refuseHelp makes the command help refuse what is no command, as the program does.
func refuseHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil || help == root {
		return // a program without commands
	}
	help.Run = nil
	help.RunE = func(help *cobra.Command, args []string) error {
		cmd, rest, err := help.Root().Find(args)
		if err == nil && len(rest) > 0 {
			err = cmd.ValidateArgs(rest)
		}
		if err != nil {
			return usererr.Usage(err)
		}
		return cmd.Help()
	}
}

// interrupted words the error of a command that was asked to end and has nothing
// else to say. A command that has not failed has not done all, unless it serves.
func interrupted(ctx context.Context, cmd *cobra.Command, err error) error {
	if ctx.Err() == nil || err == nil && cmd.Annotations[serves] != "" || errors.As(err, new(Reported)) {
		return err
	}
	if err == nil {
		return errInterrupted
	}
	for line := range strings.SplitSeq(err.Error(), "\n") { // one for each of joined errors
		if !strings.HasSuffix(line, ctx.Err().Error()) && !strings.HasSuffix(line, context.Cause(ctx).Error()) {
			return err
		}
	}
	return usererr.WithHint(errInterrupted, usererr.Hint(err))
}

var errInterrupted = errors.New("interrupted")

// Late returns a context that ends some time after ctx, in the middle of the grace of a command, so that an iteration
// or the like may end before. Free frees it.
func Late(ctx context.Context) (late context.Context, free func()) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace/2, cancel) })
	return late, func() {
		stop()
		cancel()
	}
}

// serves is the annotation of [Serves].
const serves = "serves"

// Serves says that a command runs until it is interrupted, which is then no failure.
func Serves(cmd *cobra.Command) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[serves] = "until it is interrupted"
}

// Program makes cmd the root command of a program: it prints usage and errors as all programs
// do, gives its commands a log in their context, and has the flags --log-level and --version.
func Program(cmd *cobra.Command) {
	level := zerolog.InfoLevel.String()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true // Run reports them
	cmd.SetUsageFunc(printUsage)
	cmd.SetFlagErrorFunc(flagError)
	cmd.PersistentFlags().StringVar(&level, "log-level", level,
		"log debug, info, warn or error")
	cmd.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		l, err := zerolog.ParseLevel(level)
		if err != nil {
			return usererr.Usagef("--log-level: %q is not one of debug, info, warn, error", level)
		}
		// The log is for people at a terminal, else for programs: one JSON object a line.
		w := cmd.ErrOrStderr()
		if progress.IsTerminal(w) {
			w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.TimeOnly}
		}
		log := zerolog.New(w).With().Timestamp().Logger().Level(l)
		cmd.SetContext(log.WithContext(cmd.Context()))
		return checkNeeded(cmd.Flags())
	}
	showVersion := cmd.Flags().BoolP("version", "v", false, "version for "+cmd.Name())
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !*showVersion {
			return run(cmd, args)
		}
		return PrintVersion(cmd)
	}
}

// PrintVersion prints the version of the program of a command, and the commit that it was built
// from where that is known.
func PrintVersion(cmd *cobra.Command) error {
	commit := Commit()
	if commit != "" {
		commit += ", "
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s %s (%s%s %s/%s)\n",
		cmd.Root().Name(), Release(), commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// Slog returns the context's log for packages that write to a *slog.Logger.
func Slog(ctx context.Context) *slog.Logger {
	return slog.New(zerolog.NewSlogHandler(*zerolog.Ctx(ctx)))
}
