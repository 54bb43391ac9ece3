package snake

import (
	"context"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// Run makes runs on threads of the CPU and adds them to a tally: see [nmcs.Run].
func Run(ctx context.Context, t *nmcs.Tally, s Settings, maxRuns uint64, threads int, onProgress func()) error {
	if err := s.Check(); err != nil {
		return err
	}
	nmcs.Run(ctx, t, nmcs.Options{Seed: s.Seed, MaxRuns: maxRuns, Threads: threads}, s.worker, onProgress)
	return nil
}

// worker returns a worker. The settings must be valid.
func (s Settings) worker() nmcs.Worker {
	newBoard := func() *cube.Board { return cube.New(s.Dimension) }
	start, err := s.Start()
	if err != nil {
		panic(err)
	}
	return nmcs.NewNested(newBoard, start, s.Level, s.Leaf)
}
