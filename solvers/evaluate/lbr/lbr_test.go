package lbr

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/evaluate/bestresponse"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

func game(t testing.TB, name string) *acpc.Game {
	t.Helper()
	g, err := configs.Game(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func menu(t testing.TB, text string) Menu {
	t.Helper()
	m, err := ParseMenu(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// tiny is no-limit Leduc with stacks of five antes of a chip.
func tiny(t testing.TB) *acpc.Game {
	g := *game(t, "leduc-nolimit")
	g.Name = "leduc-tiny"
	for p := range 2 {
		g.Stack[p], g.Blind[p] = 5, 1
	}
	return &g
}

// trained returns a strategy after some iterations, or one by chance for none, and its value
// with exact best responses.
func trained(
	t testing.TB, g *acpc.Game, actions betting.Actions, iterations int,
) (*policy.Policy, publictree.Evaluation) {
	t.Helper()
	layout, err := publictree.Prepare(g, actions, abstraction.Lossless, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]float32, layout.Entries)
	if iterations == 0 {
		random := rand.New(rand.NewPCG(1, 0))
		for i := range weights {
			weights[i] = max(0, random.Float32()-0.2)
		}
	} else {
		trainer := cfr.NewTrainer(layout, cfr.Algorithms[0], 1)
		for range iterations {
			trainer.Step()
		}
		weights = trainer.Weights()
	}
	path := filepath.Join(t.TempDir(), "strategy")
	err = layout.Save(path, strategy.Meta{}, func(node int32, first, bucket int, row []float32) {
		for a := range row {
			row[a] = weights[first+a*layout.Buckets.NumBuckets(int(layout.Tree.Nodes[node].Round))+bucket]
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.Open(path, 1<<30, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p, publictree.NewEvaluator(layout, 1).Evaluate(weights)
}

// deals calls f with every deal of a game and its probability.
func deals(g *acpc.Game, f func(s acpc.State, p float64)) {
	var parts []int // the numbers of cards that are dealt together
	for range g.NumPlayers {
		parts = append(parts, g.NumHoleCards)
	}
	for r := range g.NumRounds {
		parts = append(parts, int(g.NumBoardCards[r]))
	}
	var deal func(cards []card.Card, used card.Set, part int, p float64)
	deal = func(cards []card.Card, used card.Set, part int, p float64) {
		if part == len(parts) {
			s := g.NewState(0)
			for i := range g.NumPlayers {
				copy(s.Holes[i][:], cards[i*g.NumHoleCards:][:g.NumHoleCards])
			}
			copy(s.Board[:], cards[g.NumPlayers*g.NumHoleCards:])
			f(s, p)
			return
		}
		ways := 0.0
		rest := slices.DeleteFunc(g.Deck(), used.Has)
		card.Subsets(rest, parts[part], func(card.Set) { ways++ })
		card.Subsets(rest, parts[part], func(set card.Set) {
			next := cards[:len(cards):len(cards)]
			for c := range set.All() {
				next = append(next, c)
			}
			deal(next, used|set, part+1, p/ways)
		})
	}
	deal(nil, 0, 0, 1)
}

// everything calls f with each way in which a hand may be played, and its probability.
func everything(
	t *testing.T, j *Judge, p belief.Player, s acpc.State, position int, f func(won, estimate, probability float64),
) {
	t.Helper()
	var script []int // index of each action to draw among the possible ones
	for {
		at, probability := 0, 1.0
		var ways []int
		h, estimate, err := j.play(t.Context(), p, s, position, func(by []float64) int {
			var possible []int
			for i, x := range by {
				if x > 0 {
					possible = append(possible, i)
				}
			}
			if at == len(script) {
				script = append(script, 0)
			}
			chosen := possible[script[at]]
			ways = append(ways, len(possible))
			probability *= by[chosen]
			at++
			return chosen
		})
		if err != nil {
			t.Fatal(err)
		}
		f(h.State.Value(position), estimate, probability)
		for at--; at >= 0 && script[at]+1 == ways[at]; at-- {
		}
		if at < 0 {
			return
		}
		script = script[:at+1]
		script[at]++
	}
}

// value returns the mean of what the response wins over all that can happen, by position,
// and of the estimates, with the variances.
func value(t *testing.T, j *Judge, p belief.Player) (won, estimated, luck, left [2]float64) {
	t.Helper()
	total := 0.0
	deals(j.game, func(s acpc.State, dealt float64) {
		for position := range 2 {
			everything(t, j, p, s, position, func(x, y, q float64) {
				q *= dealt
				total += q
				won[position] += q * x
				luck[position] += q * x * x
				estimated[position] += q * y
				left[position] += q * y * y
			})
		}
	})
	if math.Abs(total-2) > 1e-9 {
		t.Errorf("the probabilities sum to %v", total)
	}
	for i := range 2 {
		luck[i] -= won[i] * won[i]
		left[i] -= estimated[i] * estimated[i]
	}
	return won, estimated, luck, left
}

// In games that fit, the mean of the estimates over all that can happen is the mean of the
// winnings, with less variance, and the response wins no more than a best response. Where
// it has raises that the strategy does not know, that is a best response that has them, too,
// and both are translated as in play.
func TestBelowBestResponse(t *testing.T) {
	kuhn, leduc, noLimit, small := game(t, "kuhn"), game(t, "leduc"), game(t, "leduc-nolimit"), tiny(t)
	for _, test := range []struct {
		game       *acpc.Game
		actions    betting.Actions
		menu       string
		iterations int
	}{
		{kuhn, betting.Actions{}, "fc", 0},
		{kuhn, betting.Actions{}, "fcpa", 0},
		{kuhn, betting.Actions{}, "fcpa", 5},
		{leduc, betting.Actions{}, "fc", 0},
		{leduc, betting.Actions{}, "fcpa", 0},
		{leduc, betting.Actions{}, "fcpa", 10},
		{small, betting.Actions{}, "fcpa", 0},
		{small, betting.Actions{}, "56", 10},
		{noLimit, betting.FCPA, "fc", 10},
		{noLimit, betting.FCPA, "f,c,0.5,0.8,2", 10},
		{noLimit, betting.FCA, "56", 0},
	} {
		t.Run(fmt.Sprintf("%s, %s, %s after %d iterations", test.game.Name, test.menu, test.actions, test.iterations),
			func(t *testing.T) {
				p, exact := trained(t, test.game, test.actions, test.iterations)
				j, err := New(p.Tree.Game, Options{Menu: menu(t, test.menu)})
				if err != nil {
					t.Fatal(err)
				}
				won, estimated, luck, left := value(t, j, belief.NewStrategy(p.Index, belief.Played(p, nil)))
				best := exact.BestResponse
				if !test.actions.All() && test.menu != "fc" {
					s, err := bestresponse.Read(p, nil)
					if err != nil {
						t.Fatal(err)
					}
					r, err := bestresponse.NewWith(s, menu(t, test.menu).actions)
					if err != nil {
						t.Fatal(err)
					}
					both := answered(t, r)
					best = both[:]
				}
				for i := range 2 {
					t.Logf("position %d: %.4f, a best response %.4f, variance %.4f of %.4f", i+1, won[i],
						best[i], left[i], luck[i])
					if math.Abs(won[i]-estimated[i]) > 1e-9 || left[i] > luck[i] {
						t.Errorf("position %d: it wins %.12f, estimated %.12f, variance %.4f of %.4f", i+1, won[i],
							estimated[i], left[i], luck[i])
					}
					if won[i] > best[i]+1e-6 {
						t.Errorf("position %d: it wins %.12f, and a best response %.12f", i+1, won[i], best[i])
					}
				}
				if (won[0]+won[1])/2 <= 0 {
					t.Errorf("it wins %g and %g", won[0], won[1])
				}
			})
	}
}
