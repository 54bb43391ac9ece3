package records

import (
	"context"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// Improve makes a snake longer. Each try cuts off a part at one of its ends and lets a beam
// search find another one. A result of the same length replaces the snake, so that it
// changes, and sometimes one that is an edge shorter does. Improve stops after tries of these, 0
// for no limit, or when the context is done. It calls onFound with the result of each. The results
// depend on the settings, the seed included, and on tries.
func Improve(
	ctx context.Context, s Settings, start cube.Sequence, tries uint64, beam BeamFunc,
	onFound func(cube.Sequence, nmcs.Work),
) error {
	stream := nmcs.RunKey(s.Seed, 0).Stream(0)
	best, now := start, start
	s.Symmetry = Symmetry{} // one end grows alone
	for try := uint64(0); (tries == 0 || try < tries) && ctx.Err() == nil; try++ {
		from := now
		if stream.Below(2) == 0 {
			from = now.Reversed()
		}
		// Short cuts are fast, long ones find more.
		cut := len(from)/8 + stream.Below(len(from)*5/8+1)
		s.Prime = from[:len(from)-cut]
		s.Seed++
		got, work, err := beam(ctx, s)
		if err != nil {
			return err
		}
		onFound(got, work)
		const shorterEvery = 20 // one try of this many may make the snake shorter
		if shorter := stream.Below(shorterEvery) == 0; len(got) >= len(now) || shorter && len(got) >= len(now)-1 {
			now = got
		}
		if len(now) > len(best) {
			best = now
		}
		if len(now) < len(best)-2 {
			now = best
		}
	}
	return nil
}
