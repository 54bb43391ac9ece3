package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/memory"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/subgame"

	"github.com/rs/zerolog"
)

// resolveWork is the work of bench resolve: to solve every last round anew for the ranges of
// strategies with few buckets.
type resolveWork struct {
	cases      []resolveCase
	trained    bucketsWork
	iterations int // of each last round
}

type resolveCase struct {
	game    string
	buckets int // a round
	// stack, if not 0, is that of a no-limit game with the same cards and blinds, in which
	// bets are the pot or all-in, and raises all-in.
	stack int32
}

// The second case solves 400,000 last rounds in each of the three ways, which takes three
// minutes of 15 cores.
var fullResolve = resolveWork{
	cases:   []resolveCase{{game: "holdem-limit-12", buckets: 5}, {game: "holdem-limit-20", buckets: 30}, {game: "holdem-limit-12", buckets: 5, stack: 40}},
	trained: bucketsWork{iterations: 1_000_000}, iterations: 50,
}

// resolver is a way to solve a last round.
type resolver struct {
	name   string
	safe   bool
	known  float64 // see subgame.Offer
	margin bool
	gifts  bool // offers are more by what the opponent has given away
}

var resolvers = []resolver{
	{name: "for the ranges"},
	{name: "with offers", safe: true},
	{name: "with offers, half known", safe: true, known: .5},
	{name: "with offers and gifts", safe: true, gifts: true},
	{name: "with offers and gifts, half known", safe: true, gifts: true, known: .5},
	{name: "for the largest margin", safe: true, margin: true},
	{name: "for the largest margin, half known", safe: true, margin: true, known: .5},
	{name: "for the largest margin with gifts", safe: true, margin: true, gifts: true},
	{name: "for the largest margin with gifts, half known", safe: true, margin: true, gifts: true, known: .5},
}

// run emits the exploitability of the strategy in the game itself, with its own last rounds
// and with those that are solved.
func (w resolveWork) run(ctx context.Context, emit func(Row) error) error {
	folder, err := os.MkdirTemp("", "gamebots-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "trained.strategy")
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
		layout, err := cfr.Prepare(game, actions, abstraction.Lossless, memory.Available())
		if err != nil {
			return err
		}
		cards, err := bucketsCards{[3]int{c.buckets, c.buckets, c.buckets}, clustered}.open(ctx, game, folder)
		if err != nil {
			return err
		}
		if err := w.trained.train(ctx, cfr.GameSpec{Game: game, Cards: cards, Actions: actions}, file); err != nil {
			return err
		}
		if err := w.resolve(ctx, layout, fmt.Sprintf("%s, %d buckets", game.Name, c.buckets), file, emit); err != nil {
			return err
		}
	}
	return nil
}

// resolve emits the exploitability of a strategy, as it is and with last rounds solved.
func (w resolveWork) resolve(ctx context.Context, layout *cfr.Layout, name, file string, emit func(Row) error) error {
	policy, err := cfr.OpenPolicy(file, memory.Available(), nil)
	if err != nil {
		return err
	}
	defer policy.Close()
	if err := policy.FillBuckets(ctx, runtime.NumCPU(), func(float64) {}); err != nil {
		return err
	}
	if err := policy.Load(memory.Available()); err != nil {
		return err
	}
	weights, err := unfold(layout, policy)
	if err != nil {
		return err
	}
	e := cfr.NewEvaluator(layout, runtime.NumCPU())
	before := trunk{layout, policy, e.ActionValues(weights)}
	exploitability := func(how string) error {
		x := 1000 / float64(layout.Tree.Game.MaxBlind()) * e.Evaluate(weights).Exploitability()
		return emit(Row{Case: name + ", river " + how, Threads: runtime.NumCPU(), Metric: "exploitability", Value: x, Unit: "mb a hand"})
	}
	if err := exploitability("as trained"); err != nil {
		return err
	}
	for _, r := range resolvers {
		start := time.Now()
		last := layout.Tree.Game.NumRounds - 1
		err := parallel.Try(runtime.NumCPU(), len(layout.Cards.Rounds[last].Boards), func(board int) error {
			return resolveBoard(ctx, layout, policy, board, weights, func(g lastRound) (solved [2][]float32, err error) {
				offers, err := g.offers(r, before)
				switch {
				case err != nil:
					return solved, err
				case g.Tree.Game.Betting == acpc.NoLimit:
					return g.solveSpot(r, offers, w.iterations)
				case !r.safe:
					both := g.Solve(w.iterations)
					return [2][]float32{both, both}, nil
				}
				for p := range solved {
					solved[p] = g.SolveSafe(p, subgame.Offer{Values: offers[1-p], Known: r.known, Margin: r.margin}, w.iterations)
				}
				return solved, nil
			})
		})
		if err != nil {
			return err
		}
		zerolog.Ctx(ctx).Info().Str("how", r.name).Stringer("time", time.Since(start).Round(time.Second)).Msg("solved all last rounds")
		if err := exploitability("solved " + r.name); err != nil {
			return err
		}
	}
	return nil
}

// unfold returns the strategy of a policy as weights of the cards themselves.
func unfold(l *cfr.Layout, policy *cfr.Policy) ([]float32, error) {
	weights := make([]float32, l.Entries)
	var choices []cfr.Choice
	for r := range l.Cards.Rounds {
		buckets := make([]int, l.Cards.Rounds[r].Stride)
		for h := range buckets {
			buckets[h] = -1
			if d, ok := l.Cards.Deal(r, h); ok {
				buckets[h] = policy.Buckets.Bucket(r, d)
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
				if choices, err = policy.ChoicesAt(choices[:0], int32(i), bucket); err != nil {
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

// resolveBoard solves all last rounds on a board, and sets the weights to the solutions of
// the players.
func resolveBoard(ctx context.Context, l *cfr.Layout, policy *cfr.Policy, board int, weights []float32, solve func(g lastRound) ([2][]float32, error)) error {
	last := l.Tree.Game.NumRounds - 1
	round := &l.Cards.Rounds[last]
	b := &round.Boards[board]
	for k := range l.Tree.Segments {
		segment := &l.Tree.Segments[k]
		if segment.Round != last {
			continue
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		before := subgame.Before{Policy: policy, Segment: k, Board: b.Cards}
		game, trained, err := before.Subgame()
		if err != nil {
			return err
		}
		solved, err := solve(lastRound{game, trained, stateOf(policy.Tree, k), segment.From, b})
		if err != nil {
			return err
		}
		own := &game.Cards.Rounds[0]
		at := map[card.Set]int{} // the buckets of the subgame
		for h, hole := range own.Hole {
			at[hole] = h
		}
		for node := range int32(len(game.Tree.Nodes)) {
			n := &game.Tree.Nodes[node]
			if n.Kind != betting.Decision {
				continue
			}
			from, to := solved[n.Actor][game.Entry(node):], weights[l.Entry(segment.First+node):]
			for h := int(b.First); h < int(b.First+b.Num); h++ {
				for a := range int(n.NumActions) {
					to[a*round.Stride+h] = from[a*own.Stride+at[round.Hole[h]]]
				}
			}
		}
	}
	return nil
}
