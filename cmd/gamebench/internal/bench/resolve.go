package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"gamebots/acpc/card"
	"gamebots/internal/memory"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/buckets/cluster"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
	"gamebots/solvers/strategy"
)

// resolveWork is the work of bench resolve: to solve the river of every hand anew, for the ranges of
// strategies with few buckets.
type resolveWork struct {
	cases      []resolveCase
	trained    uint64 // iterations of the strategies
	iterations int    // iterations of each solution
}

type resolveCase struct {
	game    string
	buckets int // a round
}

// The second case solves 400,000 rivers in each of the ways, which takes a minute of 15 cores.
var fullResolve = resolveWork{
	cases:   []resolveCase{{"holdem-limit-12", 5}, {"holdem-limit-20", 30}},
	trained: 1_000_000, iterations: 50,
}

// resolver is a way to solve rivers.
type resolver struct {
	name  string
	safe  bool
	known float64 // see resolve.Offer
}

var resolvers = []resolver{
	{name: "for the ranges"}, {name: "with offers", safe: true},
	{name: "with offers, half known", safe: true, known: .5},
}

// run emits the exploitability of the strategies in the game itself, as they are and with rivers solved.
func (w resolveWork) run(ctx context.Context, emit func(Row)) error {
	folder, err := os.MkdirTemp("", "gamebots-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for _, c := range w.cases {
		game := oneRaise(c.game)
		layout, err := publictree.Prepare(game, betting.Actions{}, abstraction.Lossless, memory.Available())
		if err != nil {
			return err
		}
		file, err := w.train(ctx, policy.GameSpec{Game: game}, c.buckets, folder)
		if err != nil {
			return err
		}
		if err := w.resolve(ctx, layout, c, file, emit); err != nil {
			return err
		}
	}
	return nil
}

// train trains a strategy with few buckets a round, in a file of the folder.
func (w resolveWork) train(ctx context.Context, g policy.GameSpec, n int, folder string) (file string, err error) {
	table, err := cluster.Build(ctx, g.Game, buckets.Recipe{
		Seed: 1, Iterations: 50, Sample: 500_000, Bins: 50, Clusters: 8, Rounds: []buckets.Round{
			{Feature: buckets.Hands}, {Feature: buckets.Histogram, Buckets: n},
			{Feature: buckets.Histogram, Buckets: n}, {Feature: buckets.OCHS, Buckets: n},
		},
	}, cluster.Options{Threads: runtime.NumCPU()})
	if err != nil {
		return "", err
	}
	g.Cards = filepath.Join(folder, "clustered.buckets")
	if err := table.Write(g.Cards); err != nil {
		return "", err
	}
	t, err := train.Open(train.Spec{GameSpec: g, Seed: 1}, train.Options{Threads: runtime.NumCPU()})
	if err != nil {
		return "", err
	}
	for t.Iterations() < w.trained {
		t.Step()
		if err := context.Cause(ctx); err != nil {
			return "", err
		}
	}
	file = filepath.Join(folder, "trained.strategy")
	return file, t.Save(file, strategy.Meta{})
}

// resolve emits the exploitability of a strategy, as it is and with rivers solved.
func (w resolveWork) resolve(
	ctx context.Context, layout *publictree.Layout, c resolveCase, file string, emit func(Row),
) error {
	p, err := policy.Open(file, memory.Available(), nil)
	if err != nil {
		return err
	}
	defer p.Close()
	err = p.FillBuckets(ctx, runtime.NumCPU(), func(float64) {})
	if err := errors.Join(err, p.Load(memory.Available())); err != nil {
		return err
	}
	trained, err := unfold(layout, p)
	if err != nil {
		return err
	}
	e := publictree.NewEvaluator(layout, runtime.NumCPU())
	exploitability := func(weights []float32, how string) {
		x := 1000 / float64(layout.Tree.Game.MaxBlind()) * e.Evaluate(weights).Exploitability()
		name := fmt.Sprintf("%s, %d buckets, %s", layout.Tree.Game.Name, c.buckets, how)
		emit(Row{Case: name, Threads: runtime.NumCPU(), Metric: "exploitability", Value: x, Unit: "mb a hand"})
	}
	exploitability(trained, "as trained")
	for _, way := range resolvers {
		weights, before := slices.Clone(trained), trunk{layout, p}
		boards := layout.Cards.Rounds[resolve.River].Boards
		if err := parallel.Try(runtime.NumCPU(), len(boards), func(board int) error {
			return before.solve(ctx, way, w.iterations, &boards[board], weights)
		}); err != nil {
			return err
		}
		exploitability(weights, "rivers solved "+way.name)
	}
	return nil
}

