package policy_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/cfrtest"
	"gamebots/solvers/strategy"
)

// A policy for a game that names the seats from another one on plays the same hands alike: each player has its cards,
// its raises and its turn in a position further on.
func TestFor(t *testing.T) {
	for _, test := range []struct {
		game, actions, moved string
		by                   int
	}{
		{"leduc-nolimit", "1; p1: h,a; p2 flop: a", "blind = 100 100\nfirstPlayer = 2 2", 1},
		{"kuhn-3p", "all", "blind = 1 1 1\nfirstPlayer = 3", 2},
	} {
		p := cfrtest.Trained(t, test.game, test.actions, cfr.Algorithms[0], 20)
		g := p.Tree.Game
		lines := strings.Split(g.String(), "\n")
		blind := slices.IndexFunc(lines, func(s string) bool { return strings.HasPrefix(s, "blind") })
		lines[blind] = test.moved
		other, err := acpc.ParseGame("moved", strings.Join(lines, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		moved, err := p.For(other)
		if err != nil {
			t.Fatalf("%s: %v", test.game, err)
		}
		if err := moved.CheckGame(other); err != nil || moved.CheckGame(g) == nil {
			t.Errorf("%s: the moved policy is for its game: %v", test.game, err)
		}
		if back, err := moved.For(g); err != nil || back.CheckGame(g) != nil {
			t.Errorf("%s: there is no way back: %v", test.game, err)
		}
		random, decisions := rand.New(rand.NewPCG(1, 2)), 0
		draw := func(int) float64 { return 0.5 }
		for range 500 {
			s, m := g.NewState(0), other.NewState(0)
			deck := g.Deck()
			random.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
			for i := range g.NumPlayers {
				s.Holes[i][0], m.Holes[(i+test.by)%g.NumPlayers][0] = deck[i], deck[i]
			}
			s.Board[0], m.Board[0] = deck[5%len(deck)], deck[5%len(deck)]
			for !s.Finished() {
				if m.Actor() != (s.Actor()+test.by)%g.NumPlayers {
					t.Fatalf("%s: %d and %d act", test.game, s.Actor(), m.Actor())
				}
				want, _, err := p.Translate(nil, &s, draw)
				got, _, errMoved := moved.Translate(nil, &m, draw)
				if (err == nil) != (errMoved == nil) || !slices.Equal(got, want) {
					t.Fatalf("%s %s: %v, %v, want %v, %v", test.game, s.AppendBetting(nil), got, errMoved, want, err)
				}
				a := acpc.Action{Type: acpc.Call}
				if low, high, ok := s.RaiseBounds(); ok && random.IntN(2) == 0 {
					a = acpc.Action{Type: acpc.Raise, Size: low + random.Int32N(high-low+1)}
				}
				s.Apply(a)
				m.Apply(a)
				decisions++
			}
		}
		if decisions < 1000 {
			t.Errorf("%s: %d decisions", test.game, decisions)
		}
	}
}

// Any other game is refused.
func TestForAnotherGame(t *testing.T) {
	p := cfrtest.Trained(t, "kuhn", "all", cfr.Algorithms[0], 1)
	g, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.For(g); !errors.Is(err, strategy.ErrOtherGame) {
		t.Errorf("%v, want %v", err, strategy.ErrOtherGame)
	}
}
