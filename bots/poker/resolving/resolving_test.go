package resolving

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/dealer"
	"gamebots/bots/poker"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/cfrtest"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
)

// trained returns the strategy of a game after some iterations.
func trained(t *testing.T, game string, iterations int) *policy.Policy {
	return cfrtest.Trained(t, game, "fcpa", cfr.Algorithms[1], iterations)
}

func opponent(t *testing.T, kind string, seed uint64) acpc.Player {
	t.Helper()
	p, err := poker.NewOpponent(kind, seed)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Last rounds that are solved are played legally to the end, and only they are solved.
func TestStrategySolves(t *testing.T) {
	for _, game := range []string{"leduc", "leduc-nolimit"} {
		p := trained(t, game, 20)
		g := p.Tree.Game
		player, err := New(p, poker.Style{}, 1, Options{Options: resolve.Options{Iterations: 20}})
		if err != nil {
			t.Fatal(err)
		}
		last := 0
		m := dealer.Match{Game: g, Hands: 200, Seed: 3, Names: []string{"a", "b"}}
		_, err = m.Play(t.Context(), []acpc.Player{player, opponent(t, "random", 2)}, func(s *acpc.State) error {
			seat := m.Position(s.HandID, 0)
			replayed := g.NewState(s.HandID)
			for r := range s.Round() + 1 {
				for _, a := range s.Actions(r) {
					if r == g.NumRounds-1 && replayed.Actor() == seat {
						last++
					}
					replayed.Apply(a)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if c := player.Counts(); c.Solved == 0 || c.Solved > last || game == "leduc" && c.Solved != last {
			t.Errorf("%s: %+v, with %d decisions in last rounds", game, c, last)
		}
	}
}

// Among five others of its strategy a player solves rivers to which it comes with one of them, and all else that they
// do is the same as without.
func TestSolvesAmongSix(t *testing.T) {
	p, err := policy.Open("../../../configs/strategies/holdem-nolimit-6p.strategy", memory.Available(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	plain := poker.NewPolicyPlayer(p, poker.Style{}, 1)
	solver, err := New(p, poker.Style{}, 1, Options{Options: resolve.Options{Iterations: 2}})
	if err != nil {
		t.Fatal(err)
	}
	play := func(first acpc.Player) (hands []string, rivers []bool) {
		m := dealer.Match{Game: p.Tree.Game, Hands: 60, Seed: 1, Names: []string{"a", "b", "c", "d", "e", "f"}}
		players := []acpc.Player{first, plain, plain, plain, plain, plain}
		_, err := m.Play(t.Context(), players, func(s *acpc.State) error {
			folded := 0 // before the river
			for r := range resolve.River {
				for _, a := range s.Actions(r) {
					if a.Type == acpc.Fold {
						folded++
					}
				}
			}
			hands = append(hands, string(m.AppendHand(nil, s)))
			rivers = append(rivers, folded == 4 && len(s.Actions(resolve.River)) > 0)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return hands, rivers
	}
	want, rivers := play(plain)
	got, _ := play(solver)
	differ := 0
	for i := range want {
		if got[i] == want[i] {
			continue
		}
		if differ++; !rivers[i] {
			t.Errorf("played %q, and %q without solving", got[i], want[i])
		}
	}
	if c := solver.Counts(); c.Solved < 3 || differ == 0 {
		t.Errorf("%d hands are played in another way: %+v", differ, c)
	}
}

// raiser makes raises before the flop that strategies lack, and calls.
type raiser struct{ raises int }

func (r *raiser) Act(_ context.Context, s *acpc.MatchState) (acpc.Action, error) {
	sizes := []float64{2.2, 2.7, 3.3, 5, 9}
	size := sizes[r.raises%len(sizes)] * float64(s.MaxSpent())
	a, legal := s.Fix(acpc.Action{Type: acpc.Raise, Size: int32(size)})
	if legal && s.Round() == 0 && s.NumRaises() < 4 {
		r.raises++
		return a, nil
	}
	return acpc.Action{Type: acpc.Call}, nil
}

// Before the flop a bot that solves translates no raise.
func TestTranslatesNothingBeforeTheFlop(t *testing.T) {
	p, err := policy.Open("../../../configs/strategies/holdem-nolimit-2p.strategy", memory.Available(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for iterations, want := range []bool{true, false} { // times 20
		solving := Options{Options: resolve.Options{Iterations: uint64(20 * iterations)}}
		player, err := New(p, poker.Style{Purify: true}, 1, solving)
		if err != nil {
			t.Fatal(err)
		}
		var translated, solved int
		player.OnDecision = func(d poker.Decision) {
			switch {
			case d.Round > 0:
			case d.How == poker.Solved:
				solved++
			case d.How != poker.Known:
				translated++
			}
		}
		m := dealer.Match{Game: p.Tree.Game, Hands: 20, Seed: 1, Names: []string{"a", "b"}}
		if _, err := m.Play(t.Context(), []acpc.Player{player, &raiser{}}, nil); err != nil {
			t.Fatal(err)
		}
		if (translated > 0) != want || (solved == 0) != want {
			t.Errorf("with %d iterations %d decisions are translated, %d solved", 20*iterations, translated, solved)
		}
	}
}

// A player without time to solve plays its strategy, and counts these decisions.
func TestStrategyIsLate(t *testing.T) {
	p, err := policy.Open("../../../configs/strategies/holdem-nolimit-2p.strategy", memory.Available(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	play := func(player acpc.Player) (hands []string, actions [acpc.MaxRounds]int) {
		m := dealer.Match{Game: p.Tree.Game, Hands: 12, Seed: 1, Names: []string{"a", "b"}}
		_, err := m.Play(t.Context(), []acpc.Player{player, opponent(t, "call", 2)}, func(s *acpc.State) error {
			hands = append(hands, string(m.AppendHand(nil, s)))
			for r := resolve.Flop; r <= resolve.River; r++ {
				actions[r] += len(s.Actions(r))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return hands, actions
	}
	want, _ := play(poker.NewPolicyPlayer(p, poker.Style{}, 1))
	for from := resolve.Flop; from <= resolve.Turn; from++ {
		late, err := New(p, poker.Style{}, 1, Options{
			Options: resolve.Options{Iterations: 100, From: from, Threads: 1}, TimeLimits: poker.TimeLimits{Time: 1},
		})
		if err != nil {
			t.Fatal(err)
		}
		got, actions := play(late)
		if !slices.Equal(got, want) {
			t.Errorf("from round %d on: played %q, and %q without solving", from, got, want)
		}
		all := 0
		for _, n := range actions[from:] {
			all += n
		}
		if c := late.Counts(); all == 0 || c.Late == 0 || c.Late > all || c.Solved > 0 {
			t.Errorf("%+v with %d actions from round %d on", c, all, from)
		}
	}
}

// A player without time to solve a round that its strategy lacks looks at its cards: it calls no bet with
// hands that win nothing from it.
func TestCutStrategyIsLate(t *testing.T) {
	p, err := policy.Open("../../../configs/strategies/holdem-nolimit-2p.strategy", memory.Available(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	file := filepath.Join(t.TempDir(), "cut.strategy")
	if err := p.SaveRounded(t.Context(), file, 8, resolve.Turn); err != nil {
		t.Fatal(err)
	}
	cut, err := policy.OpenPart(file, memory.Available(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer cut.Close()
	late, err := New(cut, poker.Style{}, 1, Options{
		Options:    resolve.Options{Iterations: 100, From: resolve.Turn, Threads: 1},
		TimeLimits: poker.TimeLimits{Time: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ state, want string }{
		{"MATCHSTATE:1:4:cc/cc/r20000:|2s3h/8sQhKs/Qd", "f"},
		{"MATCHSTATE:1:5:cc/cc/r20000:|QsQc/8sQhKs/Qd", "c"},
		{"MATCHSTATE:1:6:cc/cc/cc/r20000:|2s3h/8sQhKs/Qd/9c", "f"},
		{"MATCHSTATE:1:7:cc/cc/c:|2s3h/8sQhKs/Qd", "c"},
	} {
		m, _, err := p.Tree.Game.ParseMatchState(test.state)
		if err != nil {
			t.Fatal(err)
		}
		a, err := late.Act(t.Context(), &m)
		if err != nil {
			t.Fatal(err)
		}
		if a.String() != test.want {
			t.Errorf("%s: %v", test.state, a)
		}
	}
	if c := late.Counts(); c.Late != 4 || c.Unmapped != 4 {
		t.Errorf("%+v", c)
	}
}

// A strategy may lack the rounds that are solved, but after a solved flop it goes on.
func TestRoundsOfStrategy(t *testing.T) {
	g, err := configs.Game("holdem-nolimit-2p")
	if err != nil {
		t.Fatal(err)
	}
	for from, least := range map[int]int{resolve.Flop: 4, resolve.Turn: 2, resolve.River: 3} {
		o := resolve.Options{Iterations: 100, From: from}
		if err := o.Check(g, least); err != nil {
			t.Errorf("from round %d on, with %d rounds: %v", from, least, err)
		}
		if err := o.Check(g, least-1); !errors.As(err, new(*policy.CutError)) {
			t.Errorf("from round %d on, with %d rounds: error %v", from, least-1, err)
		}
	}
	if g, err = configs.Game("holdem-nolimit-6p"); err != nil {
		t.Fatal(err)
	}
	o := resolve.Options{Iterations: 100, From: resolve.Turn} // more than two may come to a turn
	if err := o.Check(g, 4); err != nil {
		t.Errorf("turns of six players: error %v", err)
	}
	if err := o.Check(g, 3); !errors.As(err, new(*policy.CutError)) {
		t.Errorf("six players without a river: error %v", err)
	}
	o.From = resolve.Flop
	if err := o.Check(g, 4); !errors.As(err, new(*resolve.GameError)) {
		t.Errorf("flops of six players: error %v", err)
	}
	if g, err = configs.Game("holdem-limit-2p"); err != nil {
		t.Fatal(err)
	}
	o = resolve.Options{Iterations: 100}
	if err := o.Check(g, resolve.River); !errors.As(err, new(*policy.CutError)) {
		t.Errorf("limit hold'em without a river: error %v", err)
	}
}

// What package belief says of a strategy that solves the last round in play is what it plays, with the
// hands that it may hold there.
func TestSolvedAsHandStrategy(t *testing.T) {
	policy := trained(t, "leduc", 5)
	const threshold = .3
	bot, err := New(policy, poker.Style{Threshold: threshold}, 1, Options{Options: resolve.Options{Iterations: 30}})
	if err != nil {
		t.Fatal(err)
	}
	strategy := bot.HandStrategy()
	s := policy.Tree.Game.NewState(0)
	s.Board[0] = card.New(12, 2) // an ace
	for _, a := range []acpc.ActionType{acpc.Raise, acpc.Call, acpc.Raise} {
		s.Apply(acpc.Action{Type: a})
	}
	const actions = 10_000
	solved := 0
	for hand, hole := range belief.Holes(policy.Tree.Game) {
		if hole.Has(s.Board[0]) {
			continue
		}
		for c := range hole.All() {
			s.Holes[s.Actor()][0] = c
		}
		choices, err := strategy.Choices(t.Context(), &s)
		if err != nil {
			t.Fatal(err)
		}
		before := bot.Counts().Solved
		count := map[acpc.Action]float64{}
		for range actions {
			a, err := bot.ActOnState(t.Context(), &s)
			if err != nil {
				t.Fatal(err)
			}
			count[a]++
		}
		if bot.Counts().Solved > before {
			solved++
		}
		for i, x := range choices.Of(hand) {
			a := choices.Actions[i]
			if x > 0 && x < threshold {
				t.Errorf("%v: %v has probability %g, below the threshold", hole, a, x)
			}
			if got := count[a] / actions; math.Abs(got-x) > 5*math.Sqrt(x*(1-x)/actions)+1e-9 {
				t.Errorf("%v: %v played %.4f of the time, its probability is %.4f", hole, a, got, x)
			}
		}
	}
	if solved == 0 {
		t.Error("nothing was solved")
	}
}
