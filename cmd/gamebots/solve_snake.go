package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/internal/atomicfile"
	"gamebots/internal/usererr"
	"gamebots/solvers/nmcs/snake"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// defaultRuns is the number of runs of solve snake without --runs and --time.
const defaultRuns = 100

// snakeFlags are the flags of solve snake.
type snakeFlags struct {
	snake.SearchOptions
	prime       string
	primeEdges  int
	time        time.Duration
	output      string
	device      cudalib.Choice
	json, force bool
}

func newSolveSnake() *cobra.Command {
	var f snakeFlags
	cmd := command("solve_snake", "snake", "Search for long snakes in the box", cli.Arguments(0, 0),
		"RUNS", defaultRuns)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return f.run(cmd) }
	f.Dimension, f.Level, f.Leaf = 8, 2, 1
	cli.Bind(cmd, "dimension", &f.Dimension, "level", &f.Level, "leaf", &f.Leaf,
		"seed", &f.Seed, "runs", &f.MaxRuns, "time", &f.time,
		"threads", cli.PerProcessor(&f.Threads), "prime", &f.prime, "prime-edges", &f.primeEdges,
		"checkpoint", &f.Checkpoint, "output", &f.output, "force", &f.force, "device", &f.device, "json", &f.json)
	return cmd
}

func (f *snakeFlags) run(cmd *cobra.Command) error {
	o, err := f.spec()
	if err == nil {
		err = cli.RefuseZero(cmd.Flags(), "runs", "time", "prime-edges")
	}
	if err == nil {
		err = cmp.Or(cli.Replaceable(f.output, "-o FILE", f.force), cli.Writable(o.Checkpoint, "--checkpoint"))
	}
	if err != nil {
		return err
	}
	if o.Checkpoint != "" {
		release, err := cli.Hold(o.Checkpoint, "--checkpoint")
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
	d, where, err := f.device.If(o.DeviceWorthwhile()).Open()
	if err != nil {
		return err
	}
	if d == nil {
		where = usererr.Counted(o.Threads, "thread", "threads") + " of " + where
	} else {
		log.Info().Msgf("searching on %s", where)
	}
	o.Device = d
	s, err := f.search(ctx, o, log)
	if d != nil {
		err = errors.Join(err, d.Close())
	}
	if err != nil && (s == nil || len(s.Best()) == 0) {
		return err
	}
	// What was found before an error, as of the device or of saving, is not lost.
	return errors.Join(err, f.report(cmd.OutOrStdout(), s, where))
}

// report checks what a search on some device has found, writes it to the file of --output, and prints
// it.
func (f *snakeFlags) report(w io.Writer, s *snake.Search, device string) error {
	if e := s.Entry(); len(e.Sequence) > 0 {
		if err := snake.Check(e.Rules, e.Sequence); err != nil {
			return fmt.Errorf("internal error: the longest snake is invalid: %w", err)
		}
		if f.output != "" {
			if err := atomicfile.Write(f.output, fmt.Appendln(nil, e)); err != nil {
				return err
			}
		}
	}
	return cli.Print(w, f.json, s.Report(device))
}

// search searches on a device or on threads. After an error the search, if there is
// one, has what was found before.
func (f *snakeFlags) search(
	ctx context.Context, o snake.SearchOptions, log *zerolog.Logger,
) (*snake.Search, error) {
	progress := &snakeLog{log: log, next: time.Now().Add(time.Second)}
	o.OnProgress = progress.update
	s, err := snake.NewSearch(o)
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
	return s, s.Run(ctx)
}

// snakeLog logs the progress of a search.
type snakeLog struct {
	log    *zerolog.Logger
	search *snake.Search
	best   int       // longest length that was logged
	next   time.Time // time of the next line
}

// snakeLogInterval is the time between lines without news.
const snakeLogInterval = time.Minute

// update logs longer snakes, at most once a second, and without any a line a minute.
func (l *snakeLog) update() {
	t, now := &l.search.Tally, time.Now()
	if best := t.Best.Score; best > l.best && now.After(l.next) || now.After(l.next.Add(snakeLogInterval)) {
		l.best, l.next = best, now.Add(time.Second)
		mean, _ := t.Mean()
		l.log.Info().Int("best", best).Uint64("runs", t.Runs).Float64("mean", math.Round(100*mean)/100).Msg("searching")
	}
}

// spec returns the search that the flags ask for, or refuses contradictions.
func (f *snakeFlags) spec() (o snake.SearchOptions, err error) {
	o = f.SearchOptions
	switch {
	case f.time < 0:
		return o, usererr.Usagef("--time: %v is negative", f.time)
	case f.primeEdges < 0:
		return o, usererr.Usagef("--prime-edges: %d is negative", f.primeEdges)
	case f.prime == "" && f.primeEdges > 0:
		return o, usererr.Usagef("--prime-edges: --prime is needed")
	}
	if f.prime != "" {
		if o.Prime, err = f.readPrime(); err != nil {
			return o, err
		}
	}
	if err := o.Check(); err != nil {
		return o, usererr.Usage(err)
	}
	if err := o.CheckDevice(); err != nil && f.device.GPU() {
		return o, usererr.Usage(fmt.Errorf("--device %v: %w", f.device, err))
	}
	if o.MaxRuns == 0 && f.time == 0 {
		o.MaxRuns = defaultRuns
	}
	return o, nil
}

// readPrime returns the longest snake of --prime, or its first edges.
func (f *snakeFlags) readPrime() (snake.Sequence, error) {
	prime, err := snake.ReadLongest(f.prime, f.Dimension)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--prime: %w", err)
	case f.primeEdges > len(prime):
		return nil, usererr.Usagef("--prime-edges: %d, but the snake of %s has %d", f.primeEdges, f.prime, len(prime))
	case f.primeEdges > 0:
		prime = prime[:f.primeEdges]
	}
	return prime, nil
}
