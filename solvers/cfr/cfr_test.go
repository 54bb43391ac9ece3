package cfr

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/internal/vectors"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

const budget = 4 << 30

// prepared lays out a game.
func prepared(t testing.TB, g *acpc.Game, kind abstraction.Kind) *publictree.Layout {
	t.Helper()
	l, err := publictree.Prepare(g, betting.Actions{}, kind, budget)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// algorithm returns an algorithm by its name, with "/16" for 16-bit entries.
func algorithm(t testing.TB, name string) Algorithm {
	t.Helper()
	base, half := strings.CutSuffix(name, "/16")
	a, ok := AlgorithmByName(base)
	if !ok {
		t.Fatalf("no algorithm %q", name)
	}
	a.Quantized = half
	return a
}

// TestKnownValues checks the values of games that the literature states.
func TestKnownValues(t *testing.T) {
	for _, test := range []struct {
		game, algorithm string
		position        int
		value, within   float64
	}{
		{"kuhn", "cfr+", 0, -1. / 18, 1e-6},
		{"kuhn", "dcfr", 0, -1. / 18, 1e-5},
		{"kuhn", "linear", 0, -1. / 18, 1e-3},
		{"kuhn", "cfr", 0, -1. / 18, 1e-2},
		{"kuhn", "pcfr+", 0, -1. / 18, 1e-7},
		{"leduc", "cfr+", 0, -0.0856064, 3e-5},
		{"leduc", "dcfr", 0, -0.0856064, 1e-4},
		// In every equilibrium of the known family, Szafron et al., AAMAS 2013.
		{"kuhn-3p", "cfr+", 1, -1. / 48, 1e-4},
		{"kuhn-3p", "pcfr+", 1, -1. / 48, 1e-4},
	} {
		for _, kind := range []abstraction.Kind{abstraction.Lossless, abstraction.None} {
			l := prepared(t, pokertest.Game(t, test.game), kind)
			trainer := NewTrainer(l, algorithm(t, test.algorithm), 1)
			for range 1000 {
				trainer.Step()
			}
			e := publictree.NewEvaluator(l, 1).Evaluate(trainer.Weights())
			if got := e.Value[test.position]; math.Abs(got-test.value) > test.within {
				t.Errorf("%s, %v, %s: value %v of position %d, want %v", test.game, kind, test.algorithm,
					got, test.position, test.value)
			}
		}
	}
}

// TestConvergence compares the exploitability of Leduc with the figures that two
// independent programs measured with CFR+, and of other games and algorithms
// with rougher figures.
func TestConvergence(t *testing.T) {
	var (
		last    string
		l       *publictree.Layout
		trainer *Trainer
	)
	for _, test := range []struct {
		game, algorithm string
		iterations      uint64
		want, within    float64 // within is relative
	}{
		{"leduc", "cfr+", 10, .6104, 1e-3},
		{"leduc", "cfr+", 20, .17366, 1e-3},
		{"leduc", "cfr+", 50, .03412, 1e-3},
		{"leduc", "cfr+", 100, .013416, 1e-2},
		{"leduc", "cfr+", 200, .005026, .1},
		{"leduc", "cfr+", 500, .000952, .1},
		{"leduc", "cfr+", 1000, .000253, .1},
		{"leduc", "cfr", 100, .0957, .3},
		{"leduc", "cfr", 1000, .0118, .3},
		{"leduc", "dcfr", 500, 4.8e-4, .3},
		{"leduc", "dcfr", 1000, 2.31e-4, .3},
		{"leduc", "linear", 1000, 4.6e-3, .3},
		{"kuhn", "pcfr+", 100, 2.3e-5, .3},
		{"leduc", "pcfr+", 100, 1.99e-2, .3},
		{"leduc", "pcfr+", 1000, 7.2e-4, .3},
		{"rhode-island", "dcfr", 100, .088, .1},
	} {
		if training := test.game + " " + test.algorithm; training != last { // otherwise it goes on
			last = training
			l = prepared(t, pokertest.Game(t, test.game), abstraction.Lossless)
			trainer = NewTrainer(l, algorithm(t, test.algorithm), 2)
		}
		for trainer.Iterations() < test.iterations {
			trainer.Step()
		}
		got := publictree.NewEvaluator(l, 2).Evaluate(trainer.Weights()).Exploitability()
		if math.Abs(got-test.want) > test.within*test.want {
			t.Errorf("%s, %s: exploitability %v after %d iterations, want %v", test.game, test.algorithm,
				got, test.iterations, test.want)
		}
	}
}

// TestLosslessLosesNothing trains with and without joined cards.
func TestLosslessLosesNothing(t *testing.T) {
	for _, g := range []*acpc.Game{pokertest.SmallNoLimit(), pokertest.Game(t, "leduc")} {
		// The variants that tell regrets by their sign are chaotic where a
		// regret is nearly zero.
		var got [2]float64
		for i, kind := range []abstraction.Kind{abstraction.Lossless, abstraction.None} {
			l := prepared(t, g, kind)
			trainer := NewTrainer(l, algorithm(t, "cfr"), 1)
			for range 10 {
				trainer.Step()
			}
			got[i] = publictree.NewEvaluator(l, 1).Evaluate(trainer.Weights()).Exploitability()
		}
		if math.Abs(got[0]-got[1]) > 1e-4*got[1] {
			t.Errorf("%s: exploitability %v with joined cards, %v without", g.Name, got[0], got[1])
		}
	}
}

// TestSameBits trains with different numbers of threads, and without vector
// instructions.
func TestSameBits(t *testing.T) {
	for _, test := range []struct {
		game       *acpc.Game
		algorithm  string
		iterations int
	}{
		{pokertest.Game(t, "rhode-island"), "dcfr", 2}, {pokertest.TwoCards(), "dcfr", 5},
		{pokertest.Game(t, "leduc"), "dcfr", 30},
		{pokertest.TwoCards(), "pcfr+", 5}, {pokertest.Game(t, "leduc"), "pcfr+", 30},
	} {
		l := prepared(t, test.game, abstraction.Lossless)
		train := func(threads int) []float32 {
			trainer := NewTrainer(l, algorithm(t, test.algorithm), threads)
			for range test.iterations {
				trainer.Step()
			}
			return trainer.Weights()
		}
		want := train(1)
		for _, threads := range []int{2, 3, 8} {
			if !slices.Equal(train(threads), want) {
				t.Errorf("%s, %s: %d threads give other bits than 1", test.game.Name, test.algorithm, threads)
			}
		}
		vectors.Portably(func() {
			if !slices.Equal(train(2), want) {
				t.Errorf("%s, %s: the portable kernels give other bits", test.game.Name, test.algorithm)
			}
		})
	}
}

// TestTooLarge refuses games, with the sizes that are known.
func TestTooLarge(t *testing.T) {
	for _, test := range []struct {
		game string
		kind abstraction.Kind
		want string
	}{
		{"holdem-limit-2p", abstraction.Lossless, "1.38e+13 information sets, 3.59e+13 entries"},
		{"holdem-nolimit-2p", abstraction.Lossless, "betting sequences: with lossless cards these alone need"},
		{"leduc-nolimit", abstraction.Lossless, "betting sequences"},
		{"reis-d", abstraction.Lossless, "needs"},
		{"reis-b", abstraction.None, "needs"},
	} {
		_, err := publictree.Prepare(pokertest.Game(t, test.game), betting.Actions{}, test.kind, budget)
		var size *policy.SizeError
		if !errors.As(err, &size) {
			t.Errorf("%s: error %v", test.game, err)
			continue
		}
		if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.game, err, test.want)
		}
	}
}

