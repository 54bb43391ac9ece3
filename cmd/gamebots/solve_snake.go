package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"gamebots/cudalib"
	"gamebots/internal/usererr"
	"gamebots/solvers/atomicfile"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"

	"github.com/spf13/cobra"
)

// defaultRuns is how many runs solve snake does when nobody says.
const defaultRuns = 100

// snakeFlags are the flags of solve snake.
type snakeFlags struct {
	snake.Settings
	algorithm, policy string
	symmetry          string
	improve           bool
	prime             string
	primeEdges        int
	runs              uint64
	restarts          int
	grid              gridFlags
	time              time.Duration
	threads           int
	checkpoint        string
	output            string
	device            cudalib.Choice
	json              bool
}

func newSolveSnake() *cobra.Command {
	var f snakeFlags
	cmd := &cobra.Command{
		Use:   "snake",
		Short: "Search for long snakes in the box",
		Long: `snake searches the cube of some dimension for a long snake: a path along its
edges that comes near itself nowhere, so that each vertex but the first has one
earlier neighbour. With --coil the path is a cycle.

It does --runs searches, or as many as there is time for with --time, and prints
how long the snakes were and the longest, with a base-36 digit an edge: the
dimension along which it goes. That one is checked by a program of its own
before it is printed. Ctrl-C or SIGTERM stops the search as --time does.

nmcs is nested Monte-Carlo search: in a search of level n all moves are tried by
searches of level n-1, and one of level 0 plays at random, or with --policy
forced prefers moves that leave a single one. --leaf P takes the best of P
random games instead of one. nrpa is nested rollout policy adaptation: level n
does --iterations searches of level n-1, and learns from the best. beam keeps
the --width paths from whose heads most vertices can still be reached, edge by
edge; there is one run of it, which has no random choices beside the --seed.
With --symmetry it grows snakes from their middle, both halves at once; with
--improve it goes on with others, each of which begins with a part of what was
found, and with --restarts so many searches are made with seeds of their own.

halves finds the longest. A snake that uses its last dimension once is two in
the cube of one dimension less, which begin together and do not meet again; a
beam grows one of them anew while the other stays, by turns, for --time or
--runs beams a chain. A chain is a search with a snake of its own: one a thread
of the CPU, with beams of a width of 300 at most, or two thousand on a GPU. It
begins in dimension 9, if that is not too high, and what it finds there are
halves for the next; --prime is a half to begin with, of one dimension less.
With --time a tenth is left in the end for beams of the --width that grow both
ends of the longest. Chains share what they find, so that only one thread with
--runs finds the same again.

--prime begins all snakes with one of a file, such as solve snake --output and
check have it, from whose first dimension on all are used again; --prime-edges
takes only its beginning.

Moves are canonical unless there is --free: a dimension is used for the first
time after all below it. A run depends on --seed, its number and what is
searched, and on neither threads nor device. With --checkpoint the runs that
came to their end are kept in a file, and the same command goes on after them.

On a GPU there are nmcs of levels 0 to 2 with uniform random games and beam, for
snakes of up to 12 dimensions; the results are the same. --device auto takes one
where there is one and there are runs enough for it. With --nats the machines
where gamebots work runs do runs and restarts; the results are the same again.

With --json one object is printed: {"runs", "mean", "stderr", "best",
"sequence", "playouts", "steps", "seconds", "device"}, where stderr is the
standard error of the mean, playouts and steps are random games and moves made
in them (of a beam, paths that were rated), and seconds count all runs of the
command with the same checkpoint.`,
		Example: `  gamebots solve snake --dimension 8 --level 2 --runs 1000
  gamebots solve snake --dimension 8 --algorithm beam --width 200000
  gamebots solve snake --dimension 10 --level 3 --time 10m --checkpoint 10.checkpoint
  gamebots solve snake --dimension 9 --level 4 --runs 1000 --nats embedded
  gamebots solve snake --dimension 10 --algorithm beam --prime nine.snake --output ten.snake
  gamebots solve snake --dimension 9 --algorithm beam --symmetry vertex:4 --improve --time 10m
  gamebots solve snake --dimension 10 --algorithm halves --time 10m --output ten.snake`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return solveSnake(cmd, f) },
	}
	flags := cmd.Flags()
	flags.IntVar(&f.Rules.Dimension, "dimension", 8, "dimension of the cube, 3 to 16")
	flags.BoolVar(&f.Rules.Coil, "coil", false, "search for coils, which are closed")
	flags.BoolVar(&f.Rules.Free, "free", false, "moves need not be canonical")
	flags.StringVar(&f.algorithm, "algorithm", string(snake.NMCS), "nmcs, nrpa, beam or halves")
	flags.IntVar(&f.Level, "level", 2, "level of nmcs, 0 to 6, or of nrpa")
	flags.IntVar(&f.Leaf, "leaf", 1, "nmcs: random games of which the best counts")
	flags.StringVar(&f.policy, "policy", nmcs.Uniform.String(), "nmcs: how random games choose, uniform or forced")
	flags.IntVar(&f.Iterations, "iterations", 100, "nrpa: searches of each level below")
	flags.IntVar(&f.Width, "width", 20_000, "beam, halves: paths that are kept")
	flags.BoolVar(&f.improve, "improve", false, "beam: go on for --runs or --time, cutting off a part of the longest at one end and searching for a longer one")
	flags.IntVar(&f.restarts, "restarts", 1, "beam: searches with seeds of their own, each on one thread")
	flags.StringVar(&f.symmetry, "symmetry", "", "beam: grow both halves from the middle, an edge or a vertex, one the image of the other with so many pairs of dimensions swapped, as in edge:3")
	flags.Uint64Var(&f.Seed, "seed", 0, "seed of random choices")
	flags.Uint64Var(&f.runs, "runs", 0, fmt.Sprintf("searches to do (default %d, or as many as --time has room for)", defaultRuns))
	flags.DurationVar(&f.time, "time", 0, "stop after so much time, as in 60s")
	addThreads(flags, &f.threads, "threads to use; but for halves the result is the same for any number")
	flags.StringVar(&f.prime, "prime", "", "file with the snake to begin with; its longest that fits counts")
	flags.IntVar(&f.primeEdges, "prime-edges", 0, "edges of it to begin with (default all)")
	flags.StringVar(&f.checkpoint, "checkpoint", "", "file to keep the runs in, and to go on from")
	flags.StringVarP(&f.output, "output", "o", "", "write the longest into this file, as check reads it")
	flags.Var(&f.device, "device", "where to search: auto, cpu, cuda or cuda:N")
	flags.BoolVar(&f.json, "json", false, "print the result as one JSON object")
	f.grid.add(flags)
	return cmd
}

