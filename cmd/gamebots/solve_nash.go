package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"gamebots/bots/grid/jobs"
	"gamebots/cmd/gamebots/internal/gridflags"
	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/cudalib/nashgpu"
	"gamebots/internal/atomicfile"
	"gamebots/internal/progress"
	"gamebots/internal/usererr"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/game"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// nashFlags are the flags of solve nash.
type nashFlags struct {
	gameSource
	method    string
	device    cudalib.Choice
	threads   int
	json      bool
	write     string
	test      string
	pure      bool
	path      string
	symmetric bool
	families  bool
	force     bool
	grid      gridflags.Flags
}

func newSolveNash() *cobra.Command {
	var f nashFlags
	cmd := &cobra.Command{
		Use:   "nash [GAME]",
		Short: "Find all Nash equilibria of a game",
		Long: `nash finds all Nash equilibria of a bimatrix game, and proves each in exact
arithmetic. GAME is a file in Gambit's .nfg format or lrsnash's input; "-" is
standard input. An extensive game, in Gambit's .efg format, is solved in its
reduced normal form; see also solve extensive.

For games of more than two players, of up to 4 by 4 by 4 strategies, it finds
all equilibria by subdivision, and certifies each by interval arithmetic.

Each equilibrium is printed with its supports, its probabilities as fractions,
its payoffs and its index. The verdict states that each is exactly an
equilibrium and, in a nondegenerate game, that their number is odd and their
indices add up to +1; the exit status is 1 if any of these fails. Of a
degenerate game, which may have infinitely many equilibria, it lists the extreme
ones and the maximal Nash subsets that they span. After Ctrl-C it prints the
equilibria found so far.

Methods that find all equilibria:
  labels         branches over complementarity labels; the default
  support        enumerates pairs of supports, for comparison
  polymatrix     for games of any number of players whose payoffs are sums of
                 payoffs against each other player
Methods that find one:
  lemke-howson   in a bimatrix game, quickly
  global-newton, logit
                 follow a path, for any number of players; --path writes it
--pure finds the pure equilibria of any game, --symmetric those equilibria of a
symmetric game in which all players play the same strategy.

labels and support use all cores, or a GPU with --device cuda; with --nats,
labels also uses machines that run gamebots work. The result is the same.

--generate makes a game of a family instead of reading a file; --families lists
them. --write writes the game to a file instead of solving it.

More: docs/nash.md`,
		Example: `  gamebots solve nash game.nfg
  gamebots solve nash game.nfg --json --threads 4
  gamebots solve nash --generate RandomGame --size 16 --seed 16001
  gamebots solve nash --generate RandomGame --size 26 --nats embedded
  gamebots solve nash --generate RandomGame --size 50x50x50 --pure
  gamebots solve nash --generate HawkAndDove --symmetric
  gamebots solve nash --generate RandomGame --size 5x5x5x5 \
    --method global-newton
  gamebots solve nash game.nfg --method logit --path responses.svg
  gamebots solve nash --generate TravelersDilemma --size 8 --write dilemma.nfg`,
		Args: cli.Arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return solveNash(cmd, args, f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.method, "method", string(nash.Auto), "search method: auto, support, labels, lemke-howson, polymatrix, global-newton or logit; nguyen and grosu for comparison")
	cli.AddDevice(flags, &f.device, "where to search: auto, cpu, cuda or cuda:N")
	cli.AddThreads(flags, &f.threads, "threads to use; the result is the same for any number")
	flags.BoolVar(&f.json, "json", false, "print the result as one JSON object")
	f.gameSource.add(flags)
	flags.StringVar(&f.write, "write", "", "write the game to this file instead of solving it")
	flags.StringVar(&f.test, "test-degeneracy", string(nash.TestAuto), "test whether the game is degenerate: auto (up to 40 strategies in all), always or never")
	cli.AddForce(flags, &f.force)
	flags.BoolVar(&f.pure, "pure", false, "find the pure equilibria only, of any number of players")
	flags.StringVar(&f.path, "path", "", "with --method logit: write the quantal response equilibria to this .csv FILE, or draw them into a .png or .svg `FILE`")
	flags.BoolVar(&f.symmetric, "symmetric", false, "find the equilibria of a symmetric game in which all players do the same")
	flags.BoolVar(&f.families, "families", false, "list the families of games")
	f.grid.Add(flags)
	return cmd
}

func solveNash(cmd *cobra.Command, args []string, f nashFlags) error {
	out := cmd.OutOrStdout()
	if f.families {
		for _, family := range game.Families() {
			fmt.Fprintln(out, family)
		}
		fmt.Fprintln(out, polymatrixGame+": each two of any number of players play a RandomGame, and their payoffs add up")
		return nil
	}
	method, err := nash.Auto, error(nil)
	solve := f.methodOfPlayers()
	if solve == nil {
		method, err = nash.ParseMethod(f.method)
	}
	test, testErr := nash.ParseDegeneracyTest(f.test)
	gridErr := f.grid.Check()
	switch {
	case err != nil:
		return usererr.Usagef("--method: %w, %s, %s, %s", err, polymatrixMethod, globalNewton, logit)
	case gridErr != nil:
		return gridErr
	case testErr != nil:
		return usererr.Usagef("--test-degeneracy: %w", testErr)
	case f.path != "" && f.method != logit:
		return usererr.Usagef("--path needs --method %s", logit)
	case f.force && f.write == "":
		return usererr.Usagef("--force has no effect without --write")
	case method == nash.LemkeHowson && cmd.Flags().Changed("test-degeneracy"):
		return usererr.Usagef("--test-degeneracy has no effect on --method %s", method)
	case f.grid.NATS != "" && (method != nash.Auto && method != nash.Labels || f.device.GPU()):
		return usererr.Usagef("--nats: only a search by labels on CPUs can be spread over machines")
	}
	n, err := f.normalForm(cmd, args)
	switch {
	case err != nil:
		return err
	case f.write != "":
		return f.writeGame(n)
	case solve != nil:
		return solve(cmd, n)
	case f.symmetric:
		return f.solveSymmetric(cmd, n)
	case f.pure:
		return f.solvePure(cmd, n)
	case len(n.Players) > 2:
		return f.solvePlayers(cmd, n)
	}
	g := n.Bimatrix()
	if err := g.Check(); max(g.Rows, g.Cols) > game.MaxStrategies {
		return usererr.WithHint(err, "--pure finds the pure equilibria of larger games")
	} else if err != nil {
		return err
	}
	return f.solve(cmd, g, nash.Options{Method: method, TestDegeneracy: test, Threads: f.threads, Progress: new(nash.Progress)})
}

// writeGame writes the game to the file of --write.
func (f *nashFlags) writeGame(g *game.NormalForm) error {
	if err := cli.Replaceable(f.write, "--write FILE", f.force); err != nil {
		return err
	}
	text := g.NFG()
	if len(g.Players) == 2 && filepath.Ext(f.write) != ".nfg" {
		text = g.Bimatrix().LRS()
	}
	return atomicfile.Write(f.write, text)
}

// solve solves the game and prints the result, also that of a stopped search.
func (f *nashFlags) solve(cmd *cobra.Command, g *game.Game, options nash.Options) error {
	where := "a grid"
	if f.grid.NATS != "" {
		on, end, err := f.grid.Open(cmd.Context(), f.threads)
		if err != nil {
			return err
		}
		defer end()
		options.Distribute = jobs.DistributeNash(on, g)
	} else {
		device, name, err := f.openDevice(g, options.Method)
		if err != nil {
			return err
		}
		if device != nil {
			defer device.Close() // nothing on it is needed any more
		} else if options.Method == nash.Grosu {
			return fmt.Errorf("--method grosu needs a GPU: it would run on %s", name)
		}
		options.Device, where = device, name
	}
	log := zerolog.Ctx(cmd.Context())
	log.Debug().Str("device", where).Msg("searching")
	done := watchNash(cmd.Context(), cmd.ErrOrStderr(), options.Progress)
	start := time.Now()
	var tested time.Duration
	options.OnTested = func() { tested = time.Since(start) }
	result, err := nash.Solve(cmd.Context(), g, options)
	done()
	if result == nil {
		return err
	}
	result.Stats.DegeneracySeconds = float64(tested.Milliseconds()) / 1000
	log.Debug().Str("method", string(result.Stats.Method)).Dur("time", time.Since(start)).Msg("solved")
	write := printNash
	if f.json {
		write = func(w io.Writer, _ *game.Game, r *nash.Result) error { return r.WriteJSON(w) }
	}
	switch printErr := write(cmd.OutOrStdout(), g, result); {
	case printErr != nil:
		return printErr
	case errors.Is(err, context.Canceled):
		return errors.New("stopped: there may be more equilibria")
	case err != nil:
		return err
	case !result.Verified:
		return fmt.Errorf("not verified: %s", result.Problem)
	}
	return nil
}

// The numbers of a player's strategies from which on a GPU is expected to be faster
// than a few cores, including its start.
const (
	labelsGainFrom   = 26
	supportsGainFrom = 14
)

// openDevice opens the device to search on, nil for the CPU. where describes it.
func (f *nashFlags) openDevice(g *game.Game, method nash.Method) (d *cudalib.Device, where string, err error) {
	size, gain := max(g.Rows, g.Cols), labelsGainFrom
	if method != nash.Auto && method != nash.Labels {
		gain = supportsGainFrom
		if size > nashgpu.MaxStrategies && !f.device.GPU() {
			return nil, "the CPU: the game is too large for kernels of supports", nil
		}
	}
	if method == nash.LemkeHowson {
		if f.device.GPU() {
			return nil, "", usererr.Usagef("--method lemke-howson runs on the CPU only")
		}
		return nil, "the CPU", nil
	}
	if !f.device.GPU() && method != nash.Grosu && size < gain {
		return nil, "the CPU: the game is small", nil
	}
	return f.device.Open()
}

// watchNash shows the progress of a search until done is called.
func watchNash(ctx context.Context, w io.Writer, watch *nash.Progress) (done func()) {
	bar := progress.New(w, "")
	finished, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer bar.Close()
		for {
			select {
			case <-finished:
				return
			case <-time.After(time.Second / 10):
			}
			if ctx.Err() != nil || !bar.Due() {
				continue
			}
			part, found := watch.Part(), watch.Found()
			done, left := fmt.Sprintf("%.1f%%", 100*part), progress.TimeLeft(bar.Start, part)
			if !bar.Show(part, fmt.Sprintf("%s, %d equilibria, %s left", done, found, left)) {
				zerolog.Ctx(ctx).Info().Str("done", done).Int("equilibria", found).Str("left", left).Msg("searching")
			}
		}
	}()
	return func() { close(finished); <-ended }
}