// A refusal names no memory that would be enough: what was not counted needs more.
func TestTooManyToCount(t *testing.T) {
	e := &policy.SizeError{Spec: policy.GameSpec{Game: pokertest.Game(t, "leduc-nolimit"), Cards: "lossless"},
		Budget: budget}
	e.Size.Shape.Nodes = 3e7
	for bytes, want := range map[int64]string{
		budget: "leduc-nolimit has over 30000000 betting sequences, too many to count",
		2 * budget: "leduc-nolimit has over 30000000 betting sequences: with lossless cards these alone need " +
			"8 GiB of memory (0 information sets, 0 entries), 4 GiB are free",
	} {
		if e.Size.Bytes = bytes; e.Error() != want {
			t.Errorf("%d bytes: %v, want %s", bytes, e, want)
		}
	}
}

// TestPolicy saves a strategy and reads it back, whole and choice by choice.
func TestPolicy(t *testing.T) {
	g := pokertest.Game(t, "leduc")
	l := prepared(t, g, abstraction.Lossless)
	trainer := NewTrainer(l, algorithm(t, "cfr+"), 1)
	for range 100 {
		trainer.Step()
	}
	path := filepath.Join(t.TempDir(), "leduc.strategy")
	if err := trainer.Save(path, strategy.Meta{Seed: 7}); err != nil {
		t.Fatal(err)
	}
	p, err := policy.Open(path, budget, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if m := p.Meta(); m.Game != "leduc" || m.Iterations != 100 || m.Seed != 7 || m.Algorithm != "cfr+" {
		t.Errorf("meta %+v", m)
	}
	weights, err := p.Weights()
	if err != nil {
		t.Fatal(err)
	}
	e := publictree.NewEvaluator(l, 1)
	want, got := e.Evaluate(trainer.Weights()), e.Evaluate(weights)
	if math.Abs(got.Exploitability()-want.Exploitability()) > 1e-6 {
		t.Errorf("exploitability %v from the file, want %v", got, want)
	}

	// Every hand is asked once: the mean of what both positions choose gives
	// the value again.
	value := 0.0
	deck := g.Deck()
	for _, a := range deck {
		for _, b := range deck {
			for _, c := range deck {
				if a == b || b == c || a == c {
					continue
				}
				s := g.NewState(0)
				s.Holes[0][0], s.Holes[1][0], s.Board[0] = a, b, c
				value += expected(t, p, s) / 120
			}
		}
	}
	if math.Abs(value-want.Value[0]) > 1e-6 {
		t.Errorf("value %v by asking for every choice, want %v", value, want.Value[0])
	}
}

// expected returns position 0's mean winnings when a policy finishes the hand.
func expected(t *testing.T, p *policy.Policy, s acpc.State) float64 {
	if s.Finished() {
		return s.Value(0)
	}
	choices, err := p.Choices(nil, &s)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, c := range choices {
		next := s
		next.Apply(c.Action)
		sum += float64(c.Probability) * expected(t, p, next)
	}
	return sum
}

// A rounded strategy is the same but for steps of 1/255, in a smaller file.
func TestSaveRounded(t *testing.T) {
	p := noLimitPolicy(t) // whose information sets have two to four actions
	path := filepath.Join(t.TempDir(), "rounded")
	if err := p.SaveRounded(t.Context(), path, 8, p.Rounds()); err != nil {
		t.Fatal(err)
	}
	rounded, err := policy.Open(path, budget, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rounded.Close()
	want, err := p.Weights()
	if err != nil {
		t.Fatal(err)
	}
	got, err := rounded.Weights()
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if math.Abs(float64(got[i]-want[i])) > 1./255 {
			t.Fatalf("entry %d is %v, was %v", i, got[i], want[i])
		}
	}
	if m := rounded.Meta(); m.Bits != 8 || m.Game != p.Meta().Game || m.Iterations != p.Meta().Iterations {
		t.Errorf("meta %+v", m)
	}
	if err := rounded.SaveRounded(t.Context(), path, 9, p.Rounds()); err == nil {
		t.Error("9 bits were written")
	}
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	if err := p.SaveRounded(interrupted, path+"2", 8, p.Rounds()); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: error %v", err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("in the folder: %v, %v", left, err)
	}
}

