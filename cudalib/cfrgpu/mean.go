package cfrgpu

import (
	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
)

const (
	// walkMeanThreads is how many threads a block of means has at most, and walkMeanFew
	// how many if fewer shares than that are to be added up.
	walkMeanThreads = 512
	walkMeanFew     = 128
)

// walkMean is the mean over the boards after a round: of how many deals, with how many
// shares of the boards at most, and how many adjacent buckets of one a block has, and
// threads for each.
type walkMean struct{ deals, shares, buckets, threads int }

func newWalkMean(x *Round, deals int) walkMean {
	m := walkMean{deals: deals, threads: 1}
	for h := range x.Stride {
		m.shares = max(m.shares, int(x.ShareStart[h+1]-x.ShareStart[h]))
	}
	for m.threads < min(m.shares, walkMeanThreads/Lanes) {
		m.threads *= 2
	}
	m.buckets = min(launch.Warp, walkMeanThreads/m.threads)
	for m.buckets > Lanes && m.buckets*m.threads > walkMeanFew {
		m.buckets /= 2
	}
	return m
}

// share puts the children of a block's buckets side by side, as kernels/walk_parts.cuh
// reads them: where those of each share start, how many of them each bucket has, and
// which they are. Buckets with fewer have some that are not used.
func (m walkMean) share(x *Round) (start, num, children []uint32) {
	for first := 0; first < x.Stride; first += m.buckets {
		for share := range m.shares {
			lists, longest := make([][]uint32, m.buckets), 0
			for i := range lists {
				if h := first + i; h < x.Stride && int(x.ShareStart[h])+share < int(x.ShareStart[h+1]) {
					k := int(x.ShareStart[h]) + share
					lists[i] = x.Children[x.Shares[k]:x.Shares[k+1]]
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

// mean plans the launch for the means over the boards after a round.
func (w *walks) mean(r int, kernel *driver.Kernel) walkStep {
	m := w.plan.means[r]
	blocks := m.deals * ((w.plan.game.Rounds[r].Stride + m.buckets - 1) / m.buckets)
	if w.kind.valuing {
		blocks *= 2
	}
	threads := m.buckets * m.threads
	grid := driver.Grid{Blocks: max(1, blocks), Threads: threads, Shared: w.number() * threads}
	return walkStep{kernel: kernel, grid: grid, buckets: m.buckets, round: r}
}
