package cfrgpu

import "gamebots/cudalib/internal/launch"

const (
	// maxMeanThreads is how many threads a block of means has at most, and
	// fewMeanThreads how many where it has fewer partial sums than that.
	maxMeanThreads = 512
	fewMeanThreads = 128
)

// A mean plans the means over the boards after a round.
type mean struct {
	deals    int
	partials int // most partial sums of the boards
	buckets  int // adjacent ones of a deal, in a block
	threads  int // for each bucket
}

func newMean(x *Round, deals int) mean {
	m := mean{deals: deals, threads: 1}
	for h := range x.Stride {
		m.partials = max(m.partials, int(x.PartialStart[h+1]-x.PartialStart[h]))
	}
	for m.threads < min(m.partials, maxMeanThreads/Lanes) {
		m.threads *= 2
	}
	m.buckets = min(launch.Warp, maxMeanThreads/m.threads)
	for m.buckets > Lanes && m.buckets*m.threads > fewMeanThreads {
		m.buckets /= 2
	}
	return m
}

// interleave puts the children of a block's buckets side by side, as
// segment.cuh reads them: where those of each partial sum start, how many of
// them each bucket has, and the children. Buckets with fewer are padded.
func (m mean) interleave(x *Round) (start, num, children []uint32) {
	for first := 0; first < x.Stride; first += m.buckets {
		for partial := range m.partials {
			lists, longest := make([][]uint32, m.buckets), 0
			for i := range lists {
				if h := first + i; h < x.Stride && int(x.PartialStart[h])+partial < int(x.PartialStart[h+1]) {
					k := int(x.PartialStart[h]) + partial
					lists[i] = x.Children[x.Partials[k]:x.Partials[k+1]]
					longest = max(longest, len(lists[i]))
				}
				num = append(num, uint32(len(lists[i])))
			}
			start = append(start, uint32(len(children)))
			for k := range longest {
				for _, list := range lists {
					child := uint32(0)
					if k < len(list) {
						child = list[k]
					}
					children = append(children, child)
				}
			}
		}
	}
	return start, num, children
}
