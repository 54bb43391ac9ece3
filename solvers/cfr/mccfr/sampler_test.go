package mccfr

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr/internal/mccfrtest"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// methods returns external sampling with batches of one and of many iterations.
func methods() []Method {
	return []Method{{Batch: 1}, {Batch: 10}, {Batch: 10, Linear: true}, {Batch: 1, Half: true},
		{Batch: 10, Half: true}}
}

// sameTables reports whether two tables have the same bits.
func sameTables(a, b *Table) bool {
	return a.Done == b.Done && slices.Equal(a.Regret, b.Regret) && slices.Equal(a.StrategySum, b.StrategySum) &&
		slices.Equal(a.half.regret, b.half.regret) && slices.Equal(a.half.sum, b.half.sum)
}

// TestSamplersConverge compares all methods with the values of games. The
// exploitability has to fall about as the square root of the iterations.
func TestSamplersConverge(t *testing.T) {
	for _, test := range []struct {
		game           string
		position       int
		value          float64
		exploitability float64 // upper bound after the iterations
		within         float64
	}{
		{"kuhn", 0, -1. / 18, .01, .002},
		{"kuhn-3p", 1, -1. / 48, .02, .008},
		{"leduc", 0, -.0856064, .06, .02},
	} {
		t.Run(test.game, func(t *testing.T) {
			if test.game == "leduc" {
				testkit.SlowOnly(t)
			}
			g := mccfrtest.Game(t, NewGame, test.game, mccfrtest.Lossless)
			e := mccfrtest.Evaluator(g.Rules, g.Shape.Betting, g.Buckets)
			for _, m := range methods() {
				s := NewSampler(g, m, 1, 2)
				const n = 100_000
				early := 0.0
				for int(s.Iterations()) < n {
					s.Step()
					if early == 0 && int(s.Iterations()) >= n/25 {
						early = e.Evaluate(s.Weights()).Exploitability()
					}
				}
				got := e.Evaluate(s.Weights())
				atMost := test.exploitability
				if m.Half {
					atMost *= 4 // rounding is noise too
				}
				if x := got.Exploitability(); x > atMost || x > early/1.5 {
					t.Errorf("%v: exploitability %v after %d iterations, %v after a 25th of them", m, x, n, early)
				}
				if v := got.Value[test.position]; math.Abs(v-test.value) > test.within {
					t.Errorf("%v: value %v, want %v", m, v, test.value)
				}
			}
		})
	}
}

// TestSamplersSameBits trains with different numbers of threads, and once with
// an interruption.
func TestSamplersSameBits(t *testing.T) {
	// Batches of which every thread takes several parts.
	large := []Method{{Batch: 101}, {Batch: 101, Half: true},
		{Batch: 101, Robust: true}}
	for _, g := range mccfrtest.Small(t, NewGame) {
		for _, m := range append(methods(), large...) {
			const steps = 6
			want := NewSampler(g, m, 3, 1)
			for range steps {
				want.Step()
			}
			for _, threads := range []int{2, 3, 8} {
				got := NewSampler(g, m, 3, threads)
				for range steps {
					got.Step()
				}
				if !sameTables(&got.Table, &want.Table) {
					t.Errorf("%s, %v: %d threads give other bits than 1", g.Rules.Name, m, threads)
				}
			}
			first := NewSampler(g, m, 3, 1)
			for range steps / 2 {
				first.Step()
			}
			second := NewSampler(g, m, 3, 1)
			mccfrtest.Resume(t, first, second)
			for range steps - steps/2 {
				second.Step()
			}
			if !sameTables(&second.Table, &want.Table) {
				t.Errorf("%s, %v: an interruption changes the bits", g.Rules.Name, m)
			}
		}
	}
}

