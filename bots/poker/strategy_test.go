package poker

import (
	"errors"
	"math"
	"path/filepath"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/cfrtest"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// trained returns a strategy of a shipped game after some iterations of CFR+.
func trained(t *testing.T, game string, iterations int) *policy.Policy {
	return cfrtest.Trained(t, game, "fcpa", cfr.Algorithms[1], iterations)
}

// trainedTo returns the strategy of some iterations of a training.
func trainedTo(t *testing.T, spec train.Spec, iterations uint64) *policy.Policy {
	t.Helper()
	training, err := train.Open(spec, train.Options{Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	for training.Iterations() < iterations {
		training.Step()
	}
	path := filepath.Join(t.TempDir(), "strategy")
	if err := training.Save(path, strategy.Meta{}); err != nil {
		t.Fatal(err)
	}
	return open(t, path)
}

// open opens the strategy of a file for the length of a test.
func open(t *testing.T, path string) *policy.Policy {
	t.Helper()
	p, err := policy.Open(path, 1<<30, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// TestStrategyWins plays duplicate matches of Leduc in process: the equilibrium
// must win from every plain opponent, well beyond chance.
func TestStrategyWins(t *testing.T) {
	p := trained(t, "leduc", 1000)
	for _, kind := range Opponents() {
		const hands = 4000
		var won [hands]float64
		for seat := range 2 {
			opponent, err := NewOpponent(kind, 5)
			if err != nil {
				t.Fatal(err)
			}
			players := []acpc.Player{opponent, opponent}
			players[seat] = NewPolicyPlayer(p, Style{}, 9)
			m := dealer.Match{Game: p.Tree.Game, Hands: hands, Seed: 3, Names: []string{"a", "b"}}
			_, err = m.Play(t.Context(), players, func(s *acpc.State) error {
				won[s.HandID] += s.Value(m.Position(s.HandID, seat)) / 2
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		mean, square := 0.0, 0.0
		for _, x := range won {
			mean += x / hands
			square += x * x / hands
		}
		if standardError := math.Sqrt((square - mean*mean) / hands); mean < 4*standardError {
			t.Errorf("%s: %.3f chips a hand, standard error %.3f", kind, mean, standardError)
		}
	}
}

// TestStrategySamples counts the actions in one situation.
func TestStrategySamples(t *testing.T) {
	strat := trained(t, "kuhn", 300)
	s := strat.Tree.Game.NewState(0)
	acpc.NewShuffler(4).Deal(&s)
	choices, err := strat.Choices(nil, &s)
	if err != nil {
		t.Fatal(err)
	}
	view := s.View(0)
	p := NewPolicyPlayer(strat, Style{}, 1)
	const n = 20_000
	count := map[acpc.Action]int{}
	for range n {
		a, err := p.Act(t.Context(), &view)
		if err != nil {
			t.Fatal(err)
		}
		count[a]++
	}
	for _, c := range choices {
		x := float64(c.Probability)
		if got := float64(count[c.Action]) / n; math.Abs(got-x) > 5*math.Sqrt(x*(1-x)/n) {
			t.Errorf("%v played %.4f of the time, its probability is %.4f", c.Action, got, x)
		}
	}
}

func TestStyle(t *testing.T) {
	for _, test := range []struct {
		style Style
		want  [3]float32
	}{
		{Style{}, [3]float32{.1, .3, .6}},
		{Style{Threshold: .2}, [3]float32{0, .3, .6}},
		{Style{Threshold: .9}, [3]float32{0, 0, .6}},
		{Style{Threshold: .2, Purify: true}, [3]float32{0, .3, .6}},
		{Style{Purify: true}, [3]float32{0, 0, .6}},
	} {
		choices := []policy.Choice{{Probability: .1}, {Probability: .3}, {Probability: .6}}
		test.style.Apply(choices)
		for i, c := range choices {
			if c.Probability != test.want[i] {
				t.Errorf("%+v: choice %d has %v, want %v", test.style, i, c.Probability, test.want[i])
			}
		}
	}
}

func TestDraw(t *testing.T) {
	fold, call, raise := acpc.Action{Type: acpc.Fold}, acpc.Action{Type: acpc.Call}, acpc.Action{Type: acpc.Raise}
	choices := []policy.Choice{{Action: fold, Probability: .5}, {Action: call}, {Action: raise, Probability: .25}}
	for _, test := range []struct {
		x    float64
		want acpc.Action
	}{{0, fold}, {.66, fold}, {.67, raise}, {1, raise}} {
		if got := Draw(choices, test.x); got != test.want {
			t.Errorf("at %v: %v, want %v", test.x, got, test.want)
		}
	}
}

func TestStrategyOffTree(t *testing.T) {
	p := trained(t, "kuhn", 1)
	_, text, _ := configs.GameText("leduc")
	leduc, _ := acpc.ParseGame("leduc", text)
	s := leduc.NewState(8)
	acpc.NewShuffler(1).Deal(&s)
	for range 2 {
		s.Apply(acpc.Action{Type: acpc.Call})
	}
	view := s.View(0)
	if _, err := NewPolicyPlayer(p, Style{}, 1).Act(t.Context(), &view); !errors.Is(err, policy.ErrOffTree) {
		t.Errorf("error %v, want %v", err, policy.ErrOffTree)
	}
}

// A raise that the strategy does not know is taken for the same one at every
// decision of a hand, reported and counted; and later actions are legal.
func TestStrategyLeavesTree(t *testing.T) {
	p := trained(t, "leduc-nolimit", 20)
	g := p.Tree.Game
	player := NewPolicyPlayer(p, Style{}, 1)
	var got DecisionCounts
	player.OnDecision = func(d Decision) {
		got.add(&d)
		if (d.How == Known) != (d.Raises == 0) {
			t.Errorf("%+v", d)
		}
	}
	opponent := newOpponent(t, "random", 2)
	for hand := range uint32(500) {
		s := g.NewState(hand)
		acpc.NewShuffler(hand).Deal(&s)
		for !s.Finished() {
			view := s.View(s.Actor())
			mover := acpc.Player(player)
			if view.Viewer == int(hand)%2 {
				mover = opponent
			}
			a, err := mover.Act(t.Context(), &view)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Check(a); err != nil {
				t.Fatalf("%v: %v", &s, err)
			}
			s.Apply(a)
		}
	}
	count := player.Counts()
	if count != got || got.Translated == 0 || got.Unmapped == 0 || count.Decisions <= got.Translated+got.Unmapped {
		t.Errorf("counted %+v, reported %+v", count, got)
	}
}
