package records

import (
	"context"
	"fmt"
	"slices"

	"gamebots/internal/parallel"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
)

// Walkers lets each of several walks make the changes of a round, on some device.
type Walkers func(context.Context, []*walk) error

// NewWalkers returns walkers for the walks of the settings, and what ends them.
type NewWalkers func(Settings) (walkers Walkers, end func() error, err error)

const (
	roundChanges = 1000 // changes of each walk
	maxBehind    = 4    // edges that a path may be shorter than another one
)

// Walk lets snakes or coils walk, as many as the settings have walks. Each begins at one of starts in
// turn, or at a random one if there are none, which threads of the CPU search for. A walk for which
// they find none begins with the one before it. Walk stops after some rounds, 0 for no limit, or when
// the context is done. It calls onFound with the longest of all after each round. It returns the
// longest of each walk since that last continued from another one's path. The results depend on the
// settings and rounds, not on threads or the device.
func Walk(
	ctx context.Context, s Settings, starts []cube.Sequence, rounds uint64, threads int, walkers Walkers,
	onFound func(cube.Sequence, nmcs.Work),
) ([]cube.Sequence, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	walks := make([]*walk, s.Walks)
	err := parallel.Try(threads, len(walks), func(i int) (err error) {
		walks[i], err = s.newWalk(ctx, starts, i)
		return err
	})
	switch {
	case ctx.Err() != nil:
		//lint:ignore nilerr no walk has begun
		return nil, nil
	case err != nil:
		return nil, err
	}
	if err := s.fillWalks(walks); err != nil {
		return nil, err
	}
	for round := uint64(0); (rounds == 0 || round < rounds) && ctx.Err() == nil; round++ {
		if err := walkers(ctx, walks); err != nil {
			return nil, err
		}
		longest := walks[0]
		var work nmcs.Work
		for _, w := range walks {
			if len(w.longest) > len(longest.longest) {
				longest = w
			}
			work.Add(w.work)
			w.work = nmcs.Work{}
		}
		onFound(longest.found(s.Rules), work)
		meet(walks)
		if s.Rules.Coil {
			for _, w := range walks {
				w.rotate()
			}
		}
	}
	found := make([]cube.Sequence, len(walks))
	for i, w := range walks {
		found[i] = w.found(s.Rules)
	}
	return found, nil
}

// fillWalks lets walks without a path begin at that of the nearest one before them, the first ones
// at that of the last. Few coils have some rotations, and few beams find one.
func (s Settings) fillWalks(walks []*walk) error {
	at := slices.IndexFunc(walks, func(w *walk) bool { return w.path != nil })
	if at < 0 {
		return fmt.Errorf("no coil with symmetry %v was found", s.Symmetry)
	}
	for i := range walks {
		from, to := walks[(at+i)%len(walks)], walks[(at+i+1)%len(walks)]
		if to.path == nil {
			to.path, to.longest, to.rotation = slices.Clone(from.path), slices.Clone(from.longest), from.rotation
		}
	}
	return nil
}

// newWalk returns the i-th walk, without a path if none was found that it could begin with.
func (s Settings) newWalk(ctx context.Context, starts []cube.Sequence, i int) (*walk, error) {
	stream := nmcs.RunKey(s.Seed, uint64(i)).Stream(0)
	var start cube.Sequence
	if len(starts) > 0 {
		start = starts[i%len(starts)]
	} else {
		var err error
		if start, err = s.randomWalkStart(ctx, &stream); err != nil {
			return nil, err
		}
		if start == nil {
			return &walk{stream: stream}, nil
		}
	}
	turns, ok := rotationOf(s.Rules, start, s.Symmetry.Copies)
	if !ok {
		return nil, fmt.Errorf("%v does not have symmetry %v", start, s.Symmetry)
	}
	return newWalk(start, s.Rules.Coil, turns, stream), nil
}

// randomWalkStart returns a random snake, the shortest coil, or the longest of some coils with
// random rotations, nil if none was found.
func (s Settings) randomWalkStart(ctx context.Context, stream *nmcs.Stream) (cube.Sequence, error) {
	r := s.Rules
	switch {
	case !r.Coil:
		return r.Sequence(nil, cube.New(r).Playout(stream, nil)), nil
	case s.Symmetry.Copies == 0:
		return cube.Sequence{0, 1, 2, 0, 1, 2}, nil
	}
	const beams, width = 10, 5
	var longest cube.Sequence
	for range beams {
		beam := Settings{
			Settings: snake.Settings{Rules: r, Algorithm: snake.BeamSearch, Width: width}, Symmetry: s.Symmetry,
		}
		beam.Seed = uint64(stream.Uint32())
		found, _, err := Beam(ctx, beam, 1, nil)
		if err != nil {
			return nil, err
		}
		if len(found) > len(longest) {
			longest = found
		}
	}
	return longest, nil
}

// meet compares each walk with another one, drawn at random. It continues from the other one's
// path if that is much longer.
func meet(walks []*walk) {
	before := make([]walk, len(walks))
	for i, w := range walks {
		before[i] = *w
	}
	for _, w := range walks {
		if other := before[w.stream.Below(len(before))]; len(other.path) > len(w.path)+maxBehind {
			w.path, w.rotation = slices.Clone(other.path), other.rotation
			w.longest = slices.Clone(other.path)
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
