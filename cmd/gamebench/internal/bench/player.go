package bench

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"gamebots/bots/arena"
	havannahbot "gamebots/bots/havannah"
	"gamebots/bots/registry"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/havannah"
	"gamebots/solvers/mcts"
	mctshavannah "gamebots/solvers/mcts/havannah"
)

// playerWork is the work of bench player.
type playerWork struct {
	// Searches of the empty board, each for some time.
	sides []int
	time  time.Duration
	gpu   []mcts.Options // on a GPU

	// Matches of the player against itself without a part of it, on the CPU.
	matchSides  []int
	games       int
	simulations int // per move
}

// fullPlayer is the work of a benchmark.
var fullPlayer = playerWork{
	sides: []int{4, 5, 6, 8, 10}, time: time.Second,
	gpu: []mcts.Options{
		{Batch: 128, LeavesPerDescent: 2, Playouts: 64, Threads: 1},
		{Batch: 128, LeavesPerDescent: 2, Playouts: 64, Threads: 2},
		{Batch: 128, LeavesPerDescent: 2, Playouts: 64, Threads: 4},
		{Batch: 128, LeavesPerDescent: 2, Playouts: 64, Threads: 8},
		{Batch: 64, LeavesPerDescent: 1, Playouts: 64, Threads: 8},
		{Batch: 256, LeavesPerDescent: 4, Playouts: 64, Threads: 8},
	},
	matchSides: []int{5, 8}, games: 200, simulations: 1000,
}

// ablations returns players that lack one part each.
func (w playerWork) ablations() []arena.Contestant {
	player := func(name string, change func(*havannahbot.MCTS, *mctshavannah.Params)) arena.Contestant {
		params := mctshavannah.DefaultParams
		t := havannahbot.MCTS{Seed: 2, Simulations: w.simulations, Memory: 32 << 20, Params: &params}
		change(&t, &params)
		return arena.Contestant{Name: name, Bot: t}
	}
	type T = havannahbot.MCTS
	type P = mctshavannah.Params
	return []arena.Contestant{
		player("without RAVE, with UCT", func(t *T, _ *P) { t.Search = mcts.Options{RAVE: -1, Explore: 0.7} }),
		player("without seeing threats", func(_ *T, p *P) { p.Blind = true }),
		player("with any ring in random games", func(_ *T, p *P) { p.Permanent = 0 }),
		player("with bridges kept in random games", func(_ *T, p *P) { p.Replies = true }),
		player("without priors", func(_ *T, p *P) { p.Weights = mctshavannah.Weights{} }),
		player("without the prior of neighbours", func(_ *T, p *P) { p.Near = 0 }),
		player("without the prior of edges and corners", func(_ *T, p *P) { p.Connect = 0 }),
		player("without the prior of bridges", func(_ *T, p *P) { p.Bridge = 0 }),
		player("without the tree of the move before", func(t *T, _ *P) { t.NoReuse = true }),
		player("with a quarter of the simulations", func(t *T, _ *P) { t.Simulations /= 4 }),
	}
}

// onCPU measures the search of Havannah: simulations per second on one core, and the score
// against players that lack a part of it, with equal numbers of simulations.
func (w playerWork) onCPU(ctx context.Context, emit func(Row)) error {
	for _, side := range w.sides {
		var rates []float64
		for range 5 {
			board, err := havannah.New(side)
			if err != nil {
				return err
			}
			game := mctshavannah.NewGame(board, mctshavannah.DefaultParams)
			rate, err := w.searchRate(ctx, mcts.New(game, mctshavannah.NewEvaluator(game, 1, 1), mcts.Options{}), 1000)
			if err != nil {
				return err
			}
			rates = append(rates, rate)
		}
		rate, repeated := median(rates)
		emit(Row{Case: fmt.Sprintf("side %d, empty board", side), Threads: 1, Metric: "search", Value: rate,
			Unit: "simulations/s", Repeated: repeated})
	}
	for _, side := range w.matchSides {
		for _, other := range w.ablations() {
			standing := arena.Standing{}
			s := arena.Series{
				Rules: registry.RulesNamed(boards.HavannahName), Options: boards.HavannahOptions{Side: side}.JSON(),
				A: arena.Contestant{Name: "whole",
					Bot: havannahbot.MCTS{Seed: 1, Simulations: w.simulations, Memory: 32 << 20}}, B: other,
				Games: w.games, Opening: 2, AtOnce: runtime.NumCPU(), Referee: boards.Havannah{}.Judge,
			}
			err := s.Play(ctx, 0, func(g *arena.GameRecord) (bool, error) {
				standing.Add(g.Score)
				return true, nil
			})
			if err != nil {
				return err
			}
			low, high := standing.Interval95()
			for _, r := range []Row{
				{Metric: "score against it", Value: 100 * standing.Score()},
				{Metric: "at least", Value: 100 * low}, {Metric: "at most", Value: 100 * high},
			} {
				r.Case, r.Device, r.Threads, r.Unit = fmt.Sprintf("side %d, %s", side, other.Name), CPUModel(), 1, "%"
				emit(r)
			}
		}
	}
	return nil
}

// searchRate returns the simulations per second of a search, which it continues by a step at
// a time.
func (w playerWork) searchRate(ctx context.Context, s *mcts.Search, step int) (float64, error) {
	if err := s.Run(ctx, step); err != nil { // the root and the pages of the tree
		return 0, err
	}
	before, began := s.Simulations(), time.Now()
	for n := before; time.Since(began) < w.time || n == before; {
		n += step
		if err := s.Run(ctx, n); err != nil {
			return 0, err
		}
	}
	return float64(s.Simulations()-before) / time.Since(began).Seconds(), context.Cause(ctx)
}

// signSearch signs trees of several sides, grown on all threads.
func signSearch(ctx context.Context, method methods) error {
	h := method("")
	for _, side := range []int{3, 5, 8} {
		board, err := havannah.New(side)
		if err != nil {
			return err
		}
		game := mctshavannah.NewGame(board, mctshavannah.DefaultParams)
		eval := mctshavannah.NewEvaluator(game, runtime.NumCPU(), 1)
		defer eval.Close()
		search := mcts.New(game,
			eval, mcts.Options{Batch: 16, Playouts: 2, Threads: runtime.NumCPU(), Memory: 32 << 20})
		for range 3 {
			if err := search.Run(ctx, 1500); err != nil {
				return err
			}
			for _, s := range search.Stats() {
				fmt.Fprintln(h, s.Move, s.Proof, s.Simulations, s.Score)
			}
			if search.Proof() != mcts.Unknown {
				break
			}
			search.Advance(search.Best())
		}
	}
	return nil
}
