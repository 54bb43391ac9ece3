package main

import (
	"context"
	"math/bits"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/dealer"
	"gamebots/bots/poker"
	"gamebots/internal/stats"
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

// The six-handed strategy does not lose at a table of five loose players: 10,000 deals, with the same cards from each
// seat. The file before this one, with probabilities in sevenths, lost 409 ± 172 mb a hand in them.
func TestShippedSixAmongLoosePlayers(t *testing.T) {
	p, err := policy.Open("../../configs/strategies/holdem-nolimit-6p.strategy", 1<<30, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	m := dealer.Match{Game: p.Tree.Game, Hands: 10_000, Seed: 1, Names: []string{"a", "b", "c", "d", "e", "f"}}
	won := make([]float64, m.Hands) // a deal, in all seats
	for seat := range m.Names {
		players := slices.Repeat([]acpc.Player{loose{}}, len(m.Names))
		players[seat] = poker.NewStrategy(p, poker.Style{}, 1)
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
	t.Logf("it wins %+.0f ± %.0f mb a hand from five loose players", sample.Mean(), sample.Interval95())
	if sample.Mean()+float64(sample.Interval95()) < 0 {
		t.Error("it loses")
	}
}

// loose is a loose and passive player of no-limit hold'em. Before the flop it raises with good cards, calls raises with
// any pair, ace, suited, adjacent or two high cards, and more than 15 big blinds with tens and better pairs and
// ace-king. Then it raises with two pair and better, and calls bets up to the pot with a pair of its own or four to a
// flush.
type loose struct{}

func (p loose) Act(ctx context.Context, s *acpc.MatchState) (acpc.Action, error) {
	return p.ActOnState(ctx, &s.State)
}

func (loose) ActOnState(_ context.Context, s *acpc.State) (acpc.Action, error) {
	g, me, raises, pot := s.Game(), s.Actor(), 0, int32(0)
	for _, a := range s.Actions(s.Round()) {
		if a.Type == acpc.Raise {
			raises++
		}
	}
	for p := range g.NumPlayers {
		pot += s.Spent(p)
	}
	call := s.MaxSpent() - s.Spent(me)
	a, b := s.Holes[me][0], s.Holes[me][1]
	low, high := min(a.Rank(), b.Rank()), max(a.Rank(), b.Rank()) // a ten is 8, an ace 12
	raise, play := false, false
	if s.Round() == 0 {
		best := low == high && low >= 8 || low == 11 && high == 12
		raise = call <= 1500 && (best && raises < 2 || raises == 0 && low >= 8)
		play = best || call <= 1500 && (low == high || a.Suit() == b.Suit() || high == 12 || low >= 8 || high-low == 1)
	} else {
		board := card.SetOf(s.Board[:g.BoardCards(s.Round())]...)
		all := board | card.SetOf(a, b)
		made := g.HandRanking.Rank(all)>>26 - g.HandRanking.Rank(board)>>26 // categories above that of the board
		draw := false
		for suit := range g.NumSuits {
			draw = draw || s.Round() < 3 && bits.OnesCount16(uint16(all>>(16*suit))) == 4
		}
		raise = made >= 2 && raises < 2
		play = made >= 2 || (made == 1 || draw) && call <= pot/2
	}
	switch least, most, ok := s.RaiseBounds(); {
	case raise && ok:
		return acpc.Action{Type: acpc.Raise, Size: min(max(s.MaxSpent()+(pot+call)*6/10, least), most)}, nil
	case play || !s.CanFold():
		return acpc.Action{Type: acpc.Call}, nil
	}
	return acpc.Action{Type: acpc.Fold}, nil
}
