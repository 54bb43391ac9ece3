package snake

import (
	"context"
	"fmt"
	"slices"

	"gamebots/internal/parallel"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// Walkers lets each of several walks make the changes of a round, on some device.
type Walkers func(context.Context, []*walk) error

const (
	roundChanges = 1000 // of each walk
	maxBehind    = 4    // edges that a path may be shorter than another one
)

// Walk lets snakes or coils walk, as many as the settings have walks: each from one of the
// given ones in turn, or from a random one if there are none. It calls onFound with the
// longest of all after each round. It stops after a number of rounds, 0 for no limit, or when
// the context is done. The results depend on the settings and the number of rounds, not on
// the device.
func Walk(ctx context.Context, s Settings, starts []cube.Sequence, rounds uint64, walkers Walkers, onFound func(cube.Sequence, nmcs.Work)) error {
	if err := s.Check(); err != nil {
		return err
	}
	walks := make([]*walk, s.Walks)
	for i := range walks {
		stream := nmcs.RunKey(s.Seed, uint64(i)).Stream(0)
		if len(starts) > 0 {
			walks[i] = newWalk(starts[i%len(starts)], s.Rules.Coil, stream)
		} else {
			walks[i] = newWalk(randomWalkStart(s.Rules, &stream), s.Rules.Coil, stream)
		}
	}
	for round := uint64(0); (rounds == 0 || round < rounds) && ctx.Err() == nil; round++ {
		if err := walkers(ctx, walks); err != nil {
			return err
		}
		var longest []uint16
		var work nmcs.Work
		for _, w := range walks {
			if len(w.longest) > len(longest) {
				longest = w.longest
			}
			work.Add(w.work)
			w.work = nmcs.Work{}
		}
		onFound(sequence(longest, s.Rules.Coil), work)
		meet(walks)
		if s.Rules.Coil {
			for _, w := range walks {
				w.rotate()
			}
		}
	}
	return nil
}

// checkWalk returns an error if a walk cannot begin at the prime.
func (s Settings) checkWalk() error {
	if len(s.Prime) == 0 {
		return nil
	}
	if err := cube.Check(s.Rules, s.Prime); err != nil {
		return fmt.Errorf("prime: %w", err)
	}
	return nil
}

// randomWalkStart returns a random snake, or the shortest coil.
func randomWalkStart(r cube.Rules, stream *nmcs.Stream) cube.Sequence {
	if r.Coil {
		return cube.Sequence{0, 1, 2, 0, 1, 2}
	}
	return r.Sequence(nil, cube.New(r).Playout(stream, nil))
}

// meet compares each walk with another one, drawn at random. It continues from the other one's
// path if that is much longer.
func meet(walks []*walk) {
	paths := make([][]uint16, len(walks))
	for i, w := range walks {
		paths[i] = w.path
	}
	for _, w := range walks {
		if other := paths[w.stream.Below(len(paths))]; len(other) > len(w.path)+maxBehind {
			w.path = slices.Clone(other)
		}
	}
}

// CPUWalkers walks on threads of the CPU.
func CPUWalkers(r cube.Rules, threads int) Walkers {
	return func(ctx context.Context, walks []*walk) error {
		parallel.For(threads, len(walks), func(_, i int) { walks[i].change(ctx, r, roundChanges) })
		return nil
	}
}
