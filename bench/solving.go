package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"

	"gamebots/acpc"
	"gamebots/bots/poker"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/internal/parallel"
	"gamebots/internal/rng"
	"gamebots/internal/stats"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/belief"
)

// solvingWork is the work of bench solving: to play rivers that are solved against the strategy
// that comes with the program for a game.
type solvingWork struct {
	game       string
	iterations []int // of a solution
	deals      int
}

// In a third of the deals a river is played.
var fullSolving = solvingWork{"holdem-nolimit-2p", []int{25, 60, 150, 400}, 240}

// run emits what solving wins. Before the river both players play the strategy, and are even: so
// each deal counts as what is won on average from its river on, from both positions, over all
// hands that the players may have there and all that they do with them.
func (w solvingWork) run(ctx context.Context, emit func(Row) error) error {
	file, err := configs.Strategy(w.game)
	if err != nil {
		return err
	}
	policy, err := cfr.OpenPolicy(file, memory.Available(), nil)
	if err != nil {
		return err
	}
	defer policy.Close()
	if err := policy.Load(memory.Available()); err != nil {
		return err
	}
	threads := runtime.NumCPU()
	for _, n := range w.iterations {
		idle := make(chan *solvingMatch, threads)
		for range threads {
			m, err := newSolvingMatch(policy, n)
			if err != nil {
				return err
			}
			idle <- m
		}
		won := make([]float64, w.deals)
		err := parallel.Try(threads, w.deals, func(deal int) (err error) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			m := <-idle
			defer func() { idle <- m }()
			won[deal], err = m.play(policy.Tree.Game, deal)
			return err
		})
		if err != nil {
			return err
		}
		var s stats.Sample
		for _, x := range won {
			s.Add(1000 / float64(policy.Tree.Game.MaxBlind()) * x)
		}
		for _, r := range []Row{{Metric: "won", Value: s.Mean()}, {Metric: "won ±95%", Value: s.Interval95()}} {
			r.Case, r.Threads, r.Unit = fmt.Sprintf("%s, rivers solved in %d iterations", w.game, n), threads, "mb a hand"
			if err := emit(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// solvingMatch is a strategy against the same with solved rivers. It is used by one goroutine.
type solvingMatch struct {
	player        *poker.Strategy
	plain, solver belief.Player
	trunk         *belief.Reach
}

func newSolvingMatch(policy *cfr.Policy, iterations int) (*solvingMatch, error) {
	solver, err := poker.NewKnown(policy, poker.Style{}, poker.Solving{Iterations: iterations, Threads: 1})
	if err != nil {
		return nil, err
	}
	plays := belief.Played(policy, nil)
	plain := belief.NewStrategy(policy.Index, plays)
	return &solvingMatch{poker.NewStrategy(policy, poker.Style{}, 1), plain, solver, belief.NewReach(plain, plays)}, nil
}

// play returns what solving wins in a deal, in chips a hand.
func (m *solvingMatch) play(g *acpc.Game, deal int) (won float64, err error) {
	random := rng.Stream(rng.At(1, uint64(deal)))
	s := g.NewState(uint32(deal))
	acpc.NewShufflerFrom(rand.New(&random)).Deal(&s)
	for !s.Finished() && s.Round() < g.NumRounds-1 {
		a, err := m.player.ActOnState(&s)
		if err != nil {
			return 0, err
		}
		s.Apply(a)
	}
	if s.Finished() {
		return 0, nil
	}
	reach, err := m.trunk.At(&s, s.Actor())
	if err != nil {
		return 0, err
	}
	first, err := belief.Between([2]belief.Player{m.solver, m.plain}, &s, reach)
	if err != nil {
		return 0, err
	}
	second, err := belief.Between([2]belief.Player{m.plain, m.solver}, &s, reach)
	return (first - second) / 2, err
}
