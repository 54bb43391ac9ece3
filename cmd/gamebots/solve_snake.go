package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"gamebots/bots/grid/jobs"
	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// defaultRuns is the number of runs of solve snake without --runs and --time.
const defaultRuns = 100

// The numbers of walks without --walks.
const (
	cpuWalks = 64
	gpuWalks = 4096
)

// snakeFlags are the flags of solve snake.
type snakeFlags struct {
	snake.SearchOptions
	algorithm, policy string
	symmetry          string
	prime             string
	primeEdges        int
	restarts          int
	grid              gridFlags
	time              time.Duration
	output            string
	device            cudalib.Choice
	json, force       bool
}

func newSolveSnake() *cobra.Command {
	var f snakeFlags
	cmd := &cobra.Command{
		Use:   "snake",
		Short: "Search for long snakes in the box",
		Long: `snake searches the cube of a given dimension for a long snake: a path along its
edges that never touches itself, so that each vertex but the first has only one
earlier neighbour. With --coil the path is a cycle.

It makes --runs searches, or as many as --time allows, and prints the lengths of
the snakes and the longest snake, with a base-36 digit for each edge: its
dimension. An independent checker verifies the snake first. Ctrl-C or SIGTERM
stops the search as --time does.

nmcs is nested Monte-Carlo search: a search of level n tries each move by a
search of level n-1; level 0 plays at random, or with --policy forced prefers
moves that leave exactly one move. --leaf P takes the best of P random games
instead of one. nrpa is nested rollout policy adaptation: level n makes
--iterations searches of level n-1 and learns from the best.

beam is beam search: it extends paths edge by edge, and keeps the --width paths
whose heads can reach the most vertices; for a coil, only those that can still
be closed. It makes one run, with ties broken by --seed. With --symmetry edge:P
or vertex:P it grows both halves of a snake at once, from the middle; P pairs of
dimensions are swapped. With --improve further searches follow, each of which
begins with a part of the longest snake. --restarts makes several such searches,
each with its own seed.

halves finds the longest snakes and coils. A snake that uses its last dimension
once consists of two snakes in the cube of one dimension less, which share only
their first vertex; a coil that uses it twice, of two that share both ends. A
beam search regrows a part of one of the two while the other stays fixed, in
turn, for --time or for --runs beams per chain and dimension. A chain is a
search with its own snake: there is one per thread of the CPU, with beams of
width 300 at most, or up to thousands on a GPU. The search begins in dimension
8, or that of the cube if lower, and the snakes of a dimension are halves for
the next one. --prime gives the first half of a snake, of one dimension less.
With --time, walks then start from the longest snakes: in the last dimension,
and in each from 11 on. Each dimension gets the same time, and so do its walks;
if --time is long enough for two rounds, all of this is repeated. Chains share
their snakes, so the result is repeatable only on one thread, with --runs.

walk changes snakes or coils a little at a time: it cuts a part out and searches
for another one between its ends, or cuts an end off and regrows it. It moves
between snakes of about the same length, of which some can be made longer. There
are --walks snakes, which begin at random, or at the one of --prime. A run is a
round of a thousand changes of each. After a round, snakes that are much shorter
than another continue from that one. A beam search with --walks continues with
walks from its snake.

With --coil, --symmetry rotation:N makes beam and walk search for coils that
consist of N copies of one path, each made from the previous one by the same
symmetry of the cube. There are far fewer of these, and many long coils are
among them. The seed draws the symmetry; each walk draws its own. With
rotation:2, halves searches for coils whose two halves are copies, each snake
with a symmetry of its own, and in one dimension only.

--prime begins all snakes with the one in a file, as written by --output and
read by check; after it all dimensions may be used. --prime-edges takes only its
first edges. Walks change the snake of --prime.

Moves are canonical unless --free is given: a dimension is used for the first
time after all lower ones. A run depends on the settings, --seed and its number,
not on threads or device. With --checkpoint the completed runs are saved in a
file, every ten seconds and at the end, and the same command continues.

In up to 13 dimensions a GPU can search for snakes by nmcs of levels 0 to 2 with
uniform random games and by beam, and for snakes and coils by halves and by
walk. Except for halves the results are the same. --device auto uses a GPU if
there is one and there are enough runs to gain from it. With --nats, runs and
restarts are shared among machines that run gamebots work, with the same
results.

The mean is printed with its 95% interval. With --json one object is printed:
{"runs", "mean", "stderr", "best", "sequence", "playouts", "steps", "seconds",
"device"}. stderr is the standard error of the mean; playouts and steps are
random games and the moves in them (for beam and halves, steps are the paths
rated; for walk, changes tried and vertices entered by their searches); seconds
include earlier runs of the same checkpoint.`,
		Example: `  gamebots solve snake --dimension 8 --level 2 --runs 1000
  gamebots solve snake --dimension 8 --algorithm beam --width 200000
  gamebots solve snake --dimension 10 --level 3 --time 10m \
    --checkpoint 10.checkpoint
  gamebots solve snake --dimension 9 --level 4 --runs 1000 --nats embedded
  gamebots solve snake --dimension 10 --algorithm beam --prime nine.snake \
    --output ten.snake
  gamebots solve snake --dimension 9 --algorithm beam --symmetry vertex:4 \
    --improve --time 10m
  gamebots solve snake --dimension 10 --algorithm halves --time 10m \
    --output ten.snake
  gamebots solve snake --dimension 11 --algorithm walk --prime eleven.snake \
    --time 1m
  gamebots solve snake --dimension 7 --coil --algorithm walk --time 1m
  gamebots solve snake --dimension 10 --coil --algorithm halves --time 10m
  gamebots solve snake --dimension 8 --coil --algorithm walk \
    --symmetry rotation:4 --time 1m
  gamebots solve snake --dimension 8 --coil --algorithm halves \
    --symmetry rotation:2 --time 1m`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return solveSnake(cmd, f) },
	}
	flags := cmd.Flags()
	flags.IntVar(&f.Rules.Dimension, "dimension", 8, "dimension of the cube, 3 to 16")
	flags.BoolVar(&f.Rules.Coil, "coil", false, "search for coils, which are closed paths")
	flags.BoolVar(&f.Rules.Free, "free", false, "moves need not be canonical")
	flags.StringVar(&f.algorithm, "algorithm", string(snake.NMCS), "nmcs, nrpa, beam, halves or walk")
	flags.IntVar(&f.Level, "level", 2, "level of nmcs, 0 to 6, or of nrpa")
	flags.IntVar(&f.Leaf, "leaf", 1, "nmcs: random games per leaf, of which the best counts")
	flags.StringVar(&f.policy, "policy", nmcs.Uniform.String(), "nmcs: policy of random games, uniform or forced")
	flags.IntVar(&f.Iterations, "iterations", 100, "nrpa: searches of the level below")
	flags.IntVar(&f.Width, "width", 20_000, "beam, halves: paths to keep")
	flags.IntVar(&f.Walks, "walks", 0, fmt.Sprintf("walk, halves: snakes that walk (default %d, on a GPU %d); beam: continue with that many walks", cpuWalks, gpuWalks))
	flags.BoolVar(&f.Improve, "improve", false, "beam: continue for --runs or --time by cutting off an end of the longest snake and searching for a longer one")
	flags.IntVar(&f.restarts, "restarts", 1, "beam: searches with seeds of their own, each on one thread")
	flags.StringVar(&f.symmetry, "symmetry", "", "beam: grow both halves of a snake from its middle, edge:3 or vertex:3, with 3 pairs of dimensions swapped; beam, walk, halves: a coil of 2 copies of a path, rotation:2")
	flags.Uint64Var(&f.Seed, "seed", 0, "seed of random choices")
	flags.Uint64Var(&f.MaxRuns, "runs", 0, fmt.Sprintf("searches to make (default %d, or as many as --time allows)", defaultRuns))
	flags.DurationVar(&f.time, "time", 0, "stop after this time, as in 60s")
	addThreads(flags, &f.Threads, "threads to use; except for halves, the result does not depend on them")
	flags.StringVar(&f.prime, "prime", "", "file with the snake to begin with: the longest one in it that fits")
	flags.IntVar(&f.primeEdges, "prime-edges", 0, "number of edges of --prime to begin with (default all)")
	flags.StringVar(&f.Checkpoint, "checkpoint", "", "file to save the runs in, and to continue from")
	flags.StringVarP(&f.output, "output", "o", "", "write the longest snake to this file, in the format of check")
	addForce(flags, &f.force)
	cli.AddDevice(flags, &f.device, "where to search: auto, cpu, cuda or cuda:N")
	flags.BoolVar(&f.json, "json", false, "print the result as one JSON object")
	f.grid.add(flags)
	return cmd
}