// TestAddStrategy adds small numbers to a large sum, which rounding to nearest would
// leave as it is.
func TestAddStrategy(t *testing.T) {
	g := mccfrtest.Game(t, NewGame, "kuhn", mccfrtest.Lossless)
	s := NewTable(g, "", 0)
	const start, steps, x = 1 << 25, 100_000, .25
	s.StrategySum[0] = start
	for range steps {
		s.addStrategy(0, []float32{x}, s.Done)
		s.Done++
	}
	// The standard deviation of the sum is about the root of steps * x * 4.
	if got := float64(s.StrategySum[0]) - start; math.Abs(got-steps*x) > 6*math.Sqrt(steps*x*4) {
		t.Errorf("%v was added, want about %v", got, steps*x)
	}
}

// TestCurrentWeights reads the strategy that matches the regrets, in the order of the average
// one.
func TestCurrentWeights(t *testing.T) {
	for _, half := range []bool{false, true} {
		s := NewSampler(mccfrtest.Game(t, NewGame, "leduc", mccfrtest.Lossless),
			Method{Batch: 1, Half: half}, 1, 1)
		for range 1000 {
			s.Step()
		}
		matched := NewTable(s.Game, "", 0)
		for entry := range matched.StrategySum {
			regret := s.half.regrets
			if !half {
				regret = func(dst []float32, entry int) { copy(dst, s.Regret[entry:]) }
			}
			regret(matched.StrategySum[entry:][:1], entry)
			matched.StrategySum[entry] = max(0, matched.StrategySum[entry])
		}
		if got, want := s.CurrentWeights(), matched.Weights(); !slices.Equal(got, want) || slices.Max(got) <= 0 ||
			slices.Min(got) < 0 {
			t.Errorf("16 bits %v: weights %v, want %v", half, got[:9], want[:9])
		}
	}
}

// TestDefaultBatch has no batch for small games, so that they are trained as before.
func TestDefaultBatch(t *testing.T) {
	for game, want := range map[string]int{"kuhn": 1, "leduc": 1, "reis-d": 1024} {
		cards := mccfrtest.Lossless
		if game == "reis-d" {
			cards = mccfrtest.Boardless
		}
		if got := DefaultBatch(mccfrtest.Game(t, NewGame, game, cards)); got != want {
			t.Errorf("%s: a batch of %d, want %d", game, got, want)
		}
	}
}

// TestSave writes a strategy and reads it back as a player does.
func TestSave(t *testing.T) {
	g := mccfrtest.Game(t, NewGame, "leduc", mccfrtest.Lossless)
	mccfrtest.Save(t, mccfrtest.Evaluator(g.Rules, g.Shape.Betting, g.Buckets),
		NewSampler(g, Method{Batch: 50, Linear: true}, 5, 2))
}

// TestSaveForgetful does the same with information sets that stand for many.
func TestSaveForgetful(t *testing.T) {
	g := mccfrtest.GameOf(t, NewGame, pokertest.Game(t, "leduc-3p"), betting.Actions{}.Forgetful(), mccfrtest.Lossless)
	mccfrtest.Save(t, mccfrtest.Evaluator(g.Rules, g.Shape.Betting, g.Buckets),
		NewSampler(g, Method{Batch: 1}, 5, 1))
}

// TestSaveDeadMoney does the same where sequences that differ in dead money share a round.
func TestSaveDeadMoney(t *testing.T) {
	rules := *pokertest.Game(t, "leduc-3p")
	rules.NumPlayers, rules.Blind[3], rules.Stack[3] = 4, rules.Blind[2], rules.Stack[2]
	g := mccfrtest.GameOf(t, NewGame, &rules, betting.Actions{}.DeadMoney(), mccfrtest.Lossless)
	mccfrtest.Save(t, mccfrtest.Evaluator(g.Rules, g.Shape.Betting, g.Buckets),
		NewSampler(g, Method{Batch: 1, Robust: true}, 5, 1))
}

