package acpc

import (
	"strings"
	"testing"
)

// What people type is read as poker players write it, and what is printed is read again.
func TestTypedChoices(t *testing.T) {
	first := Turn{Pot: 300, Least: 100, Most: 9700, AllIn: 9700}
	facing := Turn{Pot: 600, Own: 100, Bet: 300, Least: 500, Most: 9700, AllIn: 9700}
	limit := Turn{Pot: 8, Own: 0, Bet: 4, Least: 8, Most: 8, AllIn: 100}
	tree := first
	tree.Choices = []Choice{{Type: Call}, {Raise, 150}, {Raise, 9700}}
	no := Choice{Type: 9}
	for _, test := range []struct {
		turn  Turn
		typed string // some, separated by commas
		want  Choice
	}{
		{first, "c,k,x,check,Call, X ", Choice{Type: Call}},
		{facing, "c,call", Choice{Type: Call}},
		{facing, "f,fold", Choice{Type: Fold}},
		{first, "b 150,r150,raise to 150,bet 150,raise 150,½ pot,1/2 pot,50%,b50%,r ½pot,0.5 pot", Choice{Raise, 150}},
		{first, "pot,b pot,r100%,100 % pot,1/1", Choice{Raise, 300}},
		{first, "1½ pot,b1½,150%", Choice{Raise, 450}},
		{facing, "pot,r 1100", Choice{Raise, 1100}},                       // calls 200 of 600 chips, and raises by 800
		{facing, "½ pot", Choice{Raise, 700}},                             // the raise is by 400
		{facing, "a,all-in,allin,r9700,20 pot,40/2", Choice{Raise, 9700}}, // no more than there is
		{limit, "r,b,raise,r8", Choice{Raise, 8}},
		{tree, "b150,50%", Choice{Raise, 150}},
		{facing, "call 200", Choice{Type: Call}},
		{facing, "raise to 9700 all-in", Choice{Raise, 9700}},
		{Turn{Own: 2, Bet: 4, AllIn: 4}, "call 2 all-in", Choice{Type: Call}},
		{tree, "a,bet 9700 all-in", Choice{Raise, 9700}},
		{first, ",b,r,150,b 99,b 9701,b-1,r1.5,bb,r99999999999,r nan,0/0,1/0 %%,q,?,potpot,xx,7s", no},
		{first, "1/0 pot,-1/2 pot,-1/-2 pot,0 pot", no},
		{facing, "k,x,check,10%,call 300,bet 9700 all-in", no},
		{limit, "a,r 9,50%,k", no},
		{tree, "f,b 100,pot", no},
		{Turn{Own: 2, Bet: 4, AllIn: 4}, "r,b 4,a,pot", no},
	} {
		for text := range strings.SplitSeq(test.typed, ",") {
			got, err := test.turn.Read(text)
			if (err != nil) != (test.want == no) || err == nil && got != test.want {
				t.Errorf("%+v: %q is %v, %v; want %v", test.turn, text, got, err, test.want)
			}
			if again, err2 := test.turn.Read(test.turn.Text(got)); err == nil && (err2 != nil || again != got) {
				t.Errorf("%q, printed as %s, is %v, %v", text, test.turn.Text(got), again, err2)
			}
		}
	}
}

// A state's turn has its bounds, and actions and choices are each other's inverse.
func TestTurnOfState(t *testing.T) {
	for _, test := range []struct{ game, betting, typed, want string }{
		{"nolimit", "cc/", "r 400", "r500"}, {"nolimit", "r300c/", "½ pot", "r600"}, {"nolimit", "", "pot", "r300"},
		{"nolimit", "r300r900", "a", "r20000"}, {"nolimit", "r300", "c", "c"}, {"nolimit", "cc/r20000", "f", "f"},
		{"limit", "cc/", "b", "r"}, {"limit", "", "raise", "r"},
	} {
		g := readGame(t, "../configs/games/holdem-"+test.game+"-2p.game")
		s, err := g.ParseBetting(test.betting)
		if err != nil {
			t.Fatal(err)
		}
		turn := s.Turn()
		c, err := turn.Read(test.typed)
		if a := s.Action(c); err != nil || a.String() != test.want || s.Choice(a) != c || s.Check(a) != nil {
			t.Errorf("%s: %q is %v, %v; want %s", test.betting, test.typed, a, err, test.want)
		}
	}
}
