package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/internal/atomicfile"
	"gamebots/internal/parallel"
	"gamebots/internal/progress"
	"gamebots/internal/shutdown"
	"gamebots/internal/usererr"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/bimatrix"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// nashFlags are the flags of solve nash.
type nashFlags struct {
	gameSource
	method   string
	device   cudalib.Choice
	threads  int
	json     bool
	write    string
	test     string
	pure     bool
	families bool
	force    bool
}

func newSolveNash() *cobra.Command {
	f := nashFlags{method: string(nash.Auto), test: string(nash.TestAuto)}
	cmd := command("solve_nash", "nash [GAME]", "Find all Nash equilibria of a game", cli.Arguments(0, 1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) }
	f.gameSource.add(cmd.Flags())
	cli.Bind(cmd, "method", &f.method, "device", &f.device, "threads", cli.PerProcessor(&f.threads), "json", &f.json,
		"write", &f.write, "test-degeneracy", &f.test, "force", &f.force, "pure", &f.pure, "families", &f.families)
	return cmd
}

func (f *nashFlags) run(cmd *cobra.Command, args []string) error {
	if f.families && f.json {
		return usererr.Usagef("--json has no effect with --families")
	}
	if f.families {
		_, err := fmt.Fprintln(cmd.OutOrStdout(), strings.Join(bimatrix.Families(), "\n"))
		return err
	}
	given := cmd.Flags().Changed
	spec, err := f.spec(given)
	if err != nil {
		return err
	}
	g, err := f.gameSource.read(cmd, args)
	switch {
	case err != nil:
		return err
	case f.write != "":
		return f.writeGame(g)
	}
	if err := f.refuse(given); err != nil {
		return err
	}
	defer shutdown.Inhibit("printing the equilibria found so far")()
	if f.pure {
		return f.print(cmd, nash.FindPure(g))
	}
	return f.solve(cmd, g, spec)
}

// spec returns what the flags ask for. given reports whether a flag was set.
func (f *nashFlags) spec(given func(flag string) bool) (nash.Options, error) {
	method, err := nash.ParseMethod(f.method)
	if err != nil {
		return nash.Options{}, usererr.Usagef("--method: %w", err)
	}
	test, err := nash.ParseDegeneracyTest(f.test)
	lemkeHowson := method == nash.LemkeHowson
	switch {
	case err != nil:
		err = usererr.Usagef("--test-degeneracy: %w", err)
	case lemkeHowson && given("test-degeneracy"):
		err = usererr.Usagef("--test-degeneracy has no effect on --method %s", method)
	case lemkeHowson && f.device.GPU():
		err = usererr.Usagef("--method %s runs on the CPU only", method)
	}
	return nash.Options{Method: method, Threads: f.threads, TestDegeneracy: test, Progress: new(nash.Progress)}, err
}

// refuse refuses flags that the search for pure equilibria does not have.
func (f *nashFlags) refuse(given func(flag string) bool) error {
	for _, name := range []string{"method", "device", "test-degeneracy"} {
		switch {
		case !f.pure || !given(name) || name == "method" && f.method == string(nash.Auto):
		case name == "method":
			return usererr.WithHint(usererr.Usagef("--method %s is not for --pure", f.method), "leave it out")
		default:
			return usererr.Usagef("--%s is not for --pure", name)
		}
	}
	return nil
}

// writeGame writes the game to the file of --write.
func (f *nashFlags) writeGame(g *bimatrix.Game) error {
	if err := cli.Replaceable(f.write, "--write FILE", f.force); err != nil {
		return err
	}
	text := g.NFG()
	if filepath.Ext(f.write) != ".nfg" {
		text = g.LRS()
	}
	return atomicfile.Write(f.write, text)
}

// solve finds equilibria and prints them, also those of a stopped search.
func (f *nashFlags) solve(cmd *cobra.Command, g *bimatrix.Game, o nash.Options) error {
	found, err := f.find(cmd, g, o)
	if found != nil {
		if err := f.print(cmd, found); err != nil {
			return err
		}
	}
	switch {
	case errors.Is(err, context.Canceled) && found == nil:
		return errors.New("interrupted before an equilibrium was found")
	case errors.Is(err, context.Canceled) && found.Result.Complete:
		return errors.New("interrupted before the equilibria were grouped into Nash subsets")
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted: there may be more equilibria")
	case errors.Is(err, bimatrix.ErrTooLarge):
		return usererr.WithHint(fmt.Errorf("the game is too large: %w", err), "--pure finds the pure equilibria")
	}
	return err
}

// print prints what was found. If the search was not stopped, printing can be: there may be very much.
func (f *nashFlags) print(cmd *cobra.Command, answer any) error {
	ctx := cmd.Context()
	slow := time.AfterFunc(time.Second, func() { zerolog.Ctx(ctx).Info().Msg("writing the equilibria") })
	defer slow.Stop()
	if ctx.Err() != nil {
		ctx = context.WithoutCancel(ctx)
	}
	_, err := parallel.Await(ctx, func() (any, error) { return nil, cli.Print(cmd.OutOrStdout(), f.json, answer) })
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted while the equilibria were written")
	}
	return err
}

// find finds all equilibria, and shows its progress.
func (f *nashFlags) find(cmd *cobra.Command, g *bimatrix.Game, o nash.Options) (*nash.Found, error) {
	if err := g.Check(); err != nil {
		return nil, err
	}
	d, where, err := f.device.If(o.DeviceWorthwhile(g)).Open()
	if d != nil {
		o.Device = d
		defer d.Close() // the equilibria are no longer on it
	} else if err == nil && o.Method == nash.Grosu {
		err = fmt.Errorf("--method %s needs a GPU: it would run on %s", o.Method, where)
	}
	if err != nil {
		return nil, err
	}
	log := zerolog.Ctx(cmd.Context())
	log.Debug().Str("device", where).Msg("searching")
	done := watchNash(cmd, o.Progress)
	start := time.Now()
	found, err := nash.Find(cmd.Context(), g, o)
	done()
	if found != nil {
		log.Debug().Str("method", string(found.Result.Stats.Method)).Dur("time", time.Since(start)).Msg("solved")
	}
	return found, err
}

// watchNash shows the progress of a search until done is called.
func watchNash(cmd *cobra.Command, watch *nash.Progress) (done func()) {
	return progress.Watch(cmd.ErrOrStderr(), "", func(bar *progress.Bar) {
		part, found := watch.Part(), watch.Found()
		done, left := fmt.Sprintf("%.1f%%", 100*part), progress.TimeLeft(bar.Start, part)
		if !bar.Show(part, fmt.Sprintf("%s, %d equilibria, %s left", done, found, left)) {
			log := zerolog.Ctx(cmd.Context()).Info().Str("done", done).Int("equilibria", found)
			log.Str("left", left).Msg("searching")
		}
	})
}
