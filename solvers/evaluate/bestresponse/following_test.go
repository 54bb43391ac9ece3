package bestresponse

import (
	"math"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
)

// rounds returns those of a mask.
func rounds(mask int) (of [acpc.MaxRounds]bool) {
	for r := range of {
		of[r] = mask>>r&1 > 0
	}
	return of
}

// Who may deviate in more rounds wins no less; who may deviate in all wins what a best response does, and who always
// follows the strategy what the strategy does. What is won by line of the first round adds up to the whole.
func TestFollowing(t *testing.T) {
	for g, raises := range map[*acpc.Game]string{
		pokertest.Game(t, "kuhn"): "all", pokertest.Game(t, "leduc"): "all", pokertest.Holdem(t, 4, 2, 1, 1, 1): "all",
		pokertest.NoLimit(t, 20, 4, 3, 1, 1): "1,a/a",
	} {
		l := layoutWith(t, g, parse(t, raises), abstraction.Lossless)
		weights := randomWeights(l, 4)
		s := fromWeights(t, l.Index, weights)
		own := publictree.NewEvaluator(l, 2).Evaluate(weights).Value
		all, near := 1<<g.NumRounds-1, 1e-6*float64(g.Stack[0])
		best := make([][2]float64, all+1)
		for follow := range best {
			r := NewFollowing(s, rounds(follow))
			parts := collect(t, r, func(parts []int, take func(int, PartValues) error) error {
				return r.Value(t.Context(), parts, 2, take)
			})
			best[follow] = r.Total(parts)
			var sum Sum
			r.Extend(&sum, parts)
			lines, total := r.Lines(sum), 0.0
			for _, line := range lines {
				if total += line.Won; follow == all && math.Abs(line.Won) > near {
					t.Errorf("%s: who follows the strategy wins %v after %s", g.Name, line.Won, line.Betting)
				}
			}
			mean := (best[follow][0] + best[follow][1]) / 2
			first := follow&1 > 0 && g.NumRounds > 1
			if first != (lines != nil) || first && math.Abs(total-mean) > near {
				t.Errorf("%s, following in %b: %v by line, %v in all", g.Name, follow, total, mean)
			}
			for p, x := range best[follow] {
				for r := range g.NumRounds {
					if less := follow &^ (1 << r); x > best[less][p]+near {
						t.Errorf("%s: %v following in %b, %v in %b", g.Name, x, follow, best[less][p], less)
					}
				}
			}
		}
		if exact := exact(t, s, 1); best[0] != exact {
			t.Errorf("%s: %v, want %v", g.Name, best[0], exact)
		}
		for p, x := range best[all] {
			if math.Abs(x-own[p]) > near {
				t.Errorf("%s: who follows the strategy wins %v, want %v", g.Name, x, own[p])
			}
		}
	}
}

// A walk through all hands finds what is won by responses that follow a simple player in some rounds.
func TestFollowingWalk(t *testing.T) {
	g := pokertest.NoLimit(t, 200, 2, 3, 1, 1)
	tree := betting.NewTree(g, parse(t, "1,a/a").ShapeOf(g, 1<<20))
	s, err := PlainStrategy(policy.PlainHalf, tree)
	if err != nil {
		t.Fatal(err)
	}
	for follow := range 8 {
		best, err := NewFollowing(s, rounds(follow)).Exact(t.Context(), 2)
		if err != nil {
			t.Fatal(err)
		}
		for p, x := range best {
			want, hands := 0.0, 0
			card.Subsets(g.Deck(), g.NumHoleCards, func(own card.Set) {
				w := &walker{tree, policy.PlainHalf, p, own, rounds(follow), map[card.Set][3]int{}}
				want += w.value(0, 0)
				hands++
			})
			if want /= float64(hands); math.Abs(x-want) > 1e-6*float64(g.Stack[0]) {
				t.Errorf("following in %b, position %d: %v, want %v", follow, p+1, x, want)
			}
		}
	}
}
