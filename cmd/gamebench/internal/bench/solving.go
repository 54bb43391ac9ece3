package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/bots/poker"
	"gamebots/bots/poker/resolving"
	"gamebots/cudalib"
	"gamebots/internal/parallel"
	"gamebots/internal/rng"
	"gamebots/internal/stats"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
	"gamebots/solvers/resolve/ondevice"

	"github.com/rs/zerolog"
)

// solvingWork is the work of bench solving, solving-turns and solving-flops: to play rounds that are
// solved against the strategy that comes with the program for a game.
type solvingWork struct {
	game       string
	from       int      // the first round that is solved
	iterations []uint64 // iterations of a solution
	deals      int
	runouts    int // how many times the cards after the first solved round are dealt
}

// In a third of the deals a river is played, in half of them a turn, and in two thirds a flop. After
// a solved flop the strategy goes on: the turns of all of its betting would take too long. So a solution serves for
// more than one turn and river: they are most of the luck in a deal.
var (
	fullSolving      = solvingWork{"holdem-nolimit-2p", resolve.River, []uint64{25, 60, 150, 400}, 240, 1}
	fullSolvingTurns = solvingWork{"holdem-nolimit-2p", resolve.Turn, []uint64{150}, 480, 1}
	fullSolvingFlops = solvingWork{"holdem-nolimit-2p", resolve.Flop, []uint64{100, 300}, 300, 8}
)

// solvingRivers is bench solving.
func solvingRivers(ctx context.Context, emit func(Row)) error {
	return fullSolving.run(ctx, nil, Deals{}, emit)
}

// solvingFlops is bench solving-flops. On a GPU flops are solved to the end of the hand, with the fewest iterations.
func solvingFlops(ctx context.Context, d *cudalib.Device, deals Deals, emit func(Row)) error {
	w := fullSolvingFlops
	if d != nil {
		w.iterations = w.iterations[:1]
	}
	return w.run(ctx, d, deals, emit)
}

// run emits what solving wins, with turns and whole flops solved on a device unless it is nil. Before the first
// solved round both players play the strategy, and are even: so each deal counts as what is won on
// average from there on, from both positions, over all hands that the players may have and all that
// they do with them. The cards after the first solved round are dealt runouts times.
func (w solvingWork) run(ctx context.Context, d *cudalib.Device, deals Deals, emit func(Row)) error {
	p, err := openShipped(w.game)
	if err != nil {
		return err
	}
	defer p.Close()
	device, err := ondevice.Of(d)
	if err != nil {
		return err
	}
	first, end := deals.or(w.deals)
	for _, n := range w.iterations {
		won, err := w.play(ctx, p, resolve.Options{Iterations: n, From: w.from, Device: device}, first, end)
		if err != nil && ctx.Err() == nil {
			return err
		}
		w.emit(emit, n, 1000/float64(p.Tree.Game.MaxBlind()), first, won)
		if err != nil {
			return err
		}
	}
	return nil
}

// abreast is how many deals are played at a time where a device solves: it solves one flop, while others are laid out
// or played to the end on the CPU. More would only leave more deals unfinished by an interruption.
const abreast = 16

// play returns what deals win, with the first ones before an interruption. It does not wait for deals that an
// interruption leaves unfinished.
func (w solvingWork) play(
	ctx context.Context, p *policy.Policy, o resolve.Options, first, end int,
) (won []float64, err error) {
	threads := runtime.NumCPU()
	matches := threads
	if o.Device != nil {
		matches = min(threads, abreast)
	}
	o.Threads = threads / matches
	idle := make(chan *solvingMatch, matches)
	for range matches {
		m, err := newSolvingMatch(p, resolving.Options{Options: o})
		if err != nil {
			return nil, err
		}
		idle <- m
	}
	var played sync.Mutex
	results := slices.Repeat([]float64{math.NaN()}, end-first)
	err = parallel.Try(matches, len(results), func(i int) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		m := <-idle
		x, err := parallel.Await(ctx, func() (float64, error) { return m.play(ctx, p.Tree.Game, w, first+i) })
		if err != nil {
			return err
		}
		idle <- m
		played.Lock()
		defer played.Unlock()
		before := len(won)
		for results[i] = x; len(won) < len(results) && !math.IsNaN(results[len(won)]); {
			won = append(won, results[len(won)])
		}
		if len(won) > before {
			zerolog.Ctx(ctx).Info().Uint64("iterations", o.Iterations).Int("deals", len(won)).Msg("played")
		}
		return nil
	})
	return won, err
}