// unfold returns the strategy of a policy as weights of the cards themselves.
func unfold(l *publictree.Layout, p *policy.Policy) ([]float32, error) {
	weights := make([]float32, l.Entries)
	var choices []policy.Choice
	for r := range l.Cards.Rounds {
		buckets := make([]int, l.Cards.Rounds[r].Stride)
		for h := range buckets {
			buckets[h] = -1
			if d, ok := l.Cards.Deal(r, h); ok {
				buckets[h] = p.Buckets.Bucket(r, d)
			}
		}
		for i := range l.Tree.Nodes {
			n := &l.Tree.Nodes[i]
			if n.Kind != betting.Decision || int(n.Round) != r {
				continue
			}
			at := l.Entry(int32(i))
			for h, bucket := range buckets {
				if bucket < 0 {
					continue
				}
				var err error
				if choices, err = p.ChoicesAt(choices[:0], int32(i), bucket); err != nil {
					return nil, err
				}
				for a, c := range choices {
					weights[at+a*len(buckets)+h] = c.Probability
				}
			}
		}
	}
	return weights, nil
}

// trunk is a strategy before rivers are solved.
type trunk struct {
	*publictree.Layout
	policy *policy.Policy
}

// solve solves the river on a board after every betting, and sets the weights to the solutions.
func (t trunk) solve(ctx context.Context, way resolver, iterations int, b *abstraction.Board, weights []float32) error {
	for k := range t.Tree.Segments {
		if t.Tree.Segments[k].Round != resolve.River {
			continue
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		root := publictree.SubgameRoot{Policy: t.policy, Segment: k, Board: b.Cards}
		g, trained, err := root.Subgame()
		if err != nil {
			return err
		}
		if !way.safe {
			both := resolve.Solve(g, iterations)
			t.copy(weights, k, b, g, [2][]float32{both, both})
			continue
		}
		var solved [2][]float32
		e := publictree.NewEvaluator(g, 1)
		for p := range solved {
			_, best := e.Values(trained, 1-p)
			solved[p] = resolve.SolveSafe(g, p, resolve.Offer{Values: best, Known: way.known}, iterations)
		}
		t.copy(weights, k, b, g, solved)
	}
	return nil
}

// copy sets the weights of a segment, on a board, to those that the players have in a subgame.
func (t trunk) copy(
	weights []float32, segment int, b *abstraction.Board, g *publictree.Layout, solved [2][]float32,
) {
	round, own := &t.Cards.Rounds[resolve.River], &g.Cards.Rounds[0]
	at := map[card.Set]int{} // the buckets of the subgame
	for h, hole := range own.Hole {
		at[hole] = h
	}
	offset := t.Tree.Segments[segment].First - g.Tree.Segments[0].First
	for node := g.Tree.Segments[0].First; node < g.Tree.Segments[0].Last; node++ {
		n := &g.Tree.Nodes[node]
		if n.Kind != betting.Decision {
			continue
		}
		from, to := solved[n.Actor][g.Entry(node):], weights[t.Entry(node+offset):]
		for h := int(b.First); h < int(b.First+b.Num); h++ {
			for a := range int(n.NumActions) {
				to[a*round.Stride+h] = from[a*own.Stride+at[round.Hole[h]]]
			}
		}
	}
}
