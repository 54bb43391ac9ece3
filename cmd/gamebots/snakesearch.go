package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"

	"github.com/rs/zerolog"
)

// snakeSearch is a search at work: what it came to so far, and who is told.
type snakeSearch struct {
	snakeFlags
	log   *zerolog.Logger
	where string // it runs, for people
	tally nmcs.Tally
	found cube.Sequence   // by a beam search
	gpu   *cudalib.Device // nil on the CPU

	start time.Time     // of this command
	spent time.Duration // by those before it
	told  int           // the best that was logged
	next  time.Time     // of the next log line
	saved time.Time
	err   error // of saving
}

// How often a search that has nothing new is logged, and saved.
const (
	snakeLogEvery  = time.Minute
	snakeSaveEvery = 10 * time.Second
)

func newSnakeSearch(ctx context.Context, f snakeFlags) (*snakeSearch, error) {
	s := &snakeSearch{snakeFlags: f, log: zerolog.Ctx(ctx), start: time.Now()}
	s.next, s.saved = s.start.Add(time.Second), s.start
	s.where = fmt.Sprintf("%d threads of the CPU", f.threads)
	if f.grid.nats != "" {
		s.where = "a grid"
	}
	if f.checkpoint != "" {
		if err := writable(f.checkpoint, "--checkpoint"); err != nil {
			return nil, err
		}
		var err error
		if s.tally, err = snake.Load(f.checkpoint, f.Settings); err != nil {
			return nil, usererr.WithHint(err, "give another file with --checkpoint, or remove this one")
		}
		if s.spent = s.tally.Time; s.tally.Runs > 0 {
			s.log.Info().Uint64("runs", s.tally.Runs).Int("best", s.tally.Best.Score).Msg("going on")
		}
	}
	if err := s.openDevice(); err != nil {
		return nil, err
	}
	return s, s.fits(memory.Available())
}

// fits refuses beams on this machine's processors that are wider than its memory.
func (s *snakeSearch) fits(available int64) error {
	if s.Algorithm != snake.BeamSearch || s.gpu != nil || s.grid.nats != "" {
		return nil
	}
	need := memory.Saturate(float64(s.BeamBytes()) * float64(min(s.threads, s.restarts)))
	if err := memory.Enough(fmt.Sprintf("--width: beams of %d paths", s.Width), need, available); err != nil {
		return usererr.WithHint(err, fmt.Sprintf("--width %d would fit", int(0.9*float64(s.Width)*float64(available)/float64(need))))
	}
	return nil
}

// run searches until all runs are done or the context is.
func (s *snakeSearch) run(ctx context.Context) error {
	switch {
	case s.restarts > 1:
		return s.restart(ctx)
	case s.Algorithm == snake.BeamSearch:
		return s.beam(ctx)
	case s.Algorithm == snake.HalfByHalf:
		return s.halves(ctx)
	case s.grid.nats != "":
		if err := s.runsOnGrid(ctx); err != nil {
			return err
		}
	default:
		if err := s.runsOn(ctx, s.gpu); err != nil {
			return err
		}
	}
	s.tally.Time = s.spent + time.Since(s.start)
	if s.err == nil && s.checkpoint != "" {
		s.err = snake.Save(s.checkpoint, s.Settings, &s.tally)
	}
	return s.err
}

// runsOn does runs of nmcs or nrpa on a GPU, or on the CPU if it is nil.
func (s *snakeSearch) runsOn(ctx context.Context, d *cudalib.Device) error {
	if d == nil {
		return snake.Run(ctx, &s.tally, s.Settings, s.runs, s.threads, s.progress)
	}
	runs, err := snake.NewDeviceRuns(d, s.Settings, snake.DeviceLayout{})
	if err != nil {
		return err
	}
	return errors.Join(runs.Run(ctx, &s.tally, s.runs, s.progress), runs.Close())
}

// openDevice opens the GPU that was chosen, if one was and it is of use.
func (s *snakeSearch) openDevice() error {
	if s.device.CPU() || s.restarts > 1 || s.grid.nats != "" {
		return nil
	}
	if err := s.CheckDevice(); err != nil {
		if s.device.GPU() {
			return usererr.Usage(fmt.Errorf("--device %v: %w", s.device, err))
		}
		return nil
	}
	if !s.device.GPU() && s.fewRuns() {
		return nil
	}
	d, why, err := s.device.Open()
	if err != nil || d == nil {
		return err
	}
	s.log.Info().Msgf("searching on %s", why)
	s.gpu, s.where = d, d.String()
	return nil
}

