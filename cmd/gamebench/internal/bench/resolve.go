package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

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

	"github.com/rs/zerolog"
)

// resolveWork is the work of bench resolve: to solve what is left of every hand anew from the turn
// or the river on, for the ranges of strategies with few buckets.
type resolveWork struct {
	cases      []resolveCase
	trained    uint64 // iterations of the strategies
	iterations int    // iterations of each solution
}

type resolveCase struct {
	game    string
	buckets int // a round
	// stack, if not 0, is that of a no-limit game with the same cards and blinds, in which
	// bets are the pot or all-in, and raises all-in.
	stack int32
	from  []int // the rounds from which hands are solved
}

// The second case solves 400,000 rivers in each of the ways, which takes a minute of 15 cores.
var fullResolve = resolveWork{
	cases: []resolveCase{
		{game: "holdem-limit-12", buckets: 5, from: []int{resolve.River, resolve.Turn}},
		{game: "holdem-limit-20", buckets: 30, from: []int{resolve.River}},
		{game: "holdem-limit-12", buckets: 5, stack: 40, from: []int{resolve.River, resolve.Turn}},
	},
	trained: 1_000_000, iterations: 50,
}

// resolver is a way to solve the remainder of a hand.
type resolver struct {
	name   string
	safe   bool
	known  float64 // see resolve.Offer
	margin bool
	played bool // offers are the winnings of hands that play the strategy, not those of best responses
}

var resolvers = []resolver{
	{name: "for the ranges"},
	{name: "with offers", safe: true},
	{name: "with offers, half known", safe: true, known: .5},
	{name: "with offers as played", safe: true, played: true},
	{name: "with offers as played, half known", safe: true, played: true, known: .5},
	{name: "for the largest margin", safe: true, margin: true},
	{name: "for the largest margin, half known", safe: true, margin: true, known: .5},
}

// run emits the exploitability of the strategy in the game itself, as it is and with the rest of
// hands solved.
func (w resolveWork) run(ctx context.Context, emit func(Row)) error {
	folder, err := os.MkdirTemp("", "gamebots-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for _, c := range w.cases {
		game, err := oneRaise(c.game)
		actions := betting.Actions{}
		if c.stack > 0 {
			game, err = noLimit(c.game, c.stack)
			actions = betting.FCPA1
		}
		if err != nil {
			return err
		}
		layout, err := publictree.Prepare(game, actions, abstraction.Lossless, memory.Available())
		if err != nil {
			return err
		}
		file, err := w.train(ctx, policy.GameSpec{Game: game, Actions: actions}, c.buckets, folder)
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

// resolve emits the exploitability of a strategy, as it is and with the rest of hands solved.
func (w resolveWork) resolve(
	ctx context.Context, layout *publictree.Layout, c resolveCase, file string, emit func(Row),
) error {
	p, err := policy.Open(file, memory.Available(), nil)
	if err != nil {
		return err
	}
	defer p.Close()
	if err := p.FillBuckets(ctx, runtime.NumCPU(), func(float64) {}); err != nil {
		return err
	}
	if err := p.Load(memory.Available()); err != nil {
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
	for _, from := range c.from {
		for _, way := range resolvers {
			start := time.Now()
			weights := slices.Clone(trained)
			before := trunk{layout, p}
			err := parallel.Try(runtime.NumCPU(), len(layout.Cards.Rounds[from].Boards), func(board int) error {
				return before.solve(ctx, way, w.iterations, &layout.Cards.Rounds[from].Boards[board], from, weights)
			})
			if err != nil {
				return err
			}
			how := fmt.Sprintf("%s solved %s", betting.RoundNames[from], way.name)
			zerolog.Ctx(ctx).Info().Str("how", how).Stringer("time",
				time.Since(start).Round(time.Second)).Msg("solved all hands")
			exploitability(weights, how)
		}
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
