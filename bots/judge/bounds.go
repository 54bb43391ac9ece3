package judge

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"gamebots/acpc"
	"gamebots/bots/poker/resolving"
	"gamebots/internal/memory"
	"gamebots/internal/parallel"
	"gamebots/internal/stats"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/evaluate/lbr"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
	"gamebots/solvers/resolve/spot"
)

// LBR are the settings of a local best response.
type LBR struct {
	Menu      string // its actions, see lbr.ParseMenu
	CallOnly  [acpc.MaxRounds]bool
	Deals     int // each from both positions
	First     int // the number of the seed's deals before the first one
	Seed      uint64
	Resolving resolving.Options // rounds that the subject solves in play
}

// DefaultMenu returns the menu that finds most in a game: the 56 raises of Lisý and Bowling, or in a limit game the one
// that there is.
func DefaultMenu(g *acpc.Game) string {
	if g.Betting == acpc.NoLimit {
		return "56"
	}
	return "fcpa"
}

// Winnings are what a local best response has won, by deal.
type Winnings struct {
	Won       stats.Sample // chips
	Estimated stats.Sample // with the same expectation and less variance
}

// Deals returns the number of deals.
func (w *Winnings) Deals() int { return w.Won.N }

// Play plays the deals. played, if not nil, is called with their number so far. When ctx ends, the winnings are those
// of the first deals, if there are at least two; otherwise the error is the cause.
func (l *LBR) Play(ctx context.Context, s *Subject, m Means, played func(deals int)) (*Winnings, error) {
	outcomes, err := l.Outcomes(ctx, s, m, played)
	if err != nil && (ctx.Err() == nil || len(outcomes) < 2) {
		return nil, err
	}
	w := &Winnings{}
	for _, o := range outcomes {
		w.Won.Add(o.Won)
		w.Estimated.Add(o.Estimated)
	}
	return w, nil
}

// Outcomes plays the deals as Play does, and returns what each of the first deals has come to: all, or after an error
// those before the first that is missing. They are the same on any number of threads.
func (l *LBR) Outcomes(ctx context.Context, s *Subject, m Means, played func(deals int)) ([]lbr.Outcome, error) {
	menu, err := lbr.ParseMenu(l.Menu)
	if err != nil {
		return nil, err
	}
	newPlayer, err := l.players(s, m, menu)
	if err != nil {
		return nil, err
	}
	response, err := lbr.New(s.Game, lbr.Options{Menu: menu, CallOnly: l.CallOnly})
	if err != nil {
		return nil, err
	}
	// The first error ends the run: an agent would answer other deals no better.
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var idle sync.Pool // players that no deal uses
	var mu sync.Mutex
	outcomes, done, n := make([]lbr.Outcome, l.Deals), make([]bool, l.Deals), 0
	err = parallel.Try(m.Threads, l.Deals, func(deal int) (err error) {
		defer func() {
			if err != nil {
				stop(err)
			}
		}()
		player, ok := idle.Get().(belief.Player)
		if !ok {
			if player, err = newPlayer(); err != nil {
				return err
			}
		}
		defer idle.Put(player)
		o, err := response.Deal(ctx, player, l.Seed, l.First+deal)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		outcomes[deal], done[deal] = o, true
		if n++; played != nil {
			played(n)
		}
		return nil
	})
	if err != nil {
		return outcomes[:slices.Index(done, false)], context.Cause(ctx)
	}
	return outcomes, nil
}

// players returns what makes players of a subject, each for one goroutine.
func (l *LBR) players(s *Subject, m Means, menu lbr.Menu) (newPlayer func() (belief.Player, error), err error) {
	switch {
	case s.Agent != nil:
		return func() (belief.Player, error) { return s.Agent, nil }, nil
	case s.Policy == nil:
		return func() (belief.Player, error) { return belief.NewPlain(s.plain()), nil }, nil
	}
	if err := s.Policy.Load(m.Memory - 4*int64(s.Policy.Len())); err != nil { // half of it for other things
		return nil, err
	}
	o := resolving.Options{Options: resolve.Options{
		Iterations: l.Resolving.Iterations, From: l.Resolving.From, Threads: 1, Device: l.Resolving.Device,
	}}
	for _, pots := range menu.Many() {
		o.Bets = append(o.Bets, spot.Size{Kind: spot.PotSize, Value: pots})
	}
	p, err := o.Prepare(s.Policy, memory.Available())
	return func() (belief.Player, error) { return resolving.NewHandStrategy(p, s.Style, o) }, err
}

// Learned are the settings of learned responses.
type Learned struct {
	// Iterations is how many a response learns in; 0 for as many as the training had, at most ten million, or for any
	// with Time.
	Iterations int
	Time       time.Duration // for all responses, each of which has a part of it; 0 for any
	Seed       uint64        // seed of the first response
}

// Responses is how many responses are learned, of which the best counts.
const Responses = 3

// Check returns an error unless responses can be learned to a subject.
func (l *Learned) Check(s *Subject, m Means) error {
	if s.Policy == nil {
		return errors.New("responses are learned to a strategy, not to a simple player")
	}
	// The strategy, the best response and the one at work; before these the strategy in other orders.
	const tables = 3
	return memory.Enough("learning responses", tables*4*int64(s.Policy.Entries), m.Memory)
}

// Respond learns responses to a strategy, in its abstract game. It looks up the buckets of all hands, see
// [policy.Policy.FillBuckets]. progress, if not nil, is called with the part that is done. When ctx ends it stops, and
// returns the cause.
func (l *Learned) Respond(
	ctx context.Context, s *Subject, m Means, progress func(part float64),
) (*train.Answer, error) {
	if err := l.Check(s, m); err != nil {
		return nil, err
	}
	p := s.Policy
	weights, err := p.Weights()
	if err != nil {
		return nil, err
	}
	game, err := mccfr.NewGame(s.Game, p.Tree.Shape.Betting, p.Buckets)
	if err != nil {
		return nil, err
	}
	table := mccfr.TableOf(game, policy.Played[float32](p.Index, weights, s.Style.Apply))
	e := train.Effort{Iterations: uint64(l.IterationsOf(p)), Time: l.Time / Responses}
	return train.LearnAnswer(ctx, &table, Responses, e, l.Seed, progress)
}

// IterationsOf returns how many iterations each response to a strategy is learned in, or 0 if only time bounds them.
func (l *Learned) IterationsOf(p *policy.Policy) int {
	if l.Iterations > 0 || l.Time > 0 {
		return l.Iterations
	}
	return train.ResponseIterations(p.Meta().Iterations)
}
