package cluster

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/cudalib"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/buckets"
)

// Options are the resources of a build, and whom it tells of its progress. Buckets do not
// depend on them.
type Options struct {
	Threads int             // 1 if not set
	Device  *cudalib.Device // does k-means and finds the nearest centres; nil for the CPU
	// From, if not nil, has rounds that were finished before, by the same recipe for the same cards.
	// The others are added to it.
	From *buckets.Table
	// OnProgress, if not nil, is called with the present phase of the work and the part of it
	// that is done.
	OnProgress func(phase string, part float64)
	// OnRound, if not nil, is called after each round but the last with the rounds so far.
	// An error ends the build.
	OnRound func(*buckets.Table) error
}

// Build makes the buckets of a recipe for a game. When the context is done it returns the context's error.
func Build(ctx context.Context, g *acpc.Game, r buckets.Recipe, o Options) (*buckets.Table, error) {
	if err := r.Check(g); err != nil {
		return nil, err
	}
	table := cmp.Or(o.From, buckets.New(g, r))
	b := &builder{Table: table, Options: o, ctx: ctx, recipe: r, deck: table.Deck(), hands: table.Hands()}
	b.Threads = max(1, o.Threads)
	if err := b.build(); err != nil {
		return nil, err
	}
	return b.Table, nil
}

// builder makes a table.
type builder struct {
	*buckets.Table
	Options
	ctx    context.Context
	recipe buckets.Recipe
	deck   *buckets.Deck
	hands  *buckets.Holdings
	// layers has the histograms that rounds need, by number of board cards.
	layers map[int]*histograms
}

// progress returns a function that reports the progress of a phase.
func (b *builder) progress(phase string, round int) func(part float64) {
	if round >= 0 {
		phase = fmt.Sprintf("round %d: %s", round+1, phase)
	}
	return func(part float64) {
		if b.OnProgress != nil {
			b.OnProgress(phase, part)
		}
	}
}

func (b *builder) build() error {
	var missing []int
	clusterHoles := false
	known, _ := b.Opponents(buckets.OCHS)
	for r := b.Rounds(); r < len(b.recipe.Rounds); r++ {
		missing = append(missing, r)
		clusterHoles = clusterHoles || b.recipe.Rounds[r].Feature == buckets.OCHS && known == nil
	}
	if err := b.makeLayers(missing, clusterHoles); err != nil {
		return err
	}
	if clusterHoles {
		if err := b.clusterHoles(); err != nil {
			return err
		}
	}
	for r := b.Rounds(); r < len(b.recipe.Rounds); r++ {
		if err := b.addRound(r); err != nil {
			return err
		}
		delete(b.layers, b.deck.Board[r])
		if b.OnRound != nil && r+1 < len(b.recipe.Rounds) {
			if err := b.OnRound(b.Table); err != nil {
				return err
			}
		}
	}
	return nil
}

// layersOf returns the numbers of board cards before the full board for which some rounds
// and the clusters of hole cards need histograms, as a set, and the least of them.
func layersOf(d *buckets.Deck, r *buckets.Recipe, rounds []int, clusterHoles bool) (needed map[int]bool, least int) {
	needed, least = map[int]bool{}, d.Full()
	need := func(board int) {
		if board < d.Full() {
			needed[board] = true
			least = min(least, board)
		}
	}
	for _, i := range rounds {
		if r.Rounds[i].Feature == buckets.Histogram {
			need(d.Board[i])
		}
	}
	if clusterHoles {
		need(0)
	}
	return needed, least
}

// makeLayers makes the histograms that some rounds and the clusters of hole cards need, from
// those that lack one card of a full board down.
func (b *builder) makeLayers(rounds []int, clusterHoles bool) error {
	needed, least := layersOf(b.deck, &b.recipe, rounds, clusterHoles)
	b.layers = map[int]*histograms{}
	var last *histograms
	for board := b.deck.Full() - 1; board >= least; board-- {
		report := b.progress(fmt.Sprintf("histograms with %d board cards", board), -1)
		var err error
		if last == nil {
			last, err = fromShowdowns(b.ctx, b.hands, b.deck, b.recipe.Bins, b.Threads, report)
		} else {
			last, err = last.before(b.ctx, b.hands, b.deck, board, b.Threads, report)
		}
		if err != nil {
			return err
		}
		if needed[board] {
			b.layers[board] = last
		}
	}
	return nil
}

// Hole cards are few, so that k-means can try often.
const holeRestarts, holeIterations = 50, 100

