package advice

import (
	"errors"
	"fmt"
	"sync"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/bots/poker/table"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/aivat"
)

const (
	// maxDeals is how many ways there may be to deal the unknown cards if actions are to be
	// valued: as in the games of Kuhn and Leduc, whose values take a moment.
	maxDeals = 500
	// maxEntries is how many probabilities a strategy may have whose player's luck is
	// estimated. Values of larger games would take seconds and much memory at the start.
	maxEntries = 100_000
	// maxKept is how many decisions are kept with their values.
	maxKept = 10_000
)

// Advisor judges by a strategy. Any goroutine may use it.
type Advisor struct {
	policy    *cfr.Policy
	estimator *aivat.Estimator // nil if the game is too large, or of more than two players

	mu   sync.Mutex
	kept map[string][]table.Advice // by decision
}

var _ table.Advisor = (*Advisor)(nil)

// New returns an advisor with the strategy of a policy, which stays open.
func New(policy *cfr.Policy) (*Advisor, error) {
	a := &Advisor{policy: policy, kept: map[string][]table.Advice{}}
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
	choices, err := a.policy.Choices(nil, s)
	if err != nil {
		return nil, err
	}
	advice := make([]table.Advice, len(choices))
	for i, c := range choices {
		advice[i] = table.Advice{Move: c.Action.String(), Share: float64(c.Probability)}
	}
	values, err := a.values(s, choices)
	for i, v := range values {
		advice[i].Value = &v
	}
	return advice, err
}

// values returns what each action wins on average, over all cards that may be dealt, each
// weighted with the probability that the others would have acted as they did, or nil if
// there are too many.
func (a *Advisor) values(s *acpc.State, choices []cfr.Choice) ([]float64, error) {
	g, player := s.Game(), s.Actor()
	hand := *s
	var unknown []*card.Card
	for p := range g.NumPlayers {
		if p != player {
			for i := range g.NumHoleCards {
				unknown = append(unknown, &hand.Holes[p][i])
			}
		}
	}
	dealt := g.BoardCards(s.Round())
	for i := dealt; i < g.BoardCards(g.NumRounds-1); i++ {
		unknown = append(unknown, &hand.Board[i])
	}
	seen := card.SetOf(hand.Holes[player][:g.NumHoleCards]...) | card.SetOf(hand.Board[:dealt]...)
	var rest []card.Card
	for _, c := range g.Deck() {
		if !seen.Has(c) {
			rest = append(rest, c)
		}
	}
	deals := 1
	for i := range unknown {
		if deals *= len(rest) - i; deals > maxDeals {
			return nil, nil
		}
	}
	values, total := make([]float64, len(choices)), 0.0
	err := eachDeal(unknown, rest, func() error {
		weight, err := a.reach(&hand, player)
		if err != nil || weight == 0 {
			return err
		}
		total += weight
		for i, c := range choices {
			next := hand
			next.Apply(c.Action)
			v, err := a.expected(&next, player)
			if err != nil {
				return err
			}
			values[i] += weight * v
		}
		return nil
	})
	if err != nil || total == 0 { // the strategy never plays to this decision
		return nil, err
	}
	for i := range values {
		values[i] /= total
	}
	return values, nil
}

// eachDeal calls f with each way to deal some of the cards.
func eachDeal(to []*card.Card, cards []card.Card, f func() error) error {
	if len(to) == 0 {
		return f()
	}
	for i, c := range cards {
		*to[0] = c
		rest := append(cards[:i:i], cards[i+1:]...)
		if err := eachDeal(to[1:], rest, f); err != nil {
			return err
		}
	}
	return nil
}

// reach returns the probability with which all but one player act as in a hand.
func (a *Advisor) reach(hand *acpc.State, player int) (float64, error) {
	s := hand.Game().NewState(hand.HandID)
	s.Holes, s.Board = hand.Holes, hand.Board
	reach := 1.0
	for round := range hand.Round() + 1 {
		for _, action := range hand.Actions(round) {
			if s.Actor() != player {
				p, err := a.probability(&s, action)
				if err != nil || p == 0 {
					return 0, err
				}
				reach *= p
			}
			s.Apply(action)
		}
	}
	return reach, nil
}

func (a *Advisor) probability(s *acpc.State, action acpc.Action) (float64, error) {
	choices, err := a.policy.Choices(nil, s)
	for _, c := range choices {
		if c.Action == action {
			return float64(c.Probability), err
		}
	}
	return 0, err
}

// expected returns what a player wins on average in a hand with these cards if all go on
// by the strategy.
func (a *Advisor) expected(s *acpc.State, player int) (float64, error) {
	if s.Finished() {
		return s.Value(player), nil
	}
	choices, err := a.policy.Choices(nil, s)
	sum := 0.0
	for _, c := range choices {
		if c.Probability == 0 || err != nil {
			continue
		}
		next := *s
		next.Apply(c.Action)
		var v float64
		v, err = a.expected(&next, player)
		sum += float64(c.Probability) * v
	}
	return sum, err
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
