package snake

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gamebots/cudalib"
)

// SearchOptions configure a [Search].
type SearchOptions struct {
	Settings
	// MaxRuns limits the runs; 0 for no limit.
	MaxRuns uint64
	// Threads of the CPU; at least 1.
	Threads int
	// Device makes the search instead of the CPU, unless it is nil. Settings.CheckDevice
	// says what it can do.
	Device *cudalib.Device
	// Checkpoint is the file from which the search continues, and to which it saves its runs
	// every ten seconds and at the end; "" for none.
	Checkpoint string

	// OnProgress is called after each run and each improvement, by one goroutine at a time. It
	// may read the fields of the search, and may be nil.
	OnProgress func()
}

// DeviceWorthwhile reports whether a GPU can make the search and is likely to be faster than the CPU, and why it is
// not: it gives each run one of many threads, which are each slower than one of the CPU.
func (o SearchOptions) DeviceWorthwhile() (worthwhile bool, reason string) {
	if err := o.CheckDevice(); err != nil {
		return false, err.Error()
	}
	const minRuns = 1000
	return o.MaxRuns == 0 || o.MaxRuns >= minRuns, fmt.Sprintf("a GPU gains from %d runs on", minRuns)
}

// Search is a whole search. The fields may be read after Run, and by OnProgress.
type Search struct {
	Tally Tally // all runs, those of the checkpoint included

	options SearchOptions
	begin   time.Time
	before  time.Duration // spent on the runs of the checkpoint
	saved   time.Time
	saveErr error // the first one of saving
}

const saveInterval = 10 * time.Second

// NewSearch returns a search that continues from its checkpoint, if there is one. Its clock
// starts. An error of the checkpoint is a [*CheckpointError].
func NewSearch(o SearchOptions) (*Search, error) {
	s := &Search{options: o, begin: time.Now()}
	s.saved = s.begin
	err := o.Check()
	if err != nil {
		return nil, err
	}
	if o.Checkpoint != "" {
		s.Tally, err = Load(o.Checkpoint, o.Settings)
		s.before = s.Tally.Time
	}
	return s, err
}

// Best returns the longest sequence found, empty if there is none. It is not yet checked by
// [Check].
func (s *Search) Best() Sequence {
	if s.Tally.Best.Score == 0 {
		return nil
	}
	return s.options.Sequence(s.Tally.Best)
}

// Run searches until all runs are made or the context is done, which is no error.
func (s *Search) Run(ctx context.Context) error {
	if err := s.runs(ctx); err != nil {
		return err
	}
	if s.Tally.Time = s.elapsed(); s.saveErr == nil && s.options.Checkpoint != "" {
		return Save(s.options.Checkpoint, s.options.Settings, &s.Tally)
	}
	return s.saveErr
}

// runs makes the runs on the device or the threads.
func (s *Search) runs(ctx context.Context) error {
	o := &s.options
	if o.Device == nil {
		return Run(ctx, &s.Tally, o.Settings, o.MaxRuns, o.Threads, s.progress)
	}
	runs, err := NewDeviceRuns(o.Device, o.Settings, DeviceLayout{})
	if err != nil {
		return err
	}
	return errors.Join(runs.Run(ctx, &s.Tally, o.MaxRuns, s.progress), runs.Close())
}

// elapsed returns the time spent on all runs.
func (s *Search) elapsed() time.Duration { return s.before + time.Since(s.begin) }

// progress updates the time of the tally, calls OnProgress, and saves the checkpoint if that is due.
func (s *Search) progress() {
	s.Tally.Time = s.elapsed()
	if s.options.OnProgress != nil {
		s.options.OnProgress()
	}
	if now := time.Now(); s.options.Checkpoint != "" && s.saveErr == nil && now.After(s.saved.Add(saveInterval)) {
		s.saved = now
		s.saveErr = Save(s.options.Checkpoint, s.options.Settings, &s.Tally)
	}
}
