package records

import (
	"slices"

	"gamebots/solvers/nmcs/snake/cube"
)

// The longest known snake of dimension 9 uses its last dimension twice: after 93 edges, and again
// before the last three of 191. Pairs of halves that are a little shorter than the longest can
// be ahead of these with such a third part.

const (
	thirdBehind  = 5    // edges that a pair may be shorter than the longest snake
	thirdEntered = 3000 // vertices that a search at an end enters
)

// thirdCuts are how many edges of an end may be replaced: so few that a search tries all ways, and
// then so many that more snakes lead to a longer one.
var thirdCuts = [...]int{6, 20}

// regrowEnds replaces the last edges at both ends of a snake by the longest part that searches
// find, depth first and in the whole cube, if that makes the snake longer.
func regrowEnds(r cube.Rules, s cube.Sequence) cube.Sequence {
	for range 2 {
		k := newWalker(newWalk(s.Reversed(), false, nil, 0), r)
		for _, cut := range thirdCuts {
			k.regrowEnd(cut)
		}
		s = sequence(k.path, false)
	}
	return s
}

// regrowEnd replaces the last cut edges of the path, or all if there are fewer.
func (k *walker) regrowEnd(cut int) {
	from := max(0, len(k.path)-1-cut)
	end := slices.Clone(k.path[from:])
	for _, v := range end {
		k.leave(v)
	}
	left := thirdEntered
	k.path = append(k.path[:from], k.longestFrom(end[:1:1], end, &left)...)
	for _, v := range k.path[from:] {
		k.enter(v)
	}
}

// longestFrom returns the longest part found that begins with a trail, whose last vertex is
// still to be entered, or another part if none is longer. It enters at most as many vertices as
// are left.
func (k *walker) longestFrom(trail, longest []uint16, left *int) []uint16 {
	if len(trail) > len(longest) {
		longest = slices.Clone(trail)
	}
	last := trail[len(trail)-1]
	moves, _ := k.enter(last)
	for ; moves != 0 && *left > 0; moves &= moves - 1 {
		*left--
		longest = k.longestFrom(append(trail, last^moves&-moves), longest, left)
	}
	k.leave(last)
	return longest
}
