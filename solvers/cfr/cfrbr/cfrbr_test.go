package cfrbr

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/evaluate/bestresponse"
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

// noLimit is no-limit hold'em with a small deck, whose rounds have several parts.
func noLimit(t testing.TB) *acpc.Game { return pokertest.NoLimit(t, 12, 2, 3, 1, 1) }

// index has every raise of a limit game, and the pot and all-in of another one.
func index(rules *acpc.Game, cards policy.Buckets) *policy.Index {
	var raises betting.Actions
	if rules.Betting == acpc.NoLimit {
		raises = betting.FCPA
	}
	return policy.NewIndex(betting.NewTree(rules, raises.ShapeOf(rules, 1<<20)), cards)
}

func layout(t testing.TB, rules *acpc.Game, cards policy.Buckets) *Game {
	t.Helper()
	g, err := New(index(rules, cards))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func lossless(rules *acpc.Game) policy.Buckets { return abstraction.New(rules, abstraction.Lossless) }

func steps(trainer *Trainer, n int) *Trainer {
	for range n {
		trainer.Step()
	}
	return trainer
}

// exploitability is that of a strategy in the game itself, in chips.
func exploitability(t testing.TB, x *policy.Index, weights []float32) float64 {
	t.Helper()
	best := responses(t, x, weights)
	return (best[0] + best[1]) / 2
}

func responses(t testing.TB, x *policy.Index, weights []float32) [2]float64 {
	t.Helper()
	s, err := bestresponse.FromWeights(x, weights, nil)
	if err != nil {
		t.Fatal(err)
	}
	best, err := bestresponse.New(s).Exact(context.Background(), 2)
	if err != nil {
		t.Fatal(err)
	}
	return best
}

// Both the average and the current strategy converge to an equilibrium where cards are told
// apart.
func TestConverges(t *testing.T) {
	for _, test := range []struct {
		rules *acpc.Game
		units int
		below float64 // chips
	}{
		{pokertest.Game(t, "leduc"), 400, .1},
		{oneRaise(t, 2, 3, 1, 1), 1000, .6},
		{oneRaise(t, 2, 4, 1, 1, 1), 500, 3},
		{pokertest.Game(t, "leduc-nolimit"), 400, 5},
		{noLimit(t), 1000, 40},
	} {
		g := layout(t, test.rules, lossless(test.rules))
		trainer := steps(NewTrainer(g, 1, 2), test.units)
		average, current := exploitability(t, g.Index, trainer.Weights()),
			exploitability(t, g.Index, trainer.CurrentWeights())
		if average > test.below || current > 2*test.below {
			t.Errorf("%s: exploitability %.4f chips, of the current strategy %.4f, want at most %v and its double",
				test.rules.Name, average, current, test.below)
		}
	}
}

// In an abstract game CFR-BR finds a strategy that loses less in the game itself than that of
// public chance sampling does.
func TestBeatsAbstractEquilibrium(t *testing.T) {
	beatsAbstractEquilibrium(t, oneRaise(t, 2, 4, 1, 1))
	beatsAbstractEquilibrium(t, noLimit(t))
}

func beatsAbstractEquilibrium(t *testing.T, rules *acpc.Game) {
	t.Helper()
	x := index(rules, abstraction.NewBoardless(rules))
	layout, err := pcs.New(x, 8)
	if err != nil {
		t.Fatal(err)
	}
	equilibrium := pcs.NewTrainer(layout, pcs.Method{Batch: 8}, 1, 2)
	for range 400 {
		equilibrium.Step()
	}
	g, err := New(x)
	if err != nil {
		t.Fatal(err)
	}
	trainer := steps(NewTrainer(g, 1, 2), 500)
	before, after := exploitability(t, x, equilibrium.Weights()), exploitability(t, x, trainer.Weights())
	t.Logf("exploitability %.3f chips by CFR-BR, %.3f by public chance sampling", after, before)
	if after > .8*before {
		t.Errorf("exploitability %.3f chips by CFR-BR, %.3f by public chance sampling", after, before)
	}
}

// actions is an action abstraction of some raises.
func actions(t testing.TB, raises string) betting.Actions {
	t.Helper()
	a, err := betting.ParseActions(raises)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// half lays out the training of one player with few raises against an opponent with more.
func half(t testing.TB, rules *acpc.Game, cards policy.Buckets, player int) *Game {
	t.Helper()
	a, err := actions(t, "1,a/a").Against(actions(t, "0.5,1,2,a/1,a"))
	if err != nil {
		t.Fatal(err)
	}
	tree := betting.NewTree(rules, a.Training(player).ShapeOf(rules, 1<<20))
	g, err := NewFor(policy.NewIndex(tree, cards), player)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A player that learns alone, against an opponent with more raises, comes to lose as much as by public chance sampling.
func TestHalf(t *testing.T) {
	rules := pokertest.Game(t, "leduc-nolimit")
	for player := range 2 {
		g := half(t, rules, lossless(rules), player)
		layout, err := pcs.New(g.Index, 8)
		if err != nil {
			t.Fatal(err)
		}
		sampled := pcs.NewTrainer(layout, pcs.Method{Batch: 8, Plus: true}, 1, 2)
		for range 400 {
			sampled.Step()
		}
		trainer := steps(NewTrainer(g, 1, 2), 1000)
		lost := responses(t, g.Index, trainer.Weights())[1-player]
		want := responses(t, g.Index, sampled.Weights())[1-player]
		t.Logf("player %d loses %.2f chips, and %.2f by public chance sampling", player+1, lost, want)
		if math.Abs(lost-want) > 3 {
			t.Errorf("player %d loses %.2f chips, want %.2f", player+1, lost, want)
		}
		if len(trainer.machine.(*cpu).local.Rows(1-player, 0).Regrets) > 0 {
			t.Error("the opponent has tables")
		}
	}
}

// The response is the exact best one where there is no trunk, and what it wins the learner loses.
func TestRespondsExactly(t *testing.T) {
	for _, rules := range []*acpc.Game{pokertest.Game(t, "leduc"), oneRaise(t, 2, 4, 3),
		pokertest.Game(t, "leduc-nolimit"), pokertest.NoLimit(t, 12, 2, 4, 3)} {
		g := layout(t, rules, lossless(rules))
		trainer := steps(NewTrainer(g, 1, 2), 3)
		want := responses(t, g.Index, trainer.CurrentWeights())
		cards, hole := rules.NumSuits*rules.NumRanks, rules.NumHoleCards
		deals := float64(card.Combinations(cards, hole) * card.Combinations(cards-hole, hole))
		for p := range 2 {
			i := trainer.machine.(*cpu).iteration(trainer.dealer.deal(0), p, pcsgpu.Update{})
			won, lost := total(i.respond())/deals, total(i.learn())/deals
			if math.Abs(won-want[1-p]) > 1e-5*float64(rules.MaxBlind()) {
				t.Errorf("%s: the response to player %d wins %v chips, want %v", rules.Name, p+1, won, want[1-p])
			}
			if math.Abs(won+lost) > 1e-5*float64(rules.MaxBlind()) {
				t.Errorf("%s: the response to player %d wins %v chips, the player %v", rules.Name, p+1, won, lost)
			}
		}
	}
}

// The player meets the opponent in the trunk as it was before the unit, so that it has not learned
// from boards that are still to come.
func TestTrunkKnowsNoBoards(t *testing.T) {
	rules := oneRaise(t, 2, 3, 1, 1)
	g := layout(t, rules, lossless(rules))
	trainer := NewTrainer(g, 1, 2)
	c := trainer.machine.(*cpu)
	i := c.iteration(trainer.dealer.deal(0), 0, weights(1))
	i.respond()
	regrets, _ := c.trunkTable(0, 0)
	if !slices.ContainsFunc(regrets, func(r float32) bool { return r > 0 }) {
		t.Error("the opponent learns nothing")
	}
	part := &g.layout.Parts[0]
	for _, d := range part.Programs[1].Decisions {
		for row := range g.hands * int(d.Actions) {
			hand, action := row/int(d.Actions), row%int(d.Actions)
			p := i.table[0][(hand*part.Columns[1]+int(d.Column)+action)*part.Width]
			if math.Abs(float64(p)*float64(d.Actions)-1) > 1e-6 {
				t.Fatalf("hand %d plays action %d with %v, want 1/%d", hand, action, p, d.Actions)
			}
		}
	}
}

// A regret that is below zero remains there, so that what boards differ by does not add up.
func TestRegretsBelowZero(t *testing.T) {
	rules := oneRaise(t, 2, 3, 1, 1)
	g := layout(t, rules, abstraction.NewBoardless(rules))
	trainer := steps(NewTrainer(g, 1, 2), 20)
	for player := range 2 {
		for r := range g.layout.Parts {
			if regrets := trainer.machine.(*cpu).local.Rows(player, r).Regrets; slices.Min(regrets) >= 0 {
				t.Errorf("player %d has no regret below zero in round %d", player+1, r+1)
			}
		}
	}
}

// The k-th strategies have the weight k⁴, and a sum of a million of them loses next to nothing of what they add,
// however many hands of a bucket add to it.
func TestWeights(t *testing.T) {
	const hands = 1 << 16 // more than 1326 on each of 48 rivers
	sum, exact := float32(0), 0.0
	for k := uint64(1); k <= 1_000_000; k++ {
		u := weights(k)
		want := math.Pow(float64(k), 4)
		if u.Regret != 1 || u.Floor || math.Abs(float64(u.Sum)/want-1) > 1e-7 {
			t.Fatalf("weights of iteration %d: %+v, want 1 and %v", k, u, want)
		}
		sum += u.Sum * hands
		exact += want * hands
	}
	if math.Abs(float64(sum)/exact-1) > 1e-4 {
		t.Errorf("the sum of a million weights is %v, want %v", sum, exact)
	}
}

// Until the last iteration that is allowed, rounding hardly changes the average of a constant strategy,
// and no sum of hold'em overflows.
func TestWeightsOfMaxSteps(t *testing.T) {
	const hands = 1 << 16
	probabilities := []float32{0.017, 0.283, 0.7}
	sums := make([]float32, len(probabilities))
	for k := uint64(1); k <= pcs.MaxSteps; k++ {
		weight := weights(k).Sum * hands
		for a, p := range probabilities {
			sums[a] += weight * p
		}
	}
	for a, p := range probabilities {
		if got := float64(sums[a]) / total(sums); !(math.Abs(got-float64(p)) < 0.0002) {
			t.Errorf("an action of probability %v has %v in the average", p, got)
		}
	}
}

func total(values []float32) (sum float64) {
	for _, v := range values {
		sum += float64(v)
	}
	return sum
}

// The number of threads, and an interruption, change no bit.
func TestSameBits(t *testing.T) {
	for _, rules := range []*acpc.Game{oneRaise(t, 4, 3, 1, 1), pokertest.NoLimit(t, 12, 4, 3, 1, 1)} {
		sameBits(t, layout(t, rules, abstraction.NewBoardless(rules)))
	}
}

func sameBits(t *testing.T, g *Game) {
	t.Helper()
	want := stateOf(t, steps(NewTrainer(g, 7, 1), 6))
	first := steps(NewTrainer(g, 7, 3), 2)
	second := NewTrainer(g, 7, 2)
	if err := second.ReadState(bytes.NewReader(stateOf(t, first))); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(stateOf(t, steps(second, 4)), want) {
		t.Error("other bits after an interruption, with other numbers of threads")
	}
	if bytes.Equal(stateOf(t, steps(NewTrainer(g, 8, 1), 6)), want) {
		t.Error("another seed makes no difference")
	}
}

func stateOf(t testing.TB, trainer *Trainer) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := errors.Join(trainer.WriteState(&b), trainer.Err()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Games of one round are refused, and those that package pcs refuses.
func TestRefuses(t *testing.T) {
	for _, name := range []string{"kuhn", "kuhn-3p"} {
		rules := pokertest.Game(t, name)
		if _, err := New(index(rules, abstraction.NewBoardless(rules))); !errors.As(err, new(*segment.GameError)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
