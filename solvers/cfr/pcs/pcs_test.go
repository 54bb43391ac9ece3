package pcs

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
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

func layoutOf(t testing.TB, rules *acpc.Game, cards policy.Buckets, boards int) *Game {
	t.Helper()
	return layoutWith(t, rules, "all", cards, boards)
}

// layoutWith lays a game out with some raises.
func layoutWith(t testing.TB, rules *acpc.Game, raises string, cards policy.Buckets, boards int) *Game {
	t.Helper()
	tree := betting.NewTree(rules, actions(t, raises).ShapeOf(rules, 1<<20))
	g, err := New(policy.NewIndex(tree, cards), boards)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func actions(t testing.TB, raises string) betting.Actions {
	t.Helper()
	a, err := betting.ParseActions(raises)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// noLimit is no-limit hold'em with a smaller deck, stacks in chips (a big blind is 100), and as
// many rounds as have boards.
func noLimit(t testing.TB, suits, ranks int, stacks [2]int32, board ...uint8) *acpc.Game {
	t.Helper()
	g := pokertest.Game(t, "holdem-nolimit-2p")
	small := pokertest.Holdem(t, suits, ranks, board...)
	g.Name, g.NumSuits, g.NumRanks, g.NumRounds, g.NumBoardCards = "no-limit "+small.Name, suits, ranks,
		small.NumRounds, small.NumBoardCards
	copy(g.Stack[:], stacks[:])
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

// Both methods converge to an equilibrium where cards are told apart, with any raises: segments
// of a round differ in no-limit games, and all-in players see the rest of the board.
func TestConverges(t *testing.T) {
	for _, test := range []struct {
		rules  *acpc.Game
		raises string
		boards int
		below  float64 // chips
	}{
		{pokertest.Game(t, "kuhn"), "all", 4000, .003},
		{pokertest.Game(t, "leduc"), "all", 20000, .05},
		{oneRaise(t, 2, 3, 1, 1), "all", 20000, .15},
		{pokertest.Game(t, "leduc-nolimit"), "fcpa", 4000, 5},
		{pokertest.Game(t, "leduc-nolimit"), "0.5,1,2,a/1,a; flop: min,a; p2: 0.7,a", 4000, 10},
		{noLimit(t, 2, 3, [2]int32{600, 400}, 1, 1), "1,a/a; turn: 0.5,1,2,a/a/-", 4000, 20},
	} {
		for _, m := range []Method{{Batch: 8}, {Batch: 8, Plus: true}} {
			t.Run(fmt.Sprintf("%s %s %v", test.rules.Name, test.raises, m), func(t *testing.T) {
				l, err := publictree.Prepare(test.rules, actions(t, test.raises), abstraction.Lossless, 1<<30)
				if err != nil {
					t.Fatal(err)
				}
				g := layoutWith(t, test.rules, test.raises, abstraction.New(test.rules, abstraction.Lossless), m.Batch)
				trainer := steps(NewTrainer(g, m, 1, 2), test.boards/m.Batch)
				if x := publictree.NewEvaluator(l, 2).Evaluate(trainer.Weights()).Exploitability(); x > test.below {
					t.Errorf("exploitability %.4f chips, want at most %v", x, test.below)
				}
			})
		}
	}
}

// The number of threads, and an interruption, change no bit.
func TestSameBits(t *testing.T) {
	limit, deep := oneRaise(t, 4, 3, 1, 1), noLimit(t, 4, 3, [2]int32{900, 900}, 1, 1)
	for _, g := range []*Game{
		layoutOf(t, limit, pokertest.Hashed{10, 30, 50}, 4),
		layoutWith(t, deep, "0.5,1,a/a", pokertest.Hashed{10, 30, 50}, 4),
	} {
		m := Method{Batch: 4}
		want := stateOf(t, steps(NewTrainer(g, m, 7, 1), 6))
		first := steps(NewTrainer(g, m, 7, 3), 2)
		second := NewTrainer(g, m, 7, 2)
		if err := second.ReadState(bytes.NewReader(stateOf(t, first))); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(stateOf(t, steps(second, 4)), want) {
			t.Errorf("%s: other bits after an interruption, with other numbers of threads", g.Rules().Name)
		}
		if bytes.Equal(stateOf(t, steps(NewTrainer(g, m, 8, 1), 6)), want) {
			t.Errorf("%s: another seed makes no difference", g.Rules().Name)
		}
	}
}

// A strategy of a no-limit game has the value of one by CFR without sampling.
func TestValue(t *testing.T) {
	rules := pokertest.Game(t, "leduc-nolimit")
	l, err := publictree.Prepare(rules, actions(t, "fcpa"), abstraction.Lossless, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	exact := cfr.NewTrainer(l, cfr.Algorithms[0], 1)
	for range 300 {
		exact.Step()
	}
	m := Method{Batch: 8, Plus: true}
	trainer := steps(NewTrainer(layoutWith(t, rules, "fcpa", abstraction.New(rules, abstraction.Lossless), m.Batch), m,
		1, 2), 500)
	e := publictree.NewEvaluator(l, 2)
	want, got := e.Evaluate(exact.Weights()), e.Evaluate(trainer.Weights())
	for p := range 2 {
		if math.Abs(got.Value[p]-want.Value[p]) > 2 {
			t.Errorf("player %d wins %.3f chips, and %.3f by CFR without sampling", p+1, got.Value[p], want.Value[p])
		}
	}
}

// Every board comes once before one comes again, in another order.
func TestSequence(t *testing.T) {
	for _, rules := range []*acpc.Game{pokertest.Game(t, "kuhn"), pokertest.Game(t, "leduc"),
		oneRaise(t, 2, 4, 3, 1, 1)} {
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

// Games of three are refused, trees that forget betting, and decisions with too many actions.
func TestRefuses(t *testing.T) {
	for _, test := range []struct {
		rules   *acpc.Game
		actions betting.Actions
	}{
		{pokertest.Game(t, "kuhn-3p"), betting.Actions{}},
		{pokertest.Game(t, "leduc"), betting.Actions{}.Forgetful()},
		{pokertest.Game(t, "leduc-nolimit"), actions(t, "0.5,0.6,0.7,0.8,0.9,1,1.1,1.2,1.3,1.4,1.5,1.6,1.7,1.8,a/-")},
	} {
		tree := betting.NewTree(test.rules, test.actions.ShapeOf(test.rules, 1<<20))
		_, err := New(policy.NewIndex(tree, abstraction.NewBoardless(test.rules)), 1)
		if !errors.As(err, new(*segment.GameError)) {
			t.Errorf("%s with %v: %v", test.rules.Name, test.actions, err)
		}
	}
}
