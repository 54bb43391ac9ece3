package beam

import (
	"context"
	"slices"
)

// keep returns the children that are kept: one of each rank, and the highest of these, as
// many as the width. It returns none if the context is done.
func (s *search) keep(ctx context.Context, parts [][]child) []child {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	unique := s.unique(ctx, parts, n)
	if ctx.Err() != nil {
		return nil
	}
	if width := s.Width; len(unique) > width {
		return highest(unique, width)
	}
	return unique
}

// unique returns one child of each rank: the one whose edges have the lowest hash. Some are
// missing if the context is done.
func (s *search) unique(ctx context.Context, parts [][]child, n int) []child {
	unique := make([]child, 0, n)
	size := 1024
	for size < 2*n {
		size *= 2
	}
	table := make([]uint32, size) // indices in unique, from 1
	for _, p := range parts {
		for i, c := range p {
			if stopped(ctx, i) {
				break
			}
			at := c.rank & uint64(size-1)
			for ; table[at] != 0; at = (at + 1) & uint64(size-1) {
				if other := &unique[table[at]-1]; other.rank == c.rank {
					if s.edgesAfter(c) < s.edgesAfter(*other) {
						*other = c
					}
					break
				}
			}
			if table[at] == 0 {
				unique = append(unique, c)
				table[at] = uint32(len(unique))
			}
		}
	}
	return unique
}

// highest returns the n children with the highest ranks, which must be distinct. It counts
// the children in bins of ranks, and sorts only the bin at the border.
func highest(children []child, n int) []child {
	const bits = 12
	var counts [1 << bits]int
	lowest := ^uint64(0)
	top := uint64(0)
	for _, c := range children {
		lowest, top = min(lowest, c.rank), max(top, c.rank)
	}
	shift := 0
	for (top-lowest)>>shift >= 1<<bits {
		shift++
	}
	for _, c := range children {
		counts[(c.rank-lowest)>>shift]++
	}
	bin, above := len(counts)-1, 0
	for ; above+counts[bin] < n; bin-- {
		above += counts[bin]
	}
	kept := make([]child, 0, n)
	var border []child
	for _, c := range children {
		switch at := int((c.rank - lowest) >> shift); {
		case at > bin:
			kept = append(kept, c)
		case at == bin:
			border = append(border, c)
		}
	}
	slices.SortFunc(border, func(x, y child) int {
		if x.rank > y.rank {
			return -1
		}
		return 1
	})
	return append(kept, border[:n-above]...)
}
