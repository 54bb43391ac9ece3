package judge

import (
	"context"
	"errors"
	"os"
	"time"

	"gamebots/acpc"
	"gamebots/bots/grid"
	"gamebots/bots/grid/jobs"
	"gamebots/bots/poker/resolving"
	"gamebots/internal/memory"
	"gamebots/internal/stats"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
)

// Local are the settings of a local best response.
type Local struct {
	Menu      string // its actions, see lbr.ParseMenu
	CallOnly  [acpc.MaxRounds]bool
	Deals     int // each from both positions
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
func (l *Local) Play(ctx context.Context, s *Subject, m Means, played func(deals int)) (*Winnings, error) {
	match := jobs.LBRMatch{Style: s.Style, Solve: l.Resolving.Iterations, From: l.Resolving.From,
		Device: l.Resolving.Device,
		Plain:  s.plain(), Menu: l.Menu, CallOnly: l.CallOnly, Seed: l.Seed}
	if s.Agent != nil {
		match.Player = s.Agent
	}
	if s.Policy == nil {
		match.Name, match.Game = s.Game.Name, s.Game.String()
	} else if err := s.Policy.Load(m.Memory - 4*int64(s.Policy.Len())); err != nil { // half of it for other things
		return nil, err
	}
	do, err := match.Job(s.Policy)
	if err != nil {
		return nil, err
	}
	// The first error of an agent ends the run: it would answer other deals no better.
	playing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	play := func(ctx context.Context, job grid.Job) ([]byte, error) {
		result, err := do(ctx, job)
		if err != nil && s.Agent != nil {
			stop(err)
		}
		return result, err
	}
	var work grid.Grid = &grid.Local{Kinds: grid.Kinds{jobs.LBRKind: play}, Threads: m.Threads, Tries: 1}
	if m.Grid != nil {
		work = m.Grid
		if s.Policy != nil {
			if match.File, err = os.ReadFile(s.Name); err != nil {
				return nil, err
			}
		}
	}
	outcomes, err := jobs.PlayLBR(playing, work, &match, l.Deals, played)
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
