package snake

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gamebots/cudalib"
	"gamebots/cudalib/snakegpu"
)

// CheckDevice returns an error that wraps [errors.ErrUnsupported] if a GPU cannot make a search
// with these settings.
func (s Settings) CheckDevice() error {
	switch {
	case s.Dimension > snakegpu.MaxDimension:
		return fmt.Errorf("dimension %d: %w on a GPU, %d is the highest",
			s.Dimension, errors.ErrUnsupported, snakegpu.MaxDimension)
	case s.Level > snakegpu.MaxLevel:
		return fmt.Errorf("level %d: %w on a GPU, %d is the highest", s.Level, errors.ErrUnsupported, snakegpu.MaxLevel)
	case s.Leaf > maxDeviceLeaf:
		return fmt.Errorf("leaf %d: %w on a GPU, %d is the maximum", s.Leaf, errors.ErrUnsupported, maxDeviceLeaf)
	}
	return nil
}

// maxDeviceLeaf bounds the memory for the streams of a leaf.
const maxDeviceLeaf = 1024

// DeviceLayout is how a device makes searches. Results do not depend on it.
type DeviceLayout struct {
	ByWarps bool // a search per warp, as Buzer and Cazenave (2022) did; for a leaf of 32
	Lanes   int  // threads; 0 for as many as fit
	Steps   int  // see [snakegpu.RunSpec]
}

// DeviceRuns are runs of nested Monte-Carlo search on a device.
type DeviceRuns struct {
	settings Settings
	device   *snakegpu.Runs
}

// NewDeviceRuns prepares runs on a device.
func NewDeviceRuns(d *cudalib.Device, s Settings, l DeviceLayout) (*DeviceRuns, error) {
	if err := errors.Join(s.Check(), s.CheckDevice()); err != nil {
		return nil, err
	}
	start, err := s.Start()
	if err != nil {
		return nil, err
	}
	snakes, err := snakegpu.NewRuns(d, snakegpu.RunSpec{
		Dimension: s.Dimension, Level: s.Level, Leaf: s.Leaf, Seed: s.Seed,
		Blocked: words32(start.Blocked()), Head: start.Head(), Allowed: start.Allowed(),
		ByWarps: l.ByWarps, Lanes: l.Lanes, Steps: l.Steps,
	})
	if err != nil {
		return nil, err
	}
	return &DeviceRuns{s, snakes}, nil
}

// Close frees the memory on the device.
func (r *DeviceRuns) Close() error { return r.device.Close() }

// roundsPerLaunch is the number of rounds between checks of the context: a few hundredths of
// a second of work.
const roundsPerLaunch = 2000

// Run makes runs and adds them to a tally as [Run] does, with the same results, in
// batches of one run per lane.
func (r *DeviceRuns) Run(ctx context.Context, t *Tally, maxRuns uint64, onProgress func()) error {
	for (maxRuns == 0 || t.Runs < maxRuns) && ctx.Err() == nil {
		n := r.device.Lanes()
		if maxRuns > 0 {
			n = int(min(uint64(n), maxRuns-t.Runs))
		}
		if err := r.batch(ctx, t, n, onProgress); err != nil {
			return err
		}
	}
	return nil
}

// batch makes the next n runs, or fewer if the context is done.
func (r *DeviceRuns) batch(ctx context.Context, t *Tally, n int, onProgress func()) error {
	if err := r.device.Begin(t.Runs, n); err != nil {
		return err
	}
	best, by, work := Line{Moves: slices.Clone(t.Best.Moves), Score: t.Best.Score}, t.FoundBy, t.Work
	for longest := -1; ; {
		lengths, done, err := r.device.Continue(roundsPerLaunch)
		if err != nil {
			return err
		}
		t.Work = work
		t.Work.Add(Work{Playouts: done.Playouts, Steps: done.Moves})
		over := done.Ended == n || ctx.Err() != nil
		if over {
			// Of the longest, that of the first run stays, which may not have ended
			// first.
			t.Best, t.FoundBy, longest = best, by, -1
		}
		if at := slices.Index(lengths, slices.Max(lengths)); lengths[at] > longest {
			longest = lengths[at]
			if err := r.improve(t, at, longest); err != nil {
				return err
			}
		}
		if over {
			for _, length := range lengths {
				if length < 0 {
					break // runs after a stopped one do not count
				}
				t.Count(r.line(length, nil), Work{})
			}
		}
		if onProgress != nil {
			onProgress()
		}
		if over {
			return nil
		}
	}
}

// line returns the line of a run.
func (r *DeviceRuns) line(length int, moves []uint8) Line {
	l := Line{Moves: make([]Move, len(moves)), Score: len(r.settings.Prime) + length}
	for i, m := range moves {
		l.Moves[i] = Move(m)
	}
	return l
}

// improve makes the line of a completed run the best if it is better.
func (r *DeviceRuns) improve(t *Tally, run, length int) error {
	moves, err := r.device.Moves(run, length)
	if err == nil {
		t.UpdateBest(r.line(length, moves), t.Runs+uint64(run))
	}
	return err
}

// words32 returns a set of vertices in words of 32 bits.
func words32(set []uint64) []uint32 {
	var words []uint32
	for _, x := range set {
		words = append(words, uint32(x), uint32(x>>32))
	}
	return words
}
