package main

import (
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/policy"
)

// The six-handed strategy plays by position, and looks at its cards before it calls off a stack.
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
	seven := []card.Card{card.New(5, 0), card.New(0, 1)}
	for _, before := range []string{"a", "ffa", "ffffa", "ffra", "rffa", "cra", "ccccca"} {
		s := after(before)
		least := .9
		if before == "ccccca" { // a rare line, where seven levels of probability are all that is left
			least = .85
		}
		if x := part(s, acpc.Call, aces...); x < least {
			t.Errorf("after %s it calls all-in with aces in %.2v of the cases", before, x)
		}
		if x := part(s, acpc.Fold, seven...); x < least {
			t.Errorf("after %s it folds seven and two in %.2v of the cases", before, x)
		}
		if x := part(s, acpc.Call); x > .35 {
			t.Errorf("after %s it calls all-in with %.2v of the hands", before, x)
		}
	}
}
