package poker

import (
	"math"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
)

// What package belief says of a strategy is what it plays, also after raises that it took for
// others, which it remembers: with each hand and in any style.
func TestPlaysAsHandStrategy(t *testing.T) {
	trained := trained(t, "leduc-nolimit", 20)
	g := trained.Tree.Game
	const players = 10_000
	for _, style := range []Style{{}, {Threshold: .3}} {
		strategy := belief.NewStrategy(trained.Index, belief.Played(trained, style.Apply))
		for hand, hole := range belief.Holes(g) {
			s := g.NewState(0)
			for c := range hole.All() {
				s.Holes[1][0] = c
			}
			s.Board[0] = card.New(12, 2) // a king
			if hole.Has(s.Board[0]) {
				continue
			}
			bots := make([]*PolicyPlayer, players) // those that came here
			for i := range bots {
				bots[i] = NewPolicyPlayer(trained, style, uint64(i))
			}
			for _, size := range []int32{230, 700} { // the other player's raise in each round
				s.Apply(acpc.Action{Type: acpc.Raise, Size: size})
				choices, err := strategy.Choices(t.Context(), &s)
				if err != nil {
					t.Fatal(err)
				}
				count := map[acpc.Action]int{}
				var called []*PolicyPlayer
				for _, bot := range bots {
					a, err := bot.ActOnState(t.Context(), &s)
					if err != nil {
						t.Fatal(err)
					}
					if count[a]++; a.Type == acpc.Call {
						called = append(called, bot)
					}
				}
				n, total := float64(len(bots)), 0
				for i, x := range choices.Of(hand) {
					a := choices.Actions[i]
					total += count[a]
					if got := float64(count[a]) / n; math.Abs(got-x) > 5*math.Sqrt(x*(1-x)/n)+1e-9 {
						t.Errorf("%+v, %v after a raise to %d: %v played %.4f of %g times, its probability is %.4f",
							style, hole, size, a, got, n, x)
					}
				}
				if total != len(bots) {
					t.Errorf("%+v, %v after a raise to %d: %d of %d bots play what is known", style, hole, size,
						total, len(bots))
				}
				if bots = called; len(bots) < 200 {
					break
				}
				s.Apply(acpc.Action{Type: acpc.Call})
			}
		}
	}
}

// So it is after a raise where the menu ends the raises: the strategy was ready to put in less, so the
// cards decide, with each hand in the same way as at the table.
func TestRaiseBeyondMenu(t *testing.T) {
	g := trained(t, "leduc-nolimit", 1).Tree.Game
	actions, err := train.Actions(g, "1/-")
	if err != nil {
		t.Fatal(err)
	}
	spec := train.Spec{GameSpec: policy.GameSpec{Game: g, Cards: "lossless", Actions: actions}}
	if spec.Algorithm, err = train.ParseAlgorithm("external(1)"); err != nil {
		t.Fatal(err)
	}
	p := trainedTo(t, spec, 100)
	known := belief.NewStrategy(p.Index, belief.Played(p, nil))
	for _, size := range []int32{600, 1200} {
		s := g.NewState(0)
		s.Apply(acpc.Action{Type: acpc.Raise, Size: 300})
		s.Apply(acpc.Action{Type: acpc.Raise, Size: size})
		count := map[acpc.Action]int{}
		for hand, hole := range belief.Holes(g) {
			for c := range hole.All() {
				s.Holes[0][0] = c
			}
			bot := NewPolicyPlayer(p, Style{}, 1)
			a, err := bot.ActOnState(t.Context(), &s)
			if err != nil {
				t.Fatal(err)
			}
			choices, err := known.Choices(t.Context(), &s)
			if err != nil {
				t.Fatal(err)
			}
			if k := slices.Index(choices.Actions, a); k < 0 || choices.Probability[k][hand] != 1 {
				t.Errorf("%v against %d: %v is played, and known is %v", hole, size, a, choices.Of(hand))
			}
			if bot.Counts().Unmapped != 1 {
				t.Errorf("%v against %d: %+v", hole, size, bot.Counts())
			}
			count[a]++
		}
		if count[acpc.Action{Type: acpc.Call}] == 0 || count[acpc.Action{Type: acpc.Fold}] == 0 {
			t.Errorf("against %d all hands play the same: %v", size, count)
		}
	}
}