func solveSnake(cmd *cobra.Command, f snakeFlags) error {
	if err := f.resolve(); err != nil {
		return err
	}
	if err := replaceable(f.output, "-o FILE", f.force); err != nil {
		return err
	}
	for file, flag := range map[string]string{f.output: "--output", f.Checkpoint: "--checkpoint"} {
		if file != "" {
			if err := writable(file, flag); err != nil {
				return err
			}
		}
	}
	if f.Checkpoint != "" {
		release, err := hold(f.Checkpoint, "--checkpoint")
		if err != nil {
			return err
		}
		defer release()
	}
	ctx := cmd.Context()
	if f.time > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, f.time)
		defer stop()
	}
	log := zerolog.Ctx(ctx)
	where, err := f.openDevice(log)
	if err != nil {
		return err
	}
	if f.Device == nil && f.defaultWalks() {
		f.Walks = cpuWalks
	}
	s, err := searchSnake(ctx, f, log)
	if f.Device != nil {
		err = errors.Join(err, f.Device.Close())
	}
	if err != nil && (s == nil || len(s.Best()) == 0) {
		return err
	}
	// What was found before an error, as of the device or of saving, is not lost.
	return errors.Join(err, f.report(cmd.OutOrStdout(), s, where))
}

// report checks what a search somewhere has found, writes it to the file of --output, and prints it.
func (f *snakeFlags) report(w io.Writer, s *snake.Search, where string) error {
	if best := s.Best(); len(best) > 0 {
		if err := cube.Check(f.Rules, best); err != nil {
			return fmt.Errorf("internal error: the longest snake is invalid: %w", err)
		}
		if f.output != "" {
			if err := writeSnake(f.output, f.Settings, best); err != nil {
				return err
			}
		}
	}
	return printSnakes(w, s, where, f.json)
}