// solved is the result of solve snake, as --json prints it.
type solved struct {
	Runs     uint64  `json:"runs"`
	Mean     float64 `json:"mean"`
	Stderr   float64 `json:"stderr"`
	Best     int     `json:"best"`
	Sequence string  `json:"sequence"`
	Playouts uint64  `json:"playouts"`
	Steps    uint64  `json:"steps"`
	Seconds  float64 `json:"seconds"`
	Device   string  `json:"device"`
}

func solveSnake(cmd *cobra.Command, f snakeFlags) error {
	if err := f.understand(cmd); err != nil {
		return err
	}
	if f.output != "" {
		if err := writable(f.output, "--output"); err != nil {
			return err
		}
	}
	ctx := cmd.Context()
	if f.time > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, f.time)
		defer stop()
	}
	s, err := newSnakeSearch(ctx, f)
	if err != nil {
		return err
	}
	if err := errors.Join(s.run(ctx), s.close()); err != nil {
		return err
	}
	best := s.sequence()
	if len(best) > 0 {
		if err := cube.Check(f.Rules, best); err != nil {
			return fmt.Errorf("the longest found is wrong, which is a fault of the program: %w", err)
		}
		if f.output != "" {
			if err := s.write(f.output, best); err != nil {
				return err
			}
		}
	}
	return s.print(cmd.OutOrStdout(), best)
}

// beams says whether the searches are beams.
func (f *snakeFlags) beams() bool {
	return f.Algorithm == snake.BeamSearch || f.Algorithm == snake.HalfByHalf
}

// maxRestarts is how many seeds there are with enough behind each for its
// improvements.
const maxRestarts = 1 << 20

// understand fills in what follows from the flags, and refuses what cannot be.
func (f *snakeFlags) understand(cmd *cobra.Command) error {
	f.Algorithm = snake.Algorithm(f.algorithm)
	var err error
	if f.Policy, err = nmcs.ParsePolicy(f.policy); err != nil {
		return usererr.Usagef("--policy: %v", err)
	}
	if f.Symmetry, err = snake.ParseSymmetry(f.symmetry); err != nil {
		return usererr.Usagef("--symmetry: %v", err)
	}
	switch {
	case f.time < 0:
		return usererr.Usagef("--time: %v is negative", f.time)
	case f.primeEdges < 0:
		return usererr.Usagef("--prime-edges: %d is negative", f.primeEdges)
	case f.prime == "" && f.primeEdges > 0:
		return usererr.Usagef("--prime-edges: of what? --prime is needed")
	case f.improve && f.Algorithm != snake.BeamSearch:
		return usererr.Usagef("--improve is for --algorithm beam")
	case f.beams() && f.checkpoint != "":
		return usererr.Usagef("--checkpoint: a beam search has none; begin with what it wrote, by --prime")
	case f.restarts < 1 || f.restarts > maxRestarts:
		return usererr.Usagef("--restarts: %d is not from 1 to %d", f.restarts, maxRestarts)
	case f.restarts > 1 && f.Algorithm != snake.BeamSearch:
		return usererr.Usagef("--restarts is for --algorithm beam; --runs does others")
	case f.restarts > 1 && f.improve && f.runs == 0:
		return usererr.Usagef("--restarts with --improve: --runs says how many searches each is")
	case f.device.GPU() && (f.restarts > 1 || f.grid.nats != ""):
		return usererr.Usagef("--device: restarts, and work on many machines, are done on CPUs")
	case f.grid.nats != "" && f.Algorithm == snake.HalfByHalf:
		return usererr.Usagef("--nats: halves are grown on one machine")
	case f.grid.nats != "" && f.restarts == 1 && f.Algorithm == snake.BeamSearch:
		return usererr.Usagef("--nats: a beam search is not divided, but --restarts are shared")
	case f.Algorithm == snake.BeamSearch && f.runs > 1 && !f.improve:
		return usererr.Usagef("--runs: a beam search is one run without --improve")
	}
	if err := f.Rules.Check(); err != nil {
		return usererr.Usage(err)
	}
	if f.prime != "" {
		if f.Prime, err = readPrime(f.prime, f.Rules, f.primeEdges); err != nil {
			return err
		}
	}
	if err := f.Check(); err != nil {
		return usererr.Usage(err)
	}
	if f.runs == 0 && f.time == 0 {
		f.runs = defaultRuns
	}
	return nil
}

