package cluster

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gamebots/cudalib"
	"gamebots/cudalib/kmeansgpu"
	"gamebots/internal/parallel"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/abstraction/buckets"
)

// clustering are the parameters of a clustering.
type clustering struct {
	Metric     buckets.Metric
	Centres    int // number of centres at most, at least 1
	Seed       uint64
	Restarts   int // the best of so many attempts is kept, at least 1
	Iterations int // steps of Lloyd's algorithm in an attempt at most
	Threads    int
	Device     *cudalib.Device // finds nearest centres, the same ones as the CPU; may be nil
	// OnProgress, if not nil, is called with the part that is done.
	OnProgress func(part float64)
}

// converged is the part by which an iteration must lower the distortion, or be the last.
const converged = 1e-4

// chunkLen is how many vectors a thread treats at once. Sums of fractions are sums over
// chunks, so that they do not depend on threads.
const chunkLen = 1 << 12

// Cluster returns centres with a small distortion: the sum over all vectors of the weight
// and the squared distance to the nearest centre. There are fewer centres than asked for
// where the set has fewer distinct vectors. It must not be empty, unless the context is done.
// The error is that of the context or the device.
func (s *points) Cluster(ctx context.Context, o clustering) (best *buckets.Centres, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	a := &attempt{points: s.join(), clustering: o, ctx: ctx}
	if a.Len() <= o.Centres {
		best, _ = a.rank(a.Values)
		return best, nil
	}
	a.prepare()
	if o.Device != nil {
		if a.search, err = onDevice(o.Device, o.Metric, a.Dim); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, a.search.Close()) }()
		if err := a.search.SetVectors(a.Values); err != nil {
			return nil, err
		}
	}
	least := math.Inf(1)
	for restart := range max(1, o.Restarts) {
		a.done = float64(restart) / float64(max(1, o.Restarts))
		a.random = rng.Stream(rng.At(o.Seed, uint64(restart)))
		c, distortion, err := a.improve(a.spread())
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		if distortion < least {
			best, least = c, distortion
		}
	}
	return best, nil
}

// attempt is a clustering from one choice of first centres.
type attempt struct {
	*points // the distinct vectors
	clustering
	ctx    context.Context
	random rng.Stream
	done   float64 // the part of the attempts before

	search  *kmeansgpu.Search // search among the vectors, or nil
	keys    []int64           // key of a vector
	nearest []uint32          // nearest centre of a vector before the last change of the centres
	square  []uint64          // square of the distance of a vector to its nearest centre
	sums    []float64         // distortion of a chunk of vectors
}

// prepare makes the keys of an attempt's vectors, and room for its results.
func (a *attempt) prepare() {
	a.keys = make([]int64, a.Len())
	for i := range a.keys {
		a.keys[i] = buckets.Key(a.At(i))
	}
	a.nearest, a.square = make([]uint32, a.Len()), make([]uint64, a.Len())
	a.sums = make([]float64, (a.Len()+chunkLen-1)/chunkLen)
}

// progress reports a part of this attempt.
func (a *attempt) progress(part float64) {
	if a.OnProgress != nil {
		a.OnProgress(a.done + part/float64(max(1, a.Restarts)))
	}
}

// chunks calls f for all chunks, with the range of their vectors, and returns the sum of
// what it returns.
func (a *attempt) chunks(f func(worker, from, to int) float64) (total float64) {
	parallel.For(a.Threads, len(a.sums), func(worker, chunk int) {
		a.sums[chunk] = f(worker, chunk*chunkLen, min((chunk+1)*chunkLen, a.Len()))
	})
	for _, sum := range a.sums {
		total += sum
	}
	return total
}

// distortion returns what a vector adds to the distortion.
func (a *attempt) distortion(i int) float64 {
	return float64(float64(a.Weights[i]) * float64(a.square[i])) // rounded before it is added, on every machine
}

// rank returns centres with some values, in any order, and the place of each among them.
func (a *attempt) rank(values []uint16) (*buckets.Centres, []int32) {
	order := make([]int, len(values)/a.Dim)
	for i := range order {
		order[i] = i
	}
	at := func(i int) []uint16 { return values[i*a.Dim:][:a.Dim] }
	slices.SortFunc(order, func(i, j int) int {
		x, y := at(i), at(j)
		return cmp.Or(cmp.Compare(buckets.Key(x), buckets.Key(y)), slices.Compare(x, y), cmp.Compare(i, j))
	})
	place := make([]int32, len(order))
	var ascending []uint16
	for i, from := range order {
		place[from] = int32(i)
		ascending = append(ascending, at(from)...)
	}
	c, _ := buckets.NewCentres(a.Metric, a.Dim, ascending) // they are in order
	return c, place
}