// clusterHoles clusters the opponent's hole cards by their histograms before the first
// board card.
func (b *builder) clusterHoles() error {
	s, err := b.source(0, buckets.Histogram)
	if err != nil {
		return err
	}
	centres, err := s.sample(b.ctx, b.Threads, 0, 0, func(float64) {}).Cluster(b.ctx, clustering{
		Metric: buckets.L1, Centres: b.recipe.Clusters, Seed: rng.At(b.recipe.Seed, 0), Restarts: holeRestarts,
		Iterations: holeIterations,
		Threads:    b.Threads, OnProgress: b.progress("clusters of hole cards", -1),
	})
	if err != nil {
		return err
	}
	x := buckets.Made{Centres: centres}
	if err := b.assign(s, &x, func(float64) {}); err != nil {
		return err
	}
	clusters := new(buckets.Clusters)
	for i := range b.hands.All {
		h := &b.hands.All[i]
		clusters[h.Lo][h.Hi] = uint8(x.Bucket.At(s.index.Of(h.Hole, 0)))
	}
	b.SetClusters(clusters)
	return nil
}

// addRound makes the buckets of the next round.
func (b *builder) addRound(r int) error {
	x := buckets.Made{Round: b.recipe.Rounds[r]}
	var err error
	if x.Index, err = b.deck.Index(b.deck.Board[r]); err != nil {
		return err
	}
	if x.Feature == buckets.Hands {
		b.Add(x)
		return nil
	}
	s, err := b.source(b.deck.Board[r], x.Feature)
	if err != nil {
		return err
	}
	seed := rng.At(b.recipe.Seed, uint64(r)+1)
	hands := s.sample(b.ctx, b.Threads, b.recipe.Sample, seed, b.progress("drawing hands", r))
	x.Centres, err = hands.Cluster(b.ctx, clustering{
		Metric: s.metric(), Centres: x.Buckets, Seed: seed, Restarts: b.recipe.Restarts,
		Iterations: b.recipe.Iterations,
		Threads:    b.Threads, Device: b.Device, OnProgress: b.progress("k-means", r),
	})
	if err != nil {
		return err
	}
	if err := b.assign(s, &x, b.progress("buckets", r)); err != nil {
		return err
	}
	b.Add(x)
	return nil
}

// Memory returns about how many bytes Build needs at most. The error is that of [buckets.Recipe.Check].
func Memory(g *acpc.Game, r buckets.Recipe) (bytes int64, err error) {
	if err := r.Check(g); err != nil {
		return 0, err
	}
	d := buckets.DeckOf(g)
	var rounds []int
	clusterHoles := false
	for i, round := range r.Rounds {
		rounds, clusterHoles = append(rounds, i), clusterHoles || round.Feature == buckets.OCHS
	}
	_, least := layersOf(&d, &r, rounds, clusterHoles)
	if least < d.Full() {
		boards, err := abstraction.NewSuitIndex(d.Suits, d.Ranks, 0, d.Full())
		if err != nil {
			return 0, err
		}
		bytes += int64(boards.Size()) * int64(card.Combinations(d.Suits*d.Ranks, d.Hole)) // the bins of hands on them
	}
	for board := d.Full() - 1; board >= least; board-- {
		index, err := d.Index(board)
		if err != nil {
			return 0, err
		}
		bytes += int64(index.Size()) * int64(r.Bins*buckets.NumberBytes(buckets.Runouts(&d, board)))
	}
	largest := int64(0) // bytes of the vectors of the largest round
	for i, round := range r.Rounds {
		index, err := d.Index(d.Board[i])
		if err != nil {
			return 0, err
		}
		dim := r.Bins - 1
		switch round.Feature {
		case buckets.Hands:
			continue
		case buckets.OCHS:
			dim = r.Clusters
		}
		bytes += int64(index.Size()) * int64(buckets.NumberBytes(uint32(round.Buckets-1)))
		vectors := int64(r.Sample)
		if all := int64(index.Size()); vectors == 0 || vectors > all {
			vectors = all
		}
		const copies, counters = 3, 44 // vectors as drawn, collected and joined; bytes of weights and distances
		largest = max(largest, vectors*int64(copies*2*dim+counters)+buckets.NeighbourBytes(round.Buckets))
	}
	return bytes + largest, nil
}

// newReport returns the report of sizes by worker and bucket, and sums of squares.
func newReport(s *source, sizes [][]uint64, squares []float64) (r buckets.Report) {
	parts := make([]float64, len(sizes[0]))
	for i := range parts {
		n := uint64(0)
		for _, size := range sizes {
			n += size[i]
		}
		if n == 0 {
			r.Empty++
		}
		parts[i] = float64(n) / s.deals()
	}
	slices.Sort(parts)
	r.Smallest, r.Median, r.Largest = parts[0], parts[len(parts)/2], parts[len(parts)-1]
	sum := 0.0
	for _, x := range squares {
		sum += x
	}
	unit := float64(math.MaxUint16)
	if s.feature == buckets.Histogram {
		unit *= float64(s.dim + 1) // a strength of 1 is so many bins
	}
	r.Distance = math.Sqrt(sum/s.deals()) / unit
	return r
}