// With one bit a strategy raises where its raises together are likelier than a fold and a call each.
func TestSaveOneBit(t *testing.T) {
	p := noLimitPolicy(t)
	path := filepath.Join(t.TempDir(), "rounded")
	if err := p.SaveRounded(t.Context(), path, 1, p.Rounds()); err != nil {
		t.Fatal(err)
	}
	rounded, err := policy.Open(path, budget, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rounded.Close()
	var played []acpc.Action
	for set, err := range rounded.All() {
		if err != nil {
			t.Fatal(err)
		}
		likeliest := slices.MaxFunc(set.Choices, func(a, b policy.Choice) int {
			return cmp.Compare(a.Probability, b.Probability)
		})
		played = append(played, likeliest.Action)
	}
	together, k := 0, 0 // sets in which no raise alone is the likeliest action
	for set, err := range p.All() {
		if err != nil {
			t.Fatal(err)
		}
		raises, largest, most := float32(0), float32(0), float32(0)
		for _, c := range set.Choices {
			if c.Action.Type == acpc.Raise {
				raises, largest = raises+c.Probability, max(largest, c.Probability)
			} else {
				most = max(most, c.Probability)
			}
		}
		if got := played[k].Type == acpc.Raise; got != (raises > most) {
			t.Fatalf("after %s %v is played, of %v", set.Betting, played[k], set.Choices)
		}
		if raises > most && largest <= most {
			together++
		}
		k++
	}
	if together == 0 {
		t.Error("no set has raises that are likely only together")
	}
}

// A strategy that is cut off after a round plays the same up to there, is refused where all of
// it is needed, and cannot get back what it lost.
func TestSaveRounds(t *testing.T) {
	p := noLimitPolicy(t)
	path := filepath.Join(t.TempDir(), "cut")
	if err := p.SaveRounded(t.Context(), path, 8, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := policy.Open(path, budget, nil); !errors.As(err, new(*policy.CutError)) {
		t.Errorf("opened: %v", err)
	}
	cut, err := policy.OpenPart(path, budget, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer cut.Close()
	if cut.Rounds() != 1 || cut.Meta().Rounds != 1 || p.Rounds() != 2 || p.Meta().Rounds != 0 {
		t.Errorf("%d and %d rounds", cut.Rounds(), p.Rounds())
	}
	for _, load := range []bool{false, true} {
		if load {
			if err := cut.Load(budget); err != nil {
				t.Fatal(err)
			}
		}
		for i, n := range p.Tree.Nodes {
			if n.Kind != betting.Decision {
				continue
			}
			got, err := cut.ChoicesAt(nil, int32(i), 1)
			if n.Round > 0 {
				if !errors.As(err, new(*policy.CutError)) {
					t.Fatalf("decision %d of the second round: %v, %v", i, got, err)
				}
				continue
			}
			want, wrong := p.ChoicesAt(nil, int32(i), 1)
			if err != nil || wrong != nil {
				t.Fatal(err, wrong)
			}
			for a := range want {
				if got[a].Action != want[a].Action ||
					math.Abs(float64(got[a].Probability-want[a].Probability)) > 1./255 {
					t.Errorf("decision %d: %v, want %v", i, got, want)
				}
			}
		}
	}
	_, weights := cut.Weights()
	again := cut.SaveRounded(t.Context(), path, 8, 2)
	for _, err := range []error{weights, again} {
		if !errors.As(err, new(*policy.CutError)) {
			t.Errorf("error %v", err)
		}
	}
}

func TestPolicyRefuses(t *testing.T) {
	folder := t.TempDir()
	l := prepared(t, pokertest.Game(t, "kuhn"), abstraction.Lossless)
	good := filepath.Join(folder, "kuhn.strategy")
	if err := NewTrainer(l, Algorithms[0], 1).Save(good, strategy.Meta{}); err != nil {
		t.Fatal(err)
	}
	write := func(name string, m strategy.Meta, n uint64) string {
		path := filepath.Join(folder, name)
		err := strategy.Write(path, m, n, func(dst []float32, _ uint64) error { clear(dst); return nil })
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := l.Tree.Game.String()
	for _, test := range []struct{ path, want string }{
		{write("short", strategy.Meta{GameText: text, Abstraction: "lossless"}, 10), "10 probabilities"},
		{write("kind", strategy.Meta{GameText: text, Abstraction: "fine"}, 64), "fine"},
		{write("game", strategy.Meta{GameText: "limit\n", Abstraction: "none"}, 64), "invalid number of rounds"},
		{filepath.Join(folder, "none"), "no such file"},
	} {
		if _, err := policy.Open(test.path, budget, nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one of %q", filepath.Base(test.path), err, test.want)
		}
	}
	if _, err := policy.Open(good, 1000, nil); !errors.As(err, new(*policy.SizeError)) {
		t.Errorf("with 1000 bytes: error %v", err)
	}

	p, err := policy.Open(good, budget, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	s := p.Tree.Game.NewState(0)
	if _, err := p.Choices(nil, &s); !errors.Is(err, policy.ErrOffTree) {
		t.Errorf("cards of no deck: error %v", err)
	}
	other := pokertest.Game(t, "leduc").NewState(0)
	for range 3 {
		other.Apply(acpc.Action{Type: acpc.Call})
	}
	if _, err := p.Choices(nil, &other); !errors.Is(err, policy.ErrOffTree) {
		t.Errorf("betting of another game: error %v", err)
	}
}

// TestFits counts the arrays of algorithms beside regrets and sums.
func TestFits(t *testing.T) {
	l := prepared(t, pokertest.Game(t, "leduc"), abstraction.Lossless)
	enough := publictree.Measure(l.Tree.Game, l.Tree.Shape, l.Cards.Kind).Bytes
	for name, bytes := range map[string]int{"cfr+": 0, "pcfr+": 4} {
		need := enough + int64(bytes*l.Entries)
		if err := algorithm(t, name).Fits(l, need); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := algorithm(t, name).Fits(l, need-1); !errors.As(err, new(*policy.SizeError)) {
			t.Errorf("%s: error %v with a byte less than it needs", name, err)
		}
	}
}

// Numbers of 16 bits train almost as well for a while, go from checkpoint to
// checkpoint, and are the same for any number of threads.
func TestHalf(t *testing.T) {
	l := prepared(t, pokertest.Game(t, "leduc"), abstraction.Lossless)
	trained := func(name string, threads int) *Trainer {
		trainer := NewTrainer(l, algorithm(t, name), threads)
		for range 1000 {
			trainer.Step()
		}
		return trainer
	}
	e := publictree.NewEvaluator(l, 1)
	for _, name := range []string{"dcfr", "pcfr+", "linear", "cfr"} {
		half := trained(name+"/16", 1)
		if x, y := e.Evaluate(half.Weights()).Exploitability(),
			e.Evaluate(trained(name, 1).Weights()).Exploitability(); x > 1.1*y+1e-4 {
			t.Errorf("%s: exploitability %v in 16 bits, %v in 32", name, x, y)
		}
		var state, threads bytes.Buffer
		if err := errors.Join(half.WriteState(&state), trained(name+"/16", 3).WriteState(&threads)); err != nil ||
			!bytes.Equal(state.Bytes(), threads.Bytes()) {
			t.Errorf("%s: three threads made another state: %v", name, err)
		}
		again := NewTrainer(l, half.Algorithm, 1)
		if err := again.ReadState(&threads); err != nil || !slices.Equal(again.Weights(), half.Weights()) {
			t.Errorf("%s: the state was read as another: %v", name, err)
		}
	}
}

func ExampleTrainer() {
	_, text, _ := configs.GameText("kuhn")
	game, _ := acpc.ParseGame("kuhn", text)
	layout, err := publictree.Prepare(game, betting.Actions{}, abstraction.Lossless, 1<<30)
	if err != nil {
		fmt.Println(err)
		return
	}
	trainer := NewTrainer(layout, Algorithms[0], 1)
	for range 1000 {
		trainer.Step()
	}
	e := publictree.NewEvaluator(layout, 1).Evaluate(trainer.Weights())
	fmt.Printf("the first player wins %.3f chips a hand\n", e.Value[0])
	// Output: the first player wins -0.056 chips a hand
}