// fewRuns says whether a GPU would not gain: a run, or a path of a beam, has one
// of its many threads, each of which is slower than a CPU's.
func (s *snakeSearch) fewRuns() bool {
	const least, narrow = 1000, 5000
	if s.beams() {
		return s.Width < narrow
	}
	return s.runs > 0 && s.runs < least
}

// close gives the GPU back.
func (s *snakeSearch) close() error {
	if s.gpu == nil {
		return nil
	}
	return s.gpu.Close()
}

// beam does a beam search, whose result is a tally of one run, and with
// --improve others that begin with parts of what was found.
func (s *snakeSearch) beam(ctx context.Context) error {
	found, work, err := s.oneBeam(ctx, s.Settings)
	if err != nil {
		return err
	}
	s.count(found, work)
	if !s.improve || len(found) == 0 {
		return nil
	}
	tries := uint64(0)
	if s.runs > 0 {
		tries = s.runs - 1
	}
	if s.runs == 1 {
		return nil
	}
	return snake.Improve(ctx, s.Settings, found, tries, s.oneBeam, s.count)
}

// count counts a beam search as a run.
func (s *snakeSearch) count(found cube.Sequence, work nmcs.Work) {
	s.tally.Count(nmcs.Line{Score: len(found)}, work)
	s.tally.Time = time.Since(s.start)
	if len(found) <= len(s.found) {
		return
	}
	s.found = found
	if s.improve || s.Algorithm == snake.HalfByHalf {
		s.log.Info().Int("best", len(found)).Uint64("runs", s.tally.Runs).Str("sequence", found.String()).Msg("found")
	}
}

// narrowHalf is how wide the beams of halves are at most on a thread of the CPU,
// where many narrow ones find more than a few that are wide.
const narrowHalf = 300

// halves searches half by half, on the GPU if there is one.
func (s *snakeSearch) halves(ctx context.Context) error {
	// After so much time in a dimension most rounds find little more.
	const onGPU, onCPU = 10 * time.Second, 2 * time.Minute
	limits := snake.HalvesLimits{Tries: s.runs, Round: onCPU}
	if s.gpu != nil {
		limits.Round = onGPU
		g, growers, err := snake.NewDeviceGrowers(s.gpu, s.Settings)
		if err != nil {
			return err
		}
		return errors.Join(snake.Halves(ctx, s.Settings, limits, growers, s.count), g.Close())
	}
	growers := make([]snake.Grower, s.threads)
	for i := range growers {
		growers[i] = snake.Grower{Width: min(s.Width, narrowHalf), Beam: func(ctx context.Context, x snake.Settings) (cube.Sequence, nmcs.Work, error) {
			return snake.Beam(ctx, x, 1, nil)
		}}
	}
	return snake.Halves(ctx, s.Settings, limits, growers, s.count)
}

// oneBeam does a beam search.
func (s *snakeSearch) oneBeam(ctx context.Context, settings snake.Settings) (cube.Sequence, nmcs.Work, error) {
	progress := func(p snake.BeamProgress) {
		if now := time.Now(); now.After(s.next) {
			s.next = now.Add(snakeLogEvery / 6)
			s.log.Info().Int("edges", p.Length).Int("paths", p.Paths).Int("best", len(s.found)).Msg("searching")
		}
	}
	if s.gpu != nil {
		return snake.DeviceBeam(ctx, s.gpu, settings, progress)
	}
	return snake.Beam(ctx, settings, s.threads, progress)
}

// progress is called after each run and each improvement.
func (s *snakeSearch) progress() {
	now := time.Now()
	s.tally.Time = s.spent + now.Sub(s.start)
	if best := s.tally.Best.Score; best > s.told && now.After(s.next) || now.After(s.next.Add(snakeLogEvery)) {
		s.told, s.next = best, now.Add(time.Second)
		mean, _ := s.tally.Mean()
		s.log.Info().Int("best", best).Uint64("runs", s.tally.Runs).Float64("mean", math.Round(100*mean)/100).Msg("searching")
	}
	if s.checkpoint != "" && s.err == nil && now.After(s.saved.Add(snakeSaveEvery)) {
		s.saved = now
		s.err = snake.Save(s.checkpoint, s.Settings, &s.tally)
	}
}

// sequence returns the longest that was found, empty if there is none.
func (s *snakeSearch) sequence() cube.Sequence {
	if s.found != nil {
		return s.found
	}
	if s.tally.Best.Score == 0 {
		return nil
	}
	return s.Sequence(s.tally.Best)
}
