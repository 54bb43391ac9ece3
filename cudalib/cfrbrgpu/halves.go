package cfrbrgpu

import (
	"errors"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
	"gamebots/cudalib/segments"
)

// shares are which tiles of lanes a kernel treats: all, or those of a half.
type share int

const (
	whole share = iota
	firstHalf
	secondHalf
	shares
)

// tiles returns the first of a part's tiles in the share, and how many there are.
func (x share) tiles(p *segments.Part) (first, n int) {
	all := p.Width / launch.Warp
	half := (all + 1) / 2
	switch x {
	case firstHalf:
		return 0, half
	case secondHalf:
		return half, all - half
	}
	return 0, all
}

// work is a share of a round's work, and the stream that it is on.
type work struct {
	share
	on *driver.Stream
}

// start launches a kernel, unless there is no work.
func start[P any](w work, k *launch.Kernel[P], grid driver.Grid, p P) error {
	if grid.Blocks == 0 {
		return nil
	}
	return k.Launch(w.on, grid, p)
}

// all returns the work on whole rounds.
func (s *Solver) all() work { return work{whole, s.gpu.Stream} }

// inHalves calls f for both halves of the last round. They are on two streams, so that the last blocks of a
// kernel of one leave no room idle. Before the second half comes work that takes little of the device.
func (s *Solver) inHalves(beside func() error, f func(work) error) error {
	main := s.gpu.Stream
	return errors.Join(s.forked.Record(main), s.beside.Wait(s.forked), f(work{firstHalf, main}),
		beside(), f(work{secondHalf, s.beside}), s.joined.Record(s.beside), main.Wait(s.joined))
}
