package records

import (
	"context"
	"fmt"

	"gamebots/cudalib"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
	"gamebots/solvers/nmcs/snake/internal/beam"
)

// BeamFunc makes a beam search, on any device. It returns none if it was stopped before it began.
type BeamFunc func(context.Context, Settings) (cube.Sequence, nmcs.Work, error)

// Beam makes a beam search on threads of the CPU, until no path can be extended or the context is
// done, and returns the longest snake or coil. OnProgress is called after each edge; it may be nil.
func Beam(
	ctx context.Context, s Settings, threads int, onProgress func(snake.BeamProgress),
) (cube.Sequence, nmcs.Work, error) {
	p, whole, err := s.beam()
	if err != nil {
		return nil, nmcs.Work{}, err
	}
	found, work := beam.Run(ctx, p, threads, onProgress)
	return whole(found), work, nil
}

// DeviceBeam makes a beam search on a device. It returns the same as [Beam].
func DeviceBeam(
	ctx context.Context, d *cudalib.Device, s Settings, onProgress func(snake.BeamProgress),
) (cube.Sequence, nmcs.Work, error) {
	p, whole, err := s.beam()
	if err == nil {
		err = s.CheckDevice()
	}
	if err != nil {
		return nil, nmcs.Work{}, err
	}
	found, work, err := beam.RunOnDevice(ctx, d, p, onProgress)
	return whole(found), work, err
}

// beam returns the beam search of the settings, and what makes a path that it finds the whole
// snake or coil.
func (s Settings) beam() (p *beam.Problem, whole func(cube.Sequence) cube.Sequence, err error) {
	if err := s.Check(); err != nil {
		return nil, nil, err
	}
	start, err := s.Start()
	if err != nil {
		return nil, nil, err
	}
	switch {
	case s.Rules.Coil:
		return s.coilBeam(start)
	case s.Symmetry.Middle != "":
		p = beam.New(start, nil, s.Width, s.Seed)
		s.Symmetry.restrict(s.Rules, p)
		return p, func(half cube.Sequence) cube.Sequence { return s.Symmetry.whole(s.Rules, half) }, nil
	}
	return beam.New(start, s.Prime, s.Width, s.Seed), func(found cube.Sequence) cube.Sequence { return found }, nil
}

// coilBeam returns the search for a coil: for paths that lead to where they began, or to the copy
// of that vertex if the coil is to have a rotation. The copies of a path grow with it, and it must
// not touch them.
func (s Settings) coilBeam(start *cube.Board) (*beam.Problem, func(cube.Sequence) cube.Sequence, error) {
	turns, ok := drawRotation(s.Rules, s.Symmetry.Copies, s.Seed)
	if !ok {
		return nil, nil, fmt.Errorf("symmetry %v: no rotation was found", s.Symmetry)
	}
	start.Play(0)
	p := beam.New(start, cube.Sequence{0}, s.Width, s.Seed)
	p.EdgesPerStep = turns.copies()
	p.Edges = p.EdgesPerStep
	p.Images, p.Goal = turns, int(turns.turn(0))
	if turns != nil {
		p.Allowed = uint16(s.Rules.Vertices() - 1) // the rotation tells the dimensions apart
	}
	for v := range s.Rules.Vertices() {
		if turns.meets(uint16(v)) {
			p.Drop(uint16(v))
		}
	}
	for i, v := range turns.whole([]uint16{0}) {
		p.Drop(v)
		if i != 1%turns.copies() { // the goal has free gates
			p.DropNeighbours(v)
		}
	}
	for _, v := range turns.whole([]uint16{1}) {
		p.Drop(v)
	}
	return p, func(found cube.Sequence) cube.Sequence {
		if found == nil {
			return nil
		}
		return sequence(turns.whole(found.Vertices()), true)
	}, nil
}
