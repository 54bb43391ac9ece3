package advice

import (
	"errors"
	"fmt"
	"sync"

	"gamebots/acpc"
	"gamebots/bots/poker/table"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/aivat"
	"gamebots/solvers/cfr/browse"
)

const (
	// maxEntries is how many probabilities a strategy may have whose player's luck is
	// estimated. Values of larger games would take seconds and much memory at the start.
	maxEntries = 100_000
	// maxKept is how many decisions are kept with their values.
	maxKept = 10_000
)

// Advisor judges by a strategy. Any goroutine may use it.
type Advisor struct {
	strategy  *browse.Strategy
	estimator *aivat.Estimator // nil if the game is too large, or of more than two players

	mu   sync.Mutex
	kept map[string][]table.Advice // by decision
}

var _ table.Advisor = (*Advisor)(nil)

// New returns an advisor with the strategy of a policy, which stays open.
func New(policy *cfr.Policy) (*Advisor, error) {
	looked, err := browse.New(policy, 1)
	if err != nil {
		return nil, err
	}
	a := &Advisor{strategy: looked, kept: map[string][]table.Advice{}}
	if policy.Tree.Game.NumPlayers > 2 || policy.Entries > maxEntries || !policy.Tree.Shape.Betting.All() {
		return a, nil
	}
	s, err := aivat.ReadStrategy(policy, nil)
	if err == nil {
		a.estimator, err = aivat.New(s, s, false, 1, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("estimates without luck: %w", err)
	}
	return a, nil
}

// Advise rates the actions of who is to act. It looks at no cards but the player's own and
// those of the board that are dealt. It returns nil where the strategy does not know the
// betting.
func (a *Advisor) Advise(s *acpc.State) ([]table.Advice, error) {
	seen := acpc.MatchState{State: *s, Viewer: s.Actor()}
	seen.HandID = 0
	key := string(seen.Append(nil))
	a.mu.Lock()
	known, ok := a.kept[key]
	a.mu.Unlock()
	if ok {
		return known, nil
	}
	advice, err := a.rate(s)
	if errors.Is(err, cfr.ErrOffTree) {
		advice, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.kept) >= maxKept {
		clear(a.kept)
	}
	a.kept[key] = advice
	return advice, nil
}

func (a *Advisor) rate(s *acpc.State) ([]table.Advice, error) {
	j, err := a.strategy.Judge(s)
	if err != nil || j.Mapped > 0 { // actions of a hand with other raises are none of this one
		return nil, err
	}
	advice := make([]table.Advice, len(j.Actions))
	for i, action := range j.Actions {
		advice[i] = table.Advice{Move: action.Text, Share: j.Probabilities[i]}
	}
	for i := range j.Values {
		advice[i].Value = &j.Values[i]
	}
	return advice, nil
}

// Fair returns what a position has won in a hand against the strategy, without luck. It
// depends on none of the strategy's cards, which the player may not have seen: they count
// with the probabilities that its actions give them.
func (a *Advisor) Fair(s *acpc.State, position int) (chips float64, ok bool) {
	if a.estimator == nil {
		return 0, false
	}
	won, err := a.estimator.Estimate(s, 1-position)
	return -won, err == nil
}