// reopened saves a trainer's strategy, and opens the file.
func reopened(t *testing.T, s *Sampler) *policy.Policy {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.strategy")
	if err := s.Save(path, strategy.Meta{}); err != nil {
		t.Fatal(err)
	}
	p, err := policy.Open(path, 1<<30, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// TestWithoutBlinds saves a strategy of a game in which the pot may be empty. As its raises depend on dead money, which
// it forgets, it has no tree that remembers all.
func TestWithoutBlinds(t *testing.T) {
	rules := *pokertest.Game(t, "leduc-nolimit")
	rules.Blind = [acpc.MaxPlayers]int32{}
	actions, err := betting.ParseActions("fcpa")
	if err != nil {
		t.Fatal(err)
	}
	g := mccfrtest.GameOf(t, NewGame, &rules, actions.DeadMoney(), mccfrtest.Lossless)
	s := NewSampler(g, Method{Batch: 1, Robust: true}, 5, 1)
	s.Step()
	p := reopened(t, s)
	if _, err := p.Full(1 << 30); !errors.As(err, new(*policy.NoFullTreeError)) {
		t.Errorf("its full tree: %v", err)
	}
}

// TestRobust plays strategies against two players who always raise. A robust one wins more from them.
func TestRobust(t *testing.T) {
	g := mccfrtest.Game(t, NewGame, "leduc-3p", mccfrtest.Lossless)
	var won [2]float64
	for i, robust := range []bool{false, true} {
		s := NewSampler(g, Method{Batch: 1, Linear: true, Robust: robust}, 1, 1)
		for range 20_000 {
			s.Step()
		}
		won[i] = againstRaises(s, 10_000)
	}
	if won[1] < won[0]+.2 {
		t.Errorf("wins %v chips a hand from players who always raise, and %v after a robust training", won[0], won[1])
	}
}

// againstRaises returns what the average strategy wins in the first position from players who always raise.
func againstRaises(s *Sampler, deals int) (mean float64) {
	deal, random := NewDeal(s.Game), NewStream(2, 0, 0)
	sigma := make([]float32, s.MaxActions)
	for range deals {
		deal.Draw(&random)
		i := int32(0)
		for i >= 0 {
			n := &s.Nodes[i]
			a := int(n.Actions) - 1
			if n.Actor == 0 {
				RegretMatching(sigma[:n.Actions], s.StrategySum[deal.Entry(n):][:n.Actions])
				a = sampleAction(sigma[:n.Actions], random.Float32())
			}
			i = s.ChildrenOf(n)[a]
		}
		mean += float64(s.Terminals.Value(^i, 0, deal.Best)) / float64(deals)
	}
	return mean
}

// TestRobustNoLimit saves a robust training that has hardly begun. In the information sets that it has not visited, an
// ace folds less to an all-in than a queen does.
func TestRobustNoLimit(t *testing.T) {
	rules := pokertest.Game(t, "leduc-nolimit")
	actions, err := betting.ParseActions("fchpa")
	if err != nil {
		t.Fatal(err)
	}
	g := mccfrtest.GameOf(t, NewGame, rules, actions, mccfrtest.Lossless)
	s := NewSampler(g, Method{Batch: 1, Linear: true, Robust: true}, 1, 1)
	for range 30 {
		s.Step()
	}
	p := reopened(t, s)
	_, decisions := g.Index()
	unvisited, folds := 0, [2]float64{}
	for node := range p.Tree.Nodes {
		n := &p.Tree.Nodes[node]
		if n.Kind != betting.Decision || n.Round != 0 || n.NumActions != 2 {
			continue
		}
		for card, bucket := range []int{0, 2} { // queens and aces
			own := g.Nodes[decisions[node]]
			if s.workers[0].hasLearned(g.Rows[0][own.Actor].Of(bucket)+int(own.Offset), 2) {
				continue
			}
			choices, err := p.ChoicesAt(nil, int32(node), bucket)
			if err != nil {
				t.Fatal(err)
			}
			unvisited++
			folds[card] += float64(choices[0].Probability)
		}
	}
	if unvisited < 10 || folds[1] > folds[0]-1 {
		t.Errorf("in %d unvisited sets queens fold %.3v times, and aces %.3v times", unvisited, folds[0], folds[1])
	}
}