// readPrime returns the longest snake of a file that fits into a cube, or the
// first edges of it.
func readPrime(file string, r cube.Rules, edges int) (cube.Sequence, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	entries, err := cube.Read(in)
	if err != nil {
		return nil, fmt.Errorf("--prime: %s: %w", file, err)
	}
	var prime cube.Sequence
	for _, e := range entries {
		if !e.Rules.Coil && e.Rules.Dimension <= r.Dimension && len(e.Sequence) > len(prime) {
			prime = e.Sequence
		}
	}
	switch {
	case prime == nil:
		return nil, fmt.Errorf("--prime: %s: no snake in dimension %d or below", file, r.Dimension)
	case edges > len(prime):
		return nil, usererr.Usagef("--prime-edges: %d, but the snake of %s has %d", edges, file, len(prime))
	case edges > 0:
		prime = prime[:edges]
	}
	return prime, nil
}

func (s *snakeSearch) write(file string, best cube.Sequence) error {
	e := cube.Entry{Rules: s.Rules, Sequence: best, Source: "gamebots: " + s.Settings.String()}
	return atomicfile.Write(file, fmt.Appendln(nil, e))
}

func (s *snakeSearch) print(w io.Writer, best cube.Sequence) error {
	mean, stderr := s.tally.Mean()
	r := solved{s.tally.Runs, mean, stderr, len(best), best.String(), s.tally.Work.Playouts, s.tally.Work.Steps, s.tally.Time.Seconds(), s.where}
	if s.json {
		return json.NewEncoder(w).Encode(r)
	}
	fmt.Fprintf(w, "%s in dimension %d: %d runs of %s on %s in %.3g s\n", s.Rules.Kind(), s.Rules.Dimension, r.Runs, s.Algorithm, r.Device, r.Seconds)
	if s.beams() {
		fmt.Fprintf(w, "rated     %d paths (%.3g/s)\n", r.Steps, perSecond(r.Steps, r.Seconds))
		if r.Runs > 1 {
			bins := s.tally.Histogram()
			fmt.Fprint(w, histogram(bins[max(0, len(bins)-histogramLongest):]))
		}
	} else {
		fmt.Fprintf(w, "played    %d moves (%.3g/s) of %d random games\n", r.Steps, perSecond(r.Steps, r.Seconds), r.Playouts)
		fmt.Fprintf(w, "mean      %.2f ± %.2f\n%s", r.Mean, r.Stderr, histogram(s.tally.Histogram()))
	}
	if len(best) == 0 {
		_, err := fmt.Fprintf(w, "best      no %s was found\n", s.Rules.Kind())
		return err
	}
	_, err := fmt.Fprintf(w, "best      %d edges, checked\nsequence  %s\n", r.Best, r.Sequence)
	return err
}

// perSecond is a speed, 0 where no time has passed.
func perSecond(n uint64, seconds float64) float64 {
	if seconds <= 0 {
		return 0
	}
	return float64(n) / seconds
}

// histogramWidth is the length of the longest bar of a histogram, histogramLines
// how many it has at most, and histogramLongest how many of the longest lengths are
// shown of beams, which leave many short snakes where they are cut off.
const histogramWidth, histogramLines, histogramLongest = 50, 40, 20

// histogram draws a line with a bar for each length, or for several next to each
// other if there are too many.
func histogram(bins []nmcs.Bin) string {
	if len(bins) == 0 {
		return ""
	}
	last := bins[len(bins)-1].Score
	step := (last-bins[0].Score)/histogramLines + 1
	lines := make([]uint64, (last-bins[0].Score)/step+1) // from the highest down
	for _, b := range bins {
		lines[(last-b.Score)/step] += b.Runs
	}
	most := slices.Max(lines)
	var text strings.Builder
	for i, runs := range slices.Backward(lines) {
		high := last - i*step
		lengths := fmt.Sprint(high)
		if step > 1 {
			lengths = fmt.Sprintf("%d-%d", high-step+1, high)
		}
		if runs > 0 {
			bar := strings.Repeat("#", int((runs*histogramWidth+most-1)/most))
			fmt.Fprintf(&text, "%9s %9d  %s\n", lengths, runs, bar)
		}
	}
	return text.String()
}
