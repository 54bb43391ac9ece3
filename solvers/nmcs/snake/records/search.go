package records

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gamebots/cudalib"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
)

// SearchOptions configure a [Search].
type SearchOptions struct {
	Settings
	// MaxRuns limits the runs of NMCS or NRPA, the beam searches with Improve, the rounds of walks,
	// or the beam searches per chain and dimension of Halves; 0 for no limit.
	MaxRuns uint64
	// Improve continues a beam search with [Improve].
	Improve bool
	// Threads of the CPU; at least 1.
	Threads int
	// Device makes the search instead of the CPU, unless it is nil. Settings.CheckDevice
	// says what it can do.
	Device *cudalib.Device
	// Checkpoint is the file from which NMCS and NRPA continue, and to which they save their
	// runs every ten seconds and at the end; "" for none.
	Checkpoint string

	// OnProgress is called after each run, each improvement and each beam search, by one
	// goroutine at a time. It may read the fields of the search, and may be nil.
	OnProgress func()
	// OnBeam is called after each edge of a beam search, unless it is one of Halves. It may
	// be nil.
	OnBeam func(snake.BeamProgress)
}

// Search is a whole search: runs, a beam search and its improvements, halves, or walks. The fields
// may be read after Run, and by OnProgress.
type Search struct {
	Tally   nmcs.Tally    // all runs, those of the checkpoint included
	Longest cube.Sequence // found by beam searches and walks

	options SearchOptions
	begin   time.Time
	before  time.Duration // spent on the runs of the checkpoint
	saved   time.Time
	saveErr error // the first one of saving
}

const saveInterval = 10 * time.Second

// NewSearch returns a search that continues from its checkpoint, if there is one. Its clock
// starts. An error of the checkpoint is a [*snake.CheckpointError].
func NewSearch(o SearchOptions) (*Search, error) {
	s := &Search{options: o, begin: time.Now()}
	s.saved = s.begin
	err := o.Check()
	switch {
	case err != nil:
		return nil, err
	case o.Checkpoint == "":
		return s, nil
	case UsesBeams(o.Algorithm), o.Algorithm == Walking:
		return nil, fmt.Errorf("algorithm %s has no checkpoints", o.Algorithm)
	}
	s.Tally, err = snake.Load(o.Checkpoint, o.Settings.Settings)
	s.before = s.Tally.Time
	return s, err
}

// Options returns the options of the search.
func (s *Search) Options() SearchOptions { return s.options }

// Best returns the longest sequence found, empty if there is none. It is not yet checked by
// [cube.Check].
func (s *Search) Best() cube.Sequence {
	if s.Longest != nil {
		return s.Longest
	}
	if s.Tally.Best.Score == 0 {
		return nil
	}
	return s.options.Sequence(s.Tally.Best)
}

// Run searches until all runs are made or the context is done, which is no error.
func (s *Search) Run(ctx context.Context) error {
	switch s.options.Algorithm {
	case snake.BeamSearch:
		return s.beams(ctx)
	case HalfByHalf:
		return s.halves(ctx)
	case Walking:
		var starts []cube.Sequence
		if len(s.options.Prime) > 0 {
			starts = append(starts, s.options.Prime)
		}
		return s.walk(ctx, starts, s.options.MaxRuns)
	}
	if err := s.runs(ctx); err != nil {
		return err
	}
	return s.Save()
}

// runs makes runs of NMCS or NRPA.
func (s *Search) runs(ctx context.Context) error {
	o := &s.options
	progress := func() { _ = s.Progress() } // Save returns the error too
	if o.Device == nil {
		return snake.Run(ctx, &s.Tally, o.Settings.Settings, o.MaxRuns, o.Threads, progress)
	}
	runs, err := snake.NewDeviceRuns(o.Device, o.Settings.Settings, snake.DeviceLayout{})
	if err != nil {
		return err
	}
	return errors.Join(runs.Run(ctx, &s.Tally, o.MaxRuns, progress), runs.Close())
}

// Elapsed returns the time since NewSearch.
func (s *Search) Elapsed() time.Duration { return time.Since(s.begin) }