// improve moves centres by Lloyd's iterations, and returns the best and their distortion.
// place is the number that each of the nearest centres has now.
func (a *attempt) improve(c *buckets.Centres, place []int32) (best *buckets.Centres, least float64, err error) {
	least = math.Inf(1)
	tallies := make([]tally, max(1, a.Threads))
	for n := range a.Iterations + 1 {
		if err := a.assign(c, place); err != nil {
			return nil, 0, err
		}
		for k := range tallies {
			tallies[k].reset(c)
		}
		distortion := a.chunks(func(worker, from, to int) (sum float64) {
			for i := from; i < to; i++ {
				tallies[worker].add(int(a.nearest[i]), a.At(i), a.Weights[i])
				sum += a.distortion(i)
			}
			return sum
		})
		enough := distortion > least*(1-converged)
		if distortion < least {
			best, least = c, distortion
		}
		if enough || a.ctx.Err() != nil {
			break
		}
		for k := range tallies[1:] {
			tallies[0].join(&tallies[k+1])
		}
		c, place = a.rank(tallies[0].means(c))
		a.progress(seedingPart + (1-seedingPart)*float64(n)/float64(a.Iterations+1))
	}
	//lint:ignore nilerr who calls it asks for the end of the context
	return best, least, nil
}

// assign finds the nearest centre of all vectors. place is the number that the centres of
// the last call have now.
func (a *attempt) assign(c *buckets.Centres, place []int32) error {
	if a.search != nil {
		return errors.Join(a.search.SetCentres(c.Values), a.search.Nearest(a.nearest, a.square))
	}
	near := buckets.NewNeighbours(c, buckets.FewNeighbours, a.Threads)
	parallel.For(a.Threads, len(a.sums), func(_, chunk int) {
		for i := chunk * chunkLen; i < min((chunk+1)*chunkLen, a.Len()); i++ {
			x, was := a.At(i), int(place[a.nearest[i]])
			centre, square := near.From(x, a.keys[i], was, a.Metric.Square(x, c.At(was)))
			a.nearest[i], a.square[i] = uint32(centre), square
		}
	})
	return nil
}

// tally has, by centre, the sums of the vectors that are nearest to it.
type tally struct {
	values  []uint64
	weights []uint64
}

func (t *tally) reset(c *buckets.Centres) {
	t.values, t.weights = make([]uint64, len(c.Values)), make([]uint64, c.Len())
}

func (t *tally) add(centre int, x []uint16, weight uint64) {
	t.weights[centre] += weight
	to := t.values[centre*len(x):][:len(x)]
	for i, v := range x {
		to[i] += weight * uint64(v)
	}
}

func (t *tally) join(other *tally) {
	for i, v := range other.values {
		t.values[i] += v
	}
	for i, w := range other.weights {
		t.weights[i] += w
	}
}

// means returns the values of the means. A centre without vectors stays where it is.
func (t *tally) means(c *buckets.Centres) []uint16 {
	values := slices.Clone(c.Values)
	for i := range values {
		if w := t.weights[i/c.Dim]; w > 0 {
			values[i] = uint16((t.values[i] + w/2) / w)
		}
	}
	return values
}

// points is vectors with weights.
type points struct {
	Dim     int
	Values  []uint16 // the vectors, one after the other
	Weights []uint64 // weight of each vector, at least 1
}

// Add appends a vector.
func (s *points) Add(x []uint16, weight uint64) {
	s.Values, s.Weights = append(s.Values, x...), append(s.Weights, weight)
}

// Len returns the number of vectors.
func (s *points) Len() int { return len(s.Weights) }

// At returns a vector.
func (s *points) At(i int) []uint16 { return s.Values[i*s.Dim:][:s.Dim] }

// join returns the distinct vectors in ascending order, with the sums of their weights.
func (s *points) join() *points {
	order := make([]int32, s.Len())
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return slices.Compare(s.At(int(a)), s.At(int(b))) })
	out := &points{Dim: s.Dim}
	for _, i := range order {
		x := s.At(int(i))
		if n := out.Len(); n > 0 && slices.Equal(out.At(n-1), x) {
			out.Weights[n-1] += s.Weights[i]
			continue
		}
		out.Add(x, s.Weights[i])
	}
	return out
}
