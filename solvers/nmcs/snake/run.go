package snake

import (
	"context"

	"gamebots/cudalib"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
	"gamebots/solvers/nmcs/snake/internal/beam"
)

// Run makes runs of NMCS or NRPA on threads of the CPU and adds them to a tally: see [nmcs.Run].
func Run(ctx context.Context, t *nmcs.Tally, s Settings, maxRuns uint64, threads int, onProgress func()) error {
	if err := s.Check(); err != nil {
		return err
	}
	nmcs.Run(ctx, t, nmcs.Options{Seed: s.Seed, MaxRuns: maxRuns, Threads: threads}, s.worker, onProgress)
	return nil
}

// worker returns a worker for NMCS or NRPA. The settings must be valid.
func (s Settings) worker() nmcs.Worker {
	newBoard := func() *cube.Board { return cube.New(s.Rules) }
	start, err := s.Start()
	if err != nil {
		panic(err)
	}
	if s.Algorithm == NRPA {
		return nmcs.NewNRPA(newBoard, start, s.Level, s.Iterations, 1)
	}
	return nmcs.NewNested(newBoard, start, s.Level, s.Leaf, s.Policy)
}

// BeamProgress is the progress of a beam search.
type BeamProgress = beam.Progress

// Beam makes a beam search on threads of the CPU, until no path can be extended or the context is
// done, and returns the longest path. OnProgress is called after each edge; it may be nil.
func Beam(
	ctx context.Context, s Settings, threads int, onProgress func(BeamProgress),
) (cube.Sequence, nmcs.Work, error) {
	p, err := s.beam()
	if err != nil {
		return nil, nmcs.Work{}, err
	}
	found, work := beam.Run(ctx, p, threads, onProgress)
	return found, work, nil
}

// DeviceBeam makes a beam search on a device. It returns the same as [Beam].
func DeviceBeam(
	ctx context.Context, d *cudalib.Device, s Settings, onProgress func(BeamProgress),
) (cube.Sequence, nmcs.Work, error) {
	p, err := s.beam()
	if err == nil {
		err = s.CheckDevice()
	}
	if err != nil {
		return nil, nmcs.Work{}, err
	}
	return beam.RunOnDevice(ctx, d, p, onProgress)
}

// beam returns the beam search of the settings.
func (s Settings) beam() (*beam.Problem, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	start, err := s.Start()
	if err != nil {
		return nil, err
	}
	return beam.New(start, s.Prime, s.Width, s.Seed), nil
}

// BeamBytes estimates the memory of a beam search on the CPU at its full width.
func (s Settings) BeamBytes() int64 { return beam.Bytes(s.Rules, s.Width) }