// searchSnake searches on a device, on threads or on a grid. After an error the search, if there is
// one, has what was found before.
func searchSnake(ctx context.Context, f snakeFlags, log *zerolog.Logger) (*snake.Search, error) {
	if err := f.fits(memory.Available()); err != nil {
		return nil, err
	}
	progress := newSnakeLog(log, f.SearchOptions)
	f.OnProgress, f.OnBeam = progress.update, progress.beam
	s, err := snake.NewSearch(f.SearchOptions)
	if errors.As(err, new(*snake.CheckpointError)) {
		return nil, usererr.WithHint(err, "give another file with --checkpoint, or remove this one")
	}
	if err != nil {
		return nil, err
	}
	progress.search = s
	if s.Tally.Runs > 0 {
		log.Info().Uint64("runs", s.Tally.Runs).Int("best", s.Tally.Best.Score).Msg("continuing")
	}
	if f.restarts == 1 && f.grid.nats == "" {
		return s, s.Run(ctx)
	}
	g, end, err := f.grid.open(ctx, f.Threads)
	if err != nil {
		return nil, err
	}
	if f.restarts > 1 {
		err = jobs.SnakeRestarts(ctx, g, s, f.restarts, progress.restart)
	} else {
		err = jobs.SnakeRuns(ctx, g, s)
	}
	return s, errors.Join(err, end())
}

// openDevice opens the GPU that was chosen, if it can make the search and gains from it, and
// returns the name of the device that searches.
func (f *snakeFlags) openDevice(log *zerolog.Logger) (where string, err error) {
	if f.grid.nats != "" {
		return "a grid", nil
	}
	where = counted(f.Threads, "thread", "threads") + " of the CPU"
	if f.device.CPU() || f.restarts > 1 {
		return where, nil
	}
	if err := f.CheckDevice(); err != nil {
		if f.device.GPU() {
			return "", usererr.Usage(fmt.Errorf("--device %v: %w", f.device, err))
		}
		return where, nil
	}
	if !f.device.GPU() && !f.DeviceWorthwhile(f.MaxRuns) {
		return where, nil
	}
	d, reason, err := f.device.Open()
	if err != nil || d == nil {
		return where, err
	}
	log.Info().Msgf("searching on %s", reason)
	f.Device = d
	return d.String(), nil
}

// defaultWalks reports whether the algorithm needs walks and their number was not given.
func (f *snakeFlags) defaultWalks() bool {
	return (f.Algorithm == snake.HalfByHalf || f.Algorithm == snake.Walking) && !f.grid.flags.Changed("walks")
}
