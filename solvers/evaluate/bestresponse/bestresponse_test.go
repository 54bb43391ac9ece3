package bestresponse

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gamebots/acpc"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
)

func layoutOf(t testing.TB, g *acpc.Game, kind abstraction.Kind) *publictree.Layout {
	t.Helper()
	return layoutWith(t, g, betting.Actions{}, kind)
}

func layoutWith(t testing.TB, g *acpc.Game, raises betting.Actions, kind abstraction.Kind) *publictree.Layout {
	t.Helper()
	l, err := publictree.Prepare(g, raises, kind, 8<<30)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// randomWeights are weights of which some are 0.
func randomWeights(l *publictree.Layout, seed uint64) []float32 {
	random := rand.New(rand.NewPCG(seed, 2))
	weights := make([]float32, l.Entries)
	for i := range weights {
		weights[i] = max(0, random.Float32()-.3)
	}
	return weights
}

func exact(t testing.TB, s *Strategy, threads int) [2]float64 {
	t.Helper()
	best, err := New(s).Exact(context.Background(), threads)
	if err != nil {
		t.Fatal(err)
	}
	return best
}

var flopRanks = flag.Int("flop-ranks", 5,
	"the ranks of flop hold'em that is compared with the evaluator; 13 take 10 GB")

// flopHoldem is flop hold'em with a smaller deck.
func flopHoldem(t testing.TB) *acpc.Game {
	t.Helper()
	g := *pokertest.Game(t, "holdem-limit-flop")
	g.NumRanks = *flopRanks
	return &g
}

// The best response by boards is that of the evaluator that has all boards in memory.
func TestEqualsEvaluator(t *testing.T) {
	games := []*acpc.Game{pokertest.Game(t, "kuhn"), pokertest.Game(t, "leduc"), pokertest.Holdem(t, 4, 2, 2),
		pokertest.Holdem(t, 3, 3, 1, 1), pokertest.Holdem(t, 4, 2, 1, 1, 1), pokertest.Game(t, "rhode-island")}
	if !testing.Short() {
		twenty := pokertest.Holdem(t, 4, 5, 3, 1)
		twenty.MaxRaises = [acpc.MaxRounds]uint8{1, 1, 1} // less work
		games = append(games, pokertest.Holdem(t, 4, 3, 3, 1, 1), flopHoldem(t), twenty)
	}
	for _, g := range games {
		for _, kind := range []abstraction.Kind{abstraction.Lossless, abstraction.None} {
			if kind == abstraction.None && (g.NumRounds > 3 || g.NumSuits*g.NumRanks > 9) {
				continue
			}
			t.Run(fmt.Sprintf("%s %v", g.Name, kind), func(t *testing.T) { equalsEvaluator(t, layoutOf(t, g, kind)) })
		}
	}
}

// equalsEvaluator compares with the evaluator to a millionth of the largest blind, or of the value where that is more:
// with deep stacks single values are large, and those of the last round have 24 bits.
func equalsEvaluator(t *testing.T, l *publictree.Layout) {
	t.Helper()
	weights := randomWeights(l, 1)
	want := publictree.NewEvaluator(l, 2).Evaluate(weights).BestResponse
	s, err := FromWeights(l.Index, weights, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, unit := exact(t, s, 2), float64(l.Tree.Game.MaxBlind())
	for p, x := range got {
		if math.Abs(x-want[p]) > 1e-6*max(unit, want[p]) {
			t.Errorf("position %d: %v, want %v", p+1, x, want[p])
		}
	}
}

// noLimit are no-limit games with menus of raises: in all of them the segments of a round differ, and players are
// all-in before the last round.
func noLimit(t testing.TB) map[*acpc.Game]string {
	t.Helper()
	uneven := pokertest.NoLimit(t, 7, 3, 3, 1, 1)
	uneven.Stack[1] += 350
	games := map[*acpc.Game]string{pokertest.Game(t, "leduc-nolimit"): "0.5,1,2,a/1,a",
		pokertest.NoLimit(t, 200, 4, 2, 1, 1): "preflop: 0.5,1,a/1,a; flop: 0.5,1,a/1,a/a", uneven: "fcpa"}
	if !testing.Short() {
		games[pokertest.NoLimit(t, 15, 4, 3, 3, 1, 1)] = "fcpa"
	}
	return games
}

func parse(t testing.TB, raises string) betting.Actions {
	t.Helper()
	a, err := betting.ParseActions(raises)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// So it is in no-limit games, with the raises of the strategy's menu.
func TestEqualsEvaluatorNoLimit(t *testing.T) {
	for g, raises := range noLimit(t) {
		t.Run(g.Name, func(t *testing.T) {
			equalsEvaluator(t, layoutWith(t, g, parse(t, raises), abstraction.Lossless))
		})
	}
}

// With 200 big blinds and more cards it is, too.
func TestEqualsEvaluatorDeep(t *testing.T) {
	testkit.SlowOnly(t)
	for g, raises := range map[*acpc.Game]string{
		pokertest.NoLimit(t, 200, 4, 3, 3, 1, 1): "fcpa", pokertest.NoLimit(t, 200, 4, 5, 3, 1): "fca",
	} {
		t.Run(g.Name, func(t *testing.T) {
			equalsEvaluator(t, layoutWith(t, g, parse(t, raises), abstraction.Lossless))
		})
	}
}

// plain is the exploitability of a simple strategy, in thousandths of the largest blind.
func plain(t testing.TB, p policy.Plain, g *acpc.Game) float64 {
	t.Helper()
	s, err := PlainStrategy(p, betting.NewTree(g, betting.Actions{}.ShapeOf(g, 1<<20)))
	if err != nil {
		t.Fatal(err)
	}
	best := exact(t, s, 2)
	return 1000 * (best[0] + best[1]) / 2 / float64(g.MaxBlind())
}

// Who always folds loses the blinds in turn, in any hold'em.
func TestAlwaysFold(t *testing.T) {
	if got := plain(t, policy.PlainFold, pokertest.Holdem(t, 4, 2, 1, 1, 1)); math.Abs(got-750) > 1e-9 {
		t.Errorf("%v mb, want 750", got)
	}
}

// The names of suits do not matter: with the boards joined or each on its own, and on any
// number of threads.
func TestSuits(t *testing.T) {
	l := layoutOf(t, pokertest.Holdem(t, 4, 2, 1, 1), abstraction.Lossless)
	s, err := FromWeights(l.Index, randomWeights(l, 7), nil)
	if err != nil {
		t.Fatal(err)
	}
	joined := exact(t, s, 1)
	if again := exact(t, s, 3); again != joined {
		t.Errorf("%v on three threads, %v on one", again, joined)
	}
	r := New(s)
	r.deck = newDeck(s.Tree.Game, false)
	r.boards = r.parts()
	apart, err := r.Exact(context.Background(), 2)
	if err != nil {
		t.Fatal(err)
	}
	for p, x := range apart {
		if math.Abs(x-joined[p]) > 1e-6*float64(s.Tree.Game.MaxBlind()) {
			t.Errorf("position %d: %v with all boards, %v with joined ones", p+1, x, joined[p])
		}
	}
	if sum := joined[0] + joined[1]; sum < 0 {
		t.Errorf("the best responses win %v in all", sum)
	}
}

// The tables for devices take the memory that is stated, and a board's hands are in the
// table once, whatever the names of its suits and the order of its cards.
func TestTableBytes(t *testing.T) {
	s, err := PlainIn(policy.PlainCall, pokertest.Holdem(t, 4, 3, 3, 1, 1), betting.Actions{})
	if err != nil {
		t.Fatal(err)
	}
	r := New(s)
	const boards, hands = 57, 21 // boards of five cards, and hands of two of the other seven
	if got, want := int64(8*len(r.newFinals(1).orders)), r.TableBytes(); got != want || want != 8*boards*hands {
		t.Errorf("%d bytes, %d stated, want %d", got, want, 8*boards*hands)
	}
}

// Games for more than two are refused, and those with too many raises.
func TestRefuses(t *testing.T) {
	three := pokertest.Game(t, "kuhn-3p")
	if _, err := PlainIn(policy.PlainCall, three, betting.Actions{}); !errors.As(err, new(*segment.GameError)) {
		t.Error(err)
	}
	deep := pokertest.Game(t, "holdem-nolimit-2p")
	if _, err := PlainIn(policy.PlainCall, deep, betting.Actions{}); !errors.As(err, new(*MenuError)) {
		t.Errorf("every raise: %v", err)
	}
}
