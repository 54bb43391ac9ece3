package cluster

import (
	"cmp"
	"context"
	"fmt"

	"gamebots/acpc"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/internal/nearest"
	"gamebots/solvers/cfr/abstraction/internal/strength"
	"gamebots/solvers/cfr/abstraction/kmeans"
)

// Options are the resources of a build, and whom it tells of its progress. Buckets do not
// depend on them.
type Options struct {
	Threads int           // 1 if not set
	Device  kmeans.Device // does k-means and finds the nearest centres; nil for the CPU
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

// Build makes the buckets of a recipe for a game. Errors in the recipe are of type
// [*buckets.RecipeError]. When the context is done it returns the context's error.
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
	deck   *strength.Deck
	hands  *strength.Hands
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
func layersOf(d *strength.Deck, r *buckets.Recipe, rounds []int, clusterHoles bool) (needed map[int]bool, least int) {
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
	centres, err := s.sample(b.ctx, b.Threads, 0, 0, func(float64) {}).Cluster(b.ctx, kmeans.Options{
		Metric: nearest.L1, Centres: b.recipe.Clusters, Seed: rng.At(b.recipe.Seed, 0), Restarts: holeRestarts,
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
	clusters := new(strength.Clusters)
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
	x.Centres, err = hands.Cluster(b.ctx, kmeans.Options{
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
