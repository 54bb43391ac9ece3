package registry

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"gamebots/acpc"
	"gamebots/bots/poker/table"
	"gamebots/solvers/evaluate/aivat"
	"gamebots/solvers/policy"
	"gamebots/solvers/policy/browse"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	// maxAtOnce is up to how many probabilities of a strategy the values by which luck is
	// estimated are computed at the start. For more they take seconds, and are computed when
	// somebody first asks.
	maxAtOnce = 100_000
	// maxKept is how many decisions are kept with their values, and how many hands.
	maxKept = 10_000
)

// Advisor judges by a strategy. Any goroutine may use it.
type Advisor struct {
	strategy  *browse.Strategy
	player    *aivat.Strategy // nil if luck is not estimated
	prepare   sync.Once
	preparing atomic.Bool                     // the estimator's values are computed in the background
	estimator atomic.Pointer[aivat.Estimator] // nil until its values are there

	kept *lru.Cache[string, []table.Advice] // advice by decision
	fair *lru.Cache[string, *float64]       // fair winnings by hand; nil if unknown
}

var _ table.Advisor = (*Advisor)(nil)

// newAdvisor returns an advisor with the strategy of a policy, which stays open.
func newAdvisor(p *policy.Policy) (*Advisor, error) {
	looked, err := browse.New(p, 1)
	if err != nil {
		return nil, err
	}
	a := &Advisor{strategy: looked}
	if a.kept, err = lru.New[string, []table.Advice](maxKept); err != nil {
		return nil, err
	}
	if a.fair, err = lru.New[string, *float64](maxKept); err != nil {
		return nil, err
	}
	if p.Tree.Game.NumPlayers > 2 {
		return a, nil
	}
	if a.player, err = aivat.OpenStrategy(p, nil); err != nil {
		return nil, fmt.Errorf("estimates without luck: %w", err)
	}
	if p.Entries <= maxAtOnce || p.Entries > aivat.MaxRead { // no values are needed then
		err = a.makeEstimator()
	}
	return a, err
}

// makeEstimator computes the values of the estimator.
func (a *Advisor) makeEstimator() error {
	e, err := aivat.New(a.player, a.player, false)
	if err == nil {
		a.estimator.Store(e)
	}
	return err
}

// Advise rates the actions of who is to act. It looks at no cards but the player's own and
// those of the board that are dealt. It returns nil where the strategy does not know the
// betting.
func (a *Advisor) Advise(s *acpc.State) ([]table.Advice, error) {
	return remember(a.kept, s, s.Actor(), func() ([]table.Advice, error) {
		advice, err := a.rate(s)
		if errors.Is(err, policy.ErrOffTree) {
			return nil, nil
		}
		return advice, err
	})
}

func (a *Advisor) rate(s *acpc.State) ([]table.Advice, error) {
	j, err := a.strategy.Judge(s)
	if err != nil || j.Mapped > 0 { // actions of a hand with other raises are none of this one
		return nil, err
	}
	advice := make([]table.Advice, len(j.Actions))
	for i, action := range j.Actions {
		advice[i] = table.Advice{Move: action.Text, Name: action.Name, Share: j.Probabilities[i]}
	}
	for i := range j.Values {
		advice[i].Value = &j.Values[i]
	}
	return advice, nil
}

// Fair returns what a position has won in a hand against the strategy, without luck, nil if
// that is not known. It depends on none of the strategy's cards, which the player may not have
// seen: they count with the probabilities that its actions give them. The opponent must have
// played the strategy as it is, without thresholds. later is set while values are computed.
func (a *Advisor) Fair(s *acpc.State, position int) (chips *float64, later bool) {
	if a.player == nil {
		return nil, false
	}
	e := a.estimator.Load()
	if e == nil {
		a.prepare.Do(func() {
			a.preparing.Store(true)
			go func() {
				defer a.preparing.Store(false)
				_ = a.makeEstimator() // after an error nothing is estimated
			}()
		})
		if a.preparing.Load() {
			return nil, true
		}
		if e = a.estimator.Load(); e == nil {
			return nil, false
		}
	}
	chips, _ = remember(a.fair, s, position, func() (*float64, error) {
		won, err := e.EstimateUnseen(s, 1-position)
		if err != nil {
			//lint:ignore nilerr nothing known is kept, too
			return nil, nil
		}
		won = -won
		return &won, nil
	})
	return chips, false
}

// remember returns the value that is kept for what a seat sees of a state, or else computes and keeps it. Other states
// can be computed meanwhile. An error is not kept.
func remember[V any](kept *lru.Cache[string, V], s *acpc.State, viewer int, compute func() (V, error)) (V, error) {
	seen := acpc.MatchState{State: *s, Viewer: viewer}
	seen.HandID = 0
	key := string(seen.Append(nil))
	if value, ok := kept.Get(key); ok {
		return value, nil
	}
	value, err := compute()
	if err == nil {
		kept.Add(key, value)
	}
	return value, err
}
