package snake

import (
	"context"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// Improve makes a snake longer: again and again it cuts off a part of a snake at
// one of its ends and lets a beam search, which is done by beam, find another
// one. What is as long as before replaces it, so that the snake wanders, and
// sometimes what is an edge shorter does. It goes on for so many tries, or where
// that is 0 until the context is done, and tells found of what each try came to.
// The result follows from the settings, of which the seed makes the choices, and
// from the number of tries.
func Improve(ctx context.Context, s Settings, start cube.Sequence, tries uint64, beam func(Settings) (cube.Sequence, nmcs.Work, error), found func(cube.Sequence, nmcs.Work)) error {
	stream := nmcs.RunKey(s.Seed, 0).Stream(0)
	best, now := start, start
	s.Symmetry = Symmetry{} // an end that grows alone has none
	for try := uint64(0); (tries == 0 || try < tries) && ctx.Err() == nil; try++ {
		from := now
		if stream.Below(2) == 0 {
			from = now.Reversed()
		}
		// Short cuts are fast and long ones find more.
		cut := len(from)/8 + stream.Below(len(from)*5/8+1)
		s.Prime = from[:len(from)-cut]
		s.Seed++
		got, work, err := beam(s)
		if err != nil {
			return err
		}
		found(got, work)
		const worse = 20 // one try in so many may make the snake shorter
		if shorter := stream.Below(worse) == 0; len(got) >= len(now) || shorter && len(got) >= len(now)-1 {
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