// Progress updates the time of the tally, calls OnProgress, and saves the checkpoint if that is
// due. Run calls it; so does a caller that makes runs elsewhere and merges them into the
// fields of the search, in place of Run. It returns the first error of saving.
func (s *Search) Progress() error {
	s.Tally.Time = s.before + s.Elapsed()
	if s.options.OnProgress != nil {
		s.options.OnProgress()
	}
	if now := time.Now(); s.options.Checkpoint != "" && s.saveErr == nil && now.After(s.saved.Add(saveInterval)) {
		s.saved = now
		s.saveErr = snake.Save(s.options.Checkpoint, s.options.Settings.Settings, &s.Tally)
	}
	return s.saveErr
}

// Save saves the checkpoint, if there is one. It returns the first error of saving, also of
// an earlier attempt.
func (s *Search) Save() error {
	s.Tally.Time = s.before + s.Elapsed()
	if s.saveErr == nil && s.options.Checkpoint != "" {
		s.saveErr = snake.Save(s.options.Checkpoint, s.options.Settings.Settings, &s.Tally)
	}
	return s.saveErr
}

// beams makes a beam search, which counts as a run, and the improvements of its result.
func (s *Search) beams(ctx context.Context) error {
	o := &s.options
	found, work, err := s.beam(ctx, o.Settings)
	if err != nil {
		return err
	}
	s.addBeam(found, work)
	if len(found) == 0 || o.MaxRuns == 1 {
		return nil
	}
	more := uint64(0)
	if o.MaxRuns > 0 {
		more = o.MaxRuns - 1
	}
	switch {
	case o.Improve:
		return Improve(ctx, o.Settings, found, more, s.beam, s.addBeam)
	case o.Walks > 0:
		return s.walk(ctx, []cube.Sequence{found}, more)
	}
	return nil
}

// walk walks from sequences for some rounds, 0 for no limit.
func (s *Search) walk(ctx context.Context, starts []cube.Sequence, rounds uint64) error {
	walkers, end, err := s.walkers(s.options.Settings)
	if err != nil {
		return err
	}
	_, err = Walk(ctx, s.options.Settings, starts, rounds, s.options.Threads, walkers, s.addBeam)
	return errors.Join(err, end())
}

// walkers is a [NewWalkers].
func (s *Search) walkers(settings Settings) (Walkers, func() error, error) {
	o := &s.options
	if o.Device == nil {
		return CPUWalkers(settings.Rules, o.Threads), func() error { return nil }, nil
	}
	w, err := NewDeviceWalkers(o.Device, settings)
	if err != nil {
		return nil, nil, err
	}
	return w.Walk, w.Close, nil
}

// beam makes one beam search.
func (s *Search) beam(ctx context.Context, settings Settings) (cube.Sequence, nmcs.Work, error) {
	if s.options.Device != nil {
		return DeviceBeam(ctx, s.options.Device, settings, s.options.OnBeam)
	}
	return Beam(ctx, settings, s.options.Threads, s.options.OnBeam)
}

// addBeam counts a beam search, or a round of walks, as a run.
func (s *Search) addBeam(found cube.Sequence, work nmcs.Work) {
	s.Tally.Count(nmcs.Line{Score: len(found)}, work)
	if len(found) > len(s.Longest) {
		s.Longest = found
	}
	_ = s.Progress() // without a checkpoint there is no error
}

// halves searches by halves.
func (s *Search) halves(ctx context.Context) error {
	// Times after which searches of a dimension with the same halves find little more.
	const onGPU, onCPU = 100 * time.Second, 2 * time.Minute
	// maxCPUWidth bounds the beams of a thread of the CPU, where many narrow beams find more
	// than a few wide ones.
	const maxCPUWidth = 300
	o := &s.options
	onFound := func(found cube.Sequence, work nmcs.Work) {
		if found == nil {
			s.Tally.Work.Add(work)
			_ = s.Progress() // without a checkpoint there is no error
			return
		}
		s.addBeam(found, work)
	}
	if o.Device != nil {
		g, err := NewDeviceGrowers(o.Device, o.Settings)
		if err != nil {
			return err
		}
		limits := HalvesLimits{o.MaxRuns, onGPU}
		return errors.Join(Halves(ctx, o.Settings, limits, g.Of, s.walkers, onFound), g.Close())
	}
	growers := slices.Repeat([]Grower{CPUGrower(min(o.Width, maxCPUWidth))}, o.Threads)
	limits := HalvesLimits{o.MaxRuns, onCPU}
	return Halves(ctx, o.Settings, limits, func(int) []Grower { return growers }, s.walkers, onFound)
}