// emit emits what deals from one on have won with some iterations.
func (w solvingWork) emit(emit func(Row), iterations uint64, unit float64, first int, won []float64) {
	var s stats.Sample
	for _, x := range won {
		s.Add(unit * x)
	}
	if s.N == 0 {
		return
	}
	name := fmt.Sprintf("%s, solved from the %s on in %d iterations", w.game, betting.RoundNames[w.from], iterations)
	if first > 0 || s.N != w.deals {
		name += ", " + dealsFrom(first, s.N)
	}
	for _, r := range []Row{{Metric: "won", Value: s.Mean()}, {Metric: "won ±95%", Value: s.Interval95()}} {
		r.Case, r.Threads, r.Unit = name, runtime.NumCPU(), "mb a hand"
		emit(r)
	}
}

// solvingMatch is a strategy against the same with solved rounds. It is used by one goroutine.
type solvingMatch struct {
	player        *poker.Strategy
	plain, solver belief.Player
	trunk         *belief.Reach
}

func newSolvingMatch(p *policy.Policy, o resolving.Options) (*solvingMatch, error) {
	solver, err := resolving.NewHandStrategy(p, poker.Style{}, o)
	if err != nil {
		return nil, err
	}
	plays := belief.Played(p, nil)
	plain := belief.NewStrategy(p.Index, plays)
	if o.From == resolve.Flop {
		solver = onFlops{solver, belief.NewRest(p.Index, plays), map[string]belief.Choices{}}
	}
	return &solvingMatch{poker.NewStrategy(p, poker.Style{}, 1), plain, solver, belief.NewReach(plain, plays)}, nil
}

// onFlops plays flops in one way and what follows in another. It keeps what it does on the flop of a deal.
type onFlops struct {
	flop, rest belief.Player
	known      map[string]belief.Choices // keys are the betting
}

// Choices implements belief.Player.
func (p onFlops) Choices(ctx context.Context, s *acpc.State) (belief.Choices, error) {
	if s.Round() != resolve.Flop {
		return p.rest.Choices(ctx, s)
	}
	bets := string(s.AppendBetting(nil))
	c, ok := p.known[bets]
	if !ok {
		made, err := p.flop.Choices(ctx, s)
		if err != nil {
			return made, err
		}
		c.Actions = slices.Clone(made.Actions)
		for _, row := range made.Probability {
			c.Probability = append(c.Probability, slices.Clone(row))
		}
		p.known[bets] = c
	}
	return c, nil
}

// play returns what solving rounds wins in a deal, in chips a hand.
func (m *solvingMatch) play(ctx context.Context, g *acpc.Game, w solvingWork, deal int) (won float64, err error) {
	source := rng.Stream(rng.At(1, uint64(deal)))
	random := rand.New(&source)
	s := g.NewState(uint32(deal))
	acpc.NewShufflerFrom(random).Deal(&s)
	for !s.Finished() && s.Round() < w.from {
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
	if f, ok := m.solver.(onFlops); ok {
		clear(f.known)
	}
	for range w.runouts {
		// All cards that the board leaves come next alike: it is not known what the players hold.
		for i, known := g.BoardCards(w.from), g.Deck(); i < g.BoardCards(g.NumRounds-1); i++ {
			known = slices.DeleteFunc(known, card.SetOf(s.Board[:i]...).Has)
			s.Board[i] = known[random.IntN(len(known))]
		}
		first, err := belief.Between(ctx, [2]belief.Player{m.solver, m.plain}, &s, reach)
		if err != nil {
			return 0, err
		}
		second, err := belief.Between(ctx, [2]belief.Player{m.plain, m.solver}, &s, reach)
		if err != nil {
			return 0, err
		}
		won += (first - second) / 2
	}
	return won / float64(w.runouts), nil
}
