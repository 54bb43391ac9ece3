package pcs

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/bestresponse"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/internal/pokertest"
)

// oneRaise is limit hold'em with a smaller deck, one raise a round, and as many rounds as have
// boards.
func oneRaise(t testing.TB, suits, ranks int, board ...uint8) *acpc.Game {
	t.Helper()
	g := pokertest.Holdem(t, suits, ranks, board...)
	g.MaxRaises = [acpc.MaxRounds]uint8{1, 1, 1, 1}
	return g
}

// layout lays a game out, with all cards told apart that differ in more than suits.
func layout(t testing.TB, rules *acpc.Game, boards int) *Game {
	t.Helper()
	return layoutOf(t, rules, abstraction.New(rules, abstraction.Lossless), boards)
}

func layoutOf(t testing.TB, rules *acpc.Game, cards cfr.Buckets, boards int) *Game {
	t.Helper()
	tree := betting.NewTree(rules, betting.Actions{}.ShapeOf(rules, 1<<20))
	g, err := New(cfr.NewIndex(tree, cards), boards)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func stateOf(t testing.TB, trainer *Trainer) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := errors.Join(trainer.WriteState(&b), trainer.Err()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func steps(trainer *Trainer, n int) *Trainer {
	for range n {
		trainer.Step()
	}
	return trainer
}

// Both methods converge to an equilibrium where cards are told apart.
func TestConverges(t *testing.T) {
	for _, test := range []struct {
		rules  *acpc.Game
		boards int
		below  float64 // chips
	}{
		{pokertest.Game(t, "kuhn"), 4000, .003},
		{pokertest.Game(t, "leduc"), 20000, .05},
		{oneRaise(t, 2, 3, 1, 1), 20000, .15},
	} {
		for _, m := range []Method{{Batch: 8}, {Batch: 8, Plus: true}} {
			t.Run(fmt.Sprintf("%s %v", test.rules.Name, m), func(t *testing.T) {
				l, err := cfr.Prepare(test.rules, betting.Actions{}, abstraction.Lossless, 1<<30)
				if err != nil {
					t.Fatal(err)
				}
				trainer := steps(NewTrainer(layout(t, test.rules, m.Batch), m, 1, 2), test.boards/m.Batch)
				if x := cfr.NewEvaluator(l, 2).Evaluate(trainer.Weights()).Exploitability(); x > test.below {
					t.Errorf("exploitability %.4f chips, want at most %v", x, test.below)
				}
			})
		}
	}
}

// The number of threads, and an interruption, change no bit.
func TestSameBits(t *testing.T) {
	g := layoutOf(t, oneRaise(t, 4, 3, 1, 1), pokertest.Hashed{10, 30, 50}, 4)
	m := Method{Batch: 4}
	want := stateOf(t, steps(NewTrainer(g, m, 7, 1), 6))
	first := steps(NewTrainer(g, m, 7, 3), 2)
	second := NewTrainer(g, m, 7, 2)
	if err := second.ReadState(bytes.NewReader(stateOf(t, first))); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(stateOf(t, steps(second, 4)), want) {
		t.Error("other bits after an interruption, with other numbers of threads")
	}
	if bytes.Equal(stateOf(t, steps(NewTrainer(g, m, 8, 1), 6)), want) {
		t.Error("another seed makes no difference")
	}
}

// Every board comes once before one comes again, in another order.
func TestSequence(t *testing.T) {
	for _, rules := range []*acpc.Game{pokertest.Game(t, "kuhn"), pokertest.Game(t, "leduc"), oneRaise(t, 2, 4, 3, 1, 1)} {
		s := NewSequence(rules, rules.NumRounds, 3)
		seen := map[[acpc.MaxRounds]card.Set]int{}
		same := true
		for at := range 2 * s.n {
			board := s.Board(at)
			seen[board]++
			if seen[board] != 1+int(at/s.n) {
				t.Fatalf("%s: board %v comes again at %d of %d", rules.Name, board, at, s.n)
			}
			all := card.Set(0)
			for r, cards := range board {
				if cards.Len() != int(rules.NumBoardCards[r]) || cards&all != 0 {
					t.Fatalf("%s: board %v", rules.Name, board)
				}
				all |= cards
			}
			same = same && (at < s.n || board == s.Board(at-s.n))
		}
		if same && s.n > 2 {
			t.Errorf("%s: the second order of boards is the first one", rules.Name)
		}
	}
}

// Hold'em has a board for each flop, turn and river, in this order.
func TestSequenceOfHoldem(t *testing.T) {
	if s := NewSequence(pokertest.Game(t, "holdem-limit-2p"), 4, 0); s.n != 22100*49*48 {
		t.Errorf("%d boards", s.n)
	}
}

// No-limit games and games of three are refused.
func TestRefuses(t *testing.T) {
	for _, name := range []string{"kuhn-3p", "leduc-nolimit"} {
		rules := pokertest.Game(t, name)
		tree := betting.NewTree(rules, betting.FCPA.ShapeOf(rules, 1<<20))
		if _, err := New(cfr.NewIndex(tree, abstraction.NewBoardless(rules)), 1); !errors.As(err, new(*bestresponse.GameError)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
