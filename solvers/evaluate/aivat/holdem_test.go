package aivat

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

// shortDeck is limit hold'em with the cards from the ten up.
const shortDeck = `GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 1 2 2 2
numSuits = 4
numRanks = 5
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
`

// newShortDeck returns estimators of hold'em for two strategies by chance with
// different buckets: one that takes the second player for the first, and one that
// knows both.
var newShortDeck = sync.OnceValue(func() (e [2]*Estimator) {
	g, err := acpc.ParseGame("short deck", shortDeck)
	if err != nil {
		panic(err)
	}
	numSampledDeals = 1 << 17
	folder, err := os.MkdirTemp("", "aivat")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	strategy := func(cards string, seed uint64) *Strategy {
		buckets, err := abstraction.OpenEHS(g, cards, filepath.Join(folder, cards), nil)
		if err != nil {
			panic(err)
		}
		index := policy.NewIndex(betting.NewTree(g, betting.Actions{}.ShapeOf(g, 1<<20)), buckets)
		return chance(index, seed)
	}
	a, b := strategy("quick(5,6,7)", 1), strategy("quick(4,4,4)", 2)
	for i, other := range []*Strategy{a, b} {
		if e[i], err = New(a, other, i == 1, 2, nil); err != nil {
			panic(err)
		}
	}
	return e
})

// dealt returns a hand dealt at random and played by strategies, by position.
func dealt(e *Estimator, players [2]*Strategy, rng *rand.Rand) *acpc.State {
	g := e.tree.Game
	s := g.NewState(0)
	deck := g.Deck()
	rng.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
	for p := range 2 {
		copy(s.Holes[p][:], deck[2*p:][:2])
	}
	copy(s.Board[:], deck[4:9])
	o := observed{Estimator: e, state: &s}
	for !s.Finished() {
		node := e.tree.Find(&s)
		n, p := &e.tree.Nodes[node], s.Actor()
		bucket := players[p].bucket(s.Round(), policy.BoardOf(o.state, s.Round()), card.SetOf(s.Holes[p][:2]...))
		x, a := rng.Float64(), -1
		for x >= 0 && a+1 < int(n.NumActions) {
			a++
			x -= players[p].of(node, a)[bucket]
		}
		s.Apply(e.tree.Nodes[int(n.First)+a].Action())
	}
	return &s
}

// The mean of the values after any cards are dealt is the value before, to the last
// digit: without this the estimate would be biased.
func TestHoldemMeans(t *testing.T) {
	for i, e := range newShortDeck() {
		v := e.values.(*holdem)
		for seat := range 2 {
			t.Logf("estimator %d, seat %d: %g", i, seat, v.start[seat])
			sum, other := 0.0, e.hands.number[card.SetOf(e.hands.deck[3], e.hands.deck[17])]
			for y := range e.hands.holes {
				before, after := v.begin(e.set(new(*table), seat, preflop, [acpc.MaxRounds]card.Set{}, y))
				sum += after / float64(len(e.hands.holes))
				if math.Abs(before-v.start[seat]) > 0 {
					t.Fatalf("the mean before the cards depends on them")
				}
			}
			if math.Abs(sum-v.start[seat]) > 1e-9 {
				t.Errorf("seat %d: hole cards bring %.12f, not %.12f", seat, sum, v.start[seat])
			}
			board := [acpc.MaxRounds]card.Set{}
			for round := preflop; round < river; round++ {
				at := e.set(new(*table), seat, round, board, other)
				view := v.open(at)
				segment := e.tree.Segments[v.segmentsOf(round)]
				node := segment.First
				for e.tree.Nodes[node].Kind != betting.Deal {
					node++
				}
				var before []float64
				sums, counts := make([]float64, at.width()), make([]float64, at.width())
				card.Subsets(e.hands.rest(union(board)|e.hands.holes[other]), int(e.tree.Game.NumBoardCards[round+1]),
					func(s card.Set) {
						board := board
						board[round+1] = s
						next := e.set(new(*table), seat, round+1, board, other)
						var after []float64
						before, after = view.deal(node, next)
						for _, h := range next.live {
							sums[h] += after[h]
							counts[h]++
						}
					})
				for _, h := range at.live {
					if math.Abs(sums[h]/counts[h]-before[h]) > 1e-9 {
						t.Fatalf("estimator %d, seat %d, round %d: %.9f after the deal, %.9f before", i, seat, round+1,
							sums[h]/counts[h], before[h])
					}
				}
				board[round+1] = card.SetOf(
					e.hands.rest(union(board) | e.hands.holes[other])[1:][:e.tree.Game.NumBoardCards[round+1]]...)
			}
		}
	}
}

// Over many hands, the difference of winnings and estimate is zero but
// for its own error, and the estimates vary less.
func TestHoldemUnbiased(t *testing.T) {
	for i, e := range newShortDeck() {
		b := newShortDeck()[1].model
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		var difference, won, estimate moments
		const hands = 1500
		for k := range hands {
			seat := k % 2
			players := [2]*Strategy{b, b}
			players[seat] = e.known
			s := dealt(e, players, rng)
			x, err := e.Estimate(s, seat)
			if err != nil {
				t.Fatal(err)
			}
			won.add(s.Value(seat))
			estimate.add(x)
			difference.add(s.Value(seat) - x)
		}
		t.Logf("estimator %d: won %.2f, estimated %.2f, variance %.0f and %.0f: %.1f times", i, won.mean(),
			estimate.mean(), won.variance(), estimate.variance(), won.variance()/estimate.variance())
		if sigma := math.Sqrt(difference.variance() / hands); math.Abs(difference.mean()) > 4*sigma {
			t.Errorf("estimator %d: won %g more than estimated, %.1f standard errors", i, difference.mean(),
				difference.mean()/sigma)
		}
		if estimate.variance() > won.variance()/2 {
			t.Errorf("estimator %d: the variance %g is over half of %g", i, estimate.variance(), won.variance())
		}
	}
}

type moments struct{ n, sum, squares float64 }

func (m *moments) add(x float64) { m.n, m.sum, m.squares = m.n+1, m.sum+x, m.squares+x*x }

func (m *moments) mean() float64 { return m.sum / m.n }

func (m *moments) variance() float64 { return m.squares/m.n - m.mean()*m.mean() }

// A hand is refused where its cards are not known, where it is not over, or where the
// strategy does not do what was done.
func TestEstimateRefuses(t *testing.T) {
	layout := open(t, "kuhn")
	weights := make([]float32, layout.Entries)
	e, err := New(newStrategy(layout.Index, weights, func(c []policy.Choice) {
		for i := range c {
			c[i].Probability = 0
		}
		c[len(c)-1].Probability = 1 // raises, and calls where that is not allowed
	}), trained(layout, 0, 1), false, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ state, want string }{
		{"STATE:0:rc:As|Ks", ""},
		{"STATE:0:cc:As|Ks", "not what the strategy plays"},
		{"STATE:0:rc:As|", "position 2 are not known"},
		{"STATE:0:rc:As|As", "dealt twice"},
		{"STATE:0:r:As|Ks", "not finished"},
	} {
		s, _, err := e.tree.Game.ParseState(test.state)
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Estimate(&s, 0)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.state, err, test.want)
		}
	}
}
