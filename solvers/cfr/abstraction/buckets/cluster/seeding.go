package cluster

import (
	"sync/atomic"

	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/abstraction/buckets"
)

// seedingPart is the part of an attempt's progress that choosing its first centres is.
const seedingPart = .3

// seeding chooses the first centres of an attempt by k-means++: each with a probability in
// proportion to the distortion that is left to its vector by those before. A vector is nearer
// to a new centre than to its own only if the two centres are less than twice as far apart as
// the vector is from its own. So few vectors are compared with a new centre.
type seeding struct {
	*attempt
	values  []uint16      // coordinates of the centres, in the order in which they were chosen
	keys    []int64       // keys of the centres
	members [][]int32     // vectors that are nearest to a centre
	radius  []uint64      // square of the largest distance of a member of a centre
	changed []atomic.Bool // whether the distortion of a chunk is another than in sums
	workers []seedingWorker
}

// seedingWorker has the vectors that a thread finds for a new centre.
type seedingWorker struct {
	members []int32
	radius  uint64
}

// centresPerTask is how many centres a thread treats at once.
const centresPerTask = 64

// spread chooses the first centres. It sets the nearest of them by the order in which they
// were chosen, and returns their place in the order of their keys.
func (a *attempt) spread() (*buckets.Centres, []int32) {
	s := &seeding{attempt: a, changed: make([]atomic.Bool, len(a.sums)),
		workers: make([]seedingWorker, max(1, a.Threads))}
	for i := range a.square {
		a.square[i] = 1 // the first centre is drawn by weight
	}
	for n := 0; n < a.clustering.Centres && (n == 0 || a.ctx.Err() == nil); n++ {
		if n < 2 {
			for chunk := range s.changed {
				s.changed[chunk].Store(true)
			}
		}
		s.add(a.At(a.draw(s.total())))
		a.progress(seedingPart * float64(n) / float64(a.clustering.Centres))
	}
	for c, members := range s.members {
		for _, i := range members {
			a.nearest[i] = uint32(c)
		}
	}
	return a.rank(s.values)
}

// add adds a centre.
func (s *seeding) add(x []uint16) {
	k := buckets.Key(x)
	if len(s.members) == 0 {
		all := make([]int32, s.Len())
		for i := range all {
			all[i] = int32(i)
			s.square[i] = s.Metric.Square(x, s.At(i))
		}
		s.values, s.keys, s.members, s.radius = append(s.values, x...), append(s.keys, k), append(s.members, all),
			append(s.radius, buckets.Far)
		return
	}
	parallel.For(s.Threads, (len(s.members)+centresPerTask-1)/centresPerTask, func(worker, task int) {
		for c := task * centresPerTask; c < min((task+1)*centresPerTask, len(s.members)); c++ {
			if !s.Metric.Beyond(s.keys[c]-k, 4*s.radius[c], s.Dim) {
				s.take(&s.workers[worker], c, x, k)
			}
		}
	})
	var members []int32
	radius := uint64(0)
	for i := range s.workers {
		w := &s.workers[i]
		members, radius = append(members, w.members...), max(radius, w.radius)
		w.members, w.radius = w.members[:0], 0
	}
	s.values, s.keys, s.members, s.radius = append(s.values, x...), append(s.keys, k), append(s.members, members),
		append(s.radius, radius)
}

// take takes the members of a centre that are nearer to a new one, x with a key.
func (s *seeding) take(w *seedingWorker, centre int, x []uint16, k int64) {
	apart := s.Metric.Square(x, s.values[centre*s.Dim:][:s.Dim])
	if apart >= 4*s.radius[centre] {
		return
	}
	kept, radius := s.members[centre][:0], uint64(0)
	for _, i := range s.members[centre] {
		square := s.square[i]
		if apart < 4*square && !s.Metric.Beyond(s.attempt.keys[i]-k, square, s.Dim) {
			if d := s.Metric.Square(x, s.At(int(i))); d < square {
				s.square[i] = d
				w.members, w.radius = append(w.members, i), max(w.radius, d)
				s.changed[i/chunkLen].Store(true)
				continue
			}
		}
		kept, radius = append(kept, i), max(radius, square)
	}
	s.members[centre], s.radius[centre] = kept, radius
}

// total returns the distortion.
func (s *seeding) total() (total float64) {
	parallel.For(s.Threads, len(s.sums), func(_, chunk int) {
		if s.changed[chunk].Swap(false) {
			s.sums[chunk] = 0
			for i := chunk * chunkLen; i < min((chunk+1)*chunkLen, s.Len()); i++ {
				s.sums[chunk] += s.distortion(i)
			}
		}
	})
	for _, sum := range s.sums {
		total += sum
	}
	return total
}

// draw returns a vector with a probability in proportion to what it adds to the total
// distortion.
func (a *attempt) draw(total float64) (drawn int) {
	left := a.random.Float64() * total
	chunk := 0
	for ; chunk < len(a.sums)-1 && left >= a.sums[chunk]; chunk++ {
		left -= a.sums[chunk]
	}
	for i := chunk * chunkLen; i < min((chunk+1)*chunkLen, a.Len()); i++ {
		if x := a.distortion(i); x > 0 {
			drawn = i
			if left -= x; left < 0 {
				break
			}
		}
	}
	return drawn
}
