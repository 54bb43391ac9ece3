package main

import (
	"context"
	"slices"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/dealer"
	"gamebots/bots/poker"
	"gamebots/internal/stats"
	"gamebots/internal/testkit"
	"gamebots/solvers/policy"
)

// The six-handed strategy has one action for each hand. It plays by position, and looks at its cards before it calls
// off a stack.
func TestShippedSixPlayers(t *testing.T) {
	p, err := policy.Open("../../configs/strategies/holdem-nolimit-6p.strategy", 1<<30, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	g := p.Tree.Game
	after := func(actions string) acpc.State {
		s := g.NewState(0)
		for _, a := range actions {
			action := acpc.Action{Type: acpc.Fold}
			switch a {
			case 'c':
				action.Type = acpc.Call
			case 'r':
				action = acpc.Action{Type: acpc.Raise, Size: 250}
			case 'a':
				action = acpc.Action{Type: acpc.Raise, Size: g.Stack[0]}
			}
			s.Apply(action)
		}
		return s
	}
	// part returns the probability of an action type with two cards, or with all if there are none.
	part := func(s acpc.State, action acpc.ActionType, cards ...card.Card) float64 {
		sum, hands := 0.0, 0
		deck := g.Deck()
		for i, a := range deck {
			for _, b := range deck[:i] {
				if len(cards) > 0 && card.SetOf(cards...) != card.SetOf(a, b) {
					continue
				}
				copy(s.Holes[s.Actor()][:], []card.Card{a, b})
				choices, err := p.Choices(nil, &s)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range choices {
					if c.Probability != 0 && c.Probability != 1 {
						t.Fatalf("after %q: %v in %.2v of the cases", s.AppendBetting(nil), c.Action, c.Probability)
					}
					if c.Action.Type == action {
						sum += float64(c.Probability)
					}
				}
				hands++
			}
		}
		return sum / float64(hands)
	}
	var opened []float64
	for _, before := range []string{"", "f", "ff", "fff"} {
		opened = append(opened, 1-part(after(before), acpc.Fold))
	}
	if !slices.IsSorted(opened) || opened[0] < .08 || opened[0] > .3 || opened[3] < .35 || opened[3] > .65 {
		t.Errorf("it opens %.2v of the hands from UTG to the button", opened)
	}
	aces := []card.Card{card.New(12, 0), card.New(12, 1)}
	kings := []card.Card{card.New(11, 0), card.New(11, 1)}
	seven := []card.Card{card.New(5, 0), card.New(0, 1)}
	for _, before := range []string{"a", "ffa", "ffffa", "ffra", "rffa", "cra", "ccccca"} {
		s := after(before)
		if x := part(s, acpc.Call, aces...); x < .9 {
			t.Errorf("after %s it calls all-in with aces in %.2v of the cases", before, x)
		}
		if x := part(s, acpc.Fold, seven...); x < .9 {
			t.Errorf("after %s it folds seven and two in %.2v of the cases", before, x)
		}
		if x := part(s, acpc.Call); x > .35 {
			t.Errorf("after %s it calls all-in with %.2v of the hands", before, x)
		}
	}
	for _, before := range []string{"rccf", "ccca", "fcca", "crcc"} { // where a rounding to sevenths had folded them
		for _, pair := range [][]card.Card{aces, kings} {
			if x := part(after(before), acpc.Fold, pair...); x > 0 {
				t.Errorf("after %s it folds %v in %.2v of the cases", before, pair, x)
			}
		}
	}
}

// The strategies for six and three win at tables of loose players of each kind: 1,500 deals, in the slow tier 10,000,
// with the same cards from each seat. They are not all-in before the flop with the worst cards, and fold no aces and
// kings.
func TestShippedAmongLoosePlayers(t *testing.T) {
	for _, game := range []string{"holdem-nolimit-6p", "holdem-limit-3p"} {
		p, err := policy.Open("../../configs/strategies/"+game+".strategy", 1<<30, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = p.Close() })
		m := dealer.Match{Game: p.Tree.Game, Hands: 1_500, Seed: 1}
		m.Names = strings.Split("abcdef", "")[:p.Tree.Game.NumPlayers]
		if testkit.SlowEnabled() {
			m.Hands = 10_000
		}
		for kind, others := range looseKinds {
			t.Run(game+"/"+kind, func(t *testing.T) {
				t.Parallel()
				testAmongLoosePlayers(t, m, p, others)
			})
		}
	}
}

func testAmongLoosePlayers(t *testing.T, m dealer.Match, p *policy.Policy, others loose) {
	won := make([]float64, m.Hands) // a deal, in all seats
	hero := &observed{PolicyPlayer: poker.NewPolicyPlayer(p, poker.Style{Purify: true}, 1)}
	for seat := range m.Names {
		players := slices.Repeat([]acpc.Player{others}, len(m.Names))
		players[seat] = hero
		if _, err := m.Play(t.Context(), players, func(s *acpc.State) error {
			for position := range m.Names {
				if m.Seat(s.HandID, position) == seat {
					won[s.HandID] += s.Value(position)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	var sample stats.Sample
	for _, chips := range won {
		sample.Add(1000 * chips / float64(len(m.Names)) / float64(m.Game.MaxBlind()))
	}
	mean, within := sample.Mean(), sample.Interval95()
	t.Logf("it wins %+.0f ± %.0f mb a hand; before the flop it is all-in with %d of %d bad hands, and folds "+
		"%d of %d aces and kings", mean, within, hero.allIn, hero.bad, hero.folded, hero.good)
	if mean < within || hero.allIn*100 > hero.bad || hero.folded*100 > hero.good {
		t.Error("it loses, or plays as nobody does")
	}
}

// observed is a strategy whose decisions before the flop are counted.
type observed struct {
	*poker.PolicyPlayer
	bad, allIn   int // with two cards up to nine that do not go together; with which it puts in all
	good, folded int // with aces and kings
}

func (o *observed) ActOnState(ctx context.Context, s *acpc.State) (acpc.Action, error) {
	a, err := o.PolicyPlayer.ActOnState(ctx, s)
	if s.Round() > 0 || err != nil {
		return a, err
	}
	one, other := s.Holes[s.Actor()][0], s.Holes[s.Actor()][1]
	low, high := min(one.Rank(), other.Rank()), max(one.Rank(), other.Rank())
	switch stack := s.Game().Stack[0]; {
	case high <= 7 && high-low >= 3 && one.Suit() != other.Suit():
		o.bad++
		if a.Type == acpc.Raise && a.Size == stack || a.Type == acpc.Call && s.MaxSpent() == stack {
			o.allIn++
		}
	case low == high && low >= 11:
		o.good++
		if a.Type == acpc.Fold {
			o.folded++
		}
	}
	return a, nil
}
