package poker

import (
	"math"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/evaluate/belief"
)

// What package belief says of a strategy is what it plays, also after raises that it took for
// others, which it remembers: with each hand and in any style.
func TestPlaysAsHandStrategy(t *testing.T) {
	policy := trained(t, "leduc-nolimit", 20)
	g := policy.Tree.Game
	const players = 10_000
	for _, style := range []Style{{}, {Threshold: .3}} {
		strategy := belief.NewStrategy(policy.Index, belief.Played(policy, style.Apply))
		for hand, hole := range belief.Holes(g) {
			s := g.NewState(0)
			for c := range hole.All() {
				s.Holes[1][0] = c
			}
			s.Board[0] = card.New(12, 2) // a king
			if hole.Has(s.Board[0]) {
				continue
			}
			bots := make([]*Strategy, players) // those that came here
			for i := range bots {
				bots[i] = NewStrategy(policy, style, uint64(i))
			}
			for _, size := range []int32{230, 700} { // the other player's raise in each round
				s.Apply(acpc.Action{Type: acpc.Raise, Size: size})
				choices, err := strategy.Choices(&s)
				if err != nil {
					t.Fatal(err)
				}
				count := map[acpc.Action]int{}
				var called []*Strategy
				for _, bot := range bots {
					a, err := bot.ActOnState(&s)
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
