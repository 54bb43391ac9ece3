package aivat

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/configs"
	"gamebots/internal/stats"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
)

// sparse returns a strategy of no-limit Leduc with some raises.
func sparse(t *testing.T, actions string, iterations int) *Strategy {
	t.Helper()
	g, err := configs.Game("leduc-nolimit")
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := betting.ParseActions(actions)
	if err != nil {
		t.Fatal(err)
	}
	layout, err := publictree.Prepare(g, parsed, abstraction.Lossless, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return trained(layout, iterations, 1)
}

// playout calls f with every way to play a hand that is dealt, and its probability. Players are
// by position, and hands the numbers of those that they hold.
func playout(
	t *testing.T, s *acpc.State, players []belief.Player, hands []int, p float64, f func(s *acpc.State, p float64),
) {
	t.Helper()
	if s.Finished() {
		f(s, p)
		return
	}
	c, err := players[s.Actor()].Choices(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range c.Of(hands[s.Actor()]) {
		if q > 0 {
			playout(t, belief.After(s, c.Actions[i]), players, hands, p*q, f)
		}
	}
}

// deals calls f with every deal of a game with one hole card and at most one board card, the
// numbers of the hands, and its probability.
func deals(e *Estimator, f func(s *acpc.State, hands []int, p float64)) {
	g := e.game
	cards := g.NumPlayers + g.BoardCards(g.NumRounds-1)
	var deal func(dealt []int, p float64)
	deal = func(dealt []int, p float64) {
		if len(dealt) == cards {
			s := g.NewState(0)
			for i, x := range dealt {
				if i < g.NumPlayers {
					s.Holes[i][0] = e.hands.deck[x]
				} else {
					s.Board[0] = e.hands.deck[x]
				}
			}
			f(&s, dealt[:g.NumPlayers], p)
			return
		}
		for x := range e.hands.deck {
			if !slices.Contains(dealt, x) {
				deal(append(dealt, x), p/float64(len(e.hands.deck)-len(dealt)))
			}
		}
	}
	deal(make([]int, 0, cards), 1)
}

// With raises that a strategy does not know, and takes for others by a draw that no log has, the
// mean of the estimates over all that can happen is that of the winnings, and each correction
// is zero in the mean: whichever player is known, and whether both are.
func TestUnbiasedWithoutAllRaises(t *testing.T) {
	pot, halves, weird := sparse(t, "fcpa", 20), sparse(t, "f,c,0.5,2,a", 5), sparse(t, "f,c,0.7,a", 0)
	for _, test := range []struct {
		name          string
		known, actual *Strategy
		otherKnown    bool
	}{
		{"other raises", pot, halves, false},
		{"by chance, both known", weird, pot, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, err := New(test.known, test.actual, test.otherKnown)
			if err != nil {
				t.Fatal(err)
			}
			for seat := range 2 {
				known, actual := belief.NewStrategy(test.known.Index, test.known.played),
					belief.NewStrategy(test.actual.Index, test.actual.played)
				players := []belief.Player{actual, actual}
				players[seat] = known
				m := newExpectation(t, e, seat)
				deals(e, func(s *acpc.State, hands []int, p float64) { playout(t, s, players, hands, p, m.add) })
				luck, left := m.check(1e-7)
				if left > luck/2 {
					t.Errorf("seat %d: the estimate's variance %g is over half of %g", seat+1, left, luck)
				}
			}
		})
	}
}

// random returns a strategy by chance with some raises.
func random(t *testing.T, g *acpc.Game, actions string, seed uint64) *Strategy {
	t.Helper()
	parsed, err := betting.ParseActions(actions)
	if err != nil {
		t.Fatal(err)
	}
	return chance(
		policy.NewIndex(betting.NewTree(g, parsed.ShapeOf(g, 1<<20)), abstraction.New(g, abstraction.Lossless)), seed)
}

// With three players the mean of the estimates over all that can happen is that of the winnings, and
// each correction is zero in the mean: in every position, with cards of players who have folded,
// with side pots, and with raises that the strategies do not know.
func TestUnbiasedWithThreePlayers(t *testing.T) {
	const oneCard = "GAMEDEF\n%s\nnumPlayers = 3\n%s\nnumHoleCards = 1\nEND GAMEDEF\n"
	kuhn := fmt.Sprintf(oneCard, "limit",
		"numRounds = 1\nblind = 1 1 1\nraiseSize = 1\nmaxRaises = 1\nnumSuits = 1\nnumRanks = 4\nnumBoardCards = 0")
	leduc := fmt.Sprintf(oneCard, "limit", "numRounds = 2\nblind = 1 2 0\nraiseSize = 2 4\nmaxRaises "+
		"= 0 1\nfirstPlayer = 3 1\nnumSuits = 2\nnumRanks = 3\nnumBoardCards = 0 1")
	sidePots := fmt.Sprintf(oneCard, "nolimit",
		"numRounds = 1\nblind = 1 1 1\nstack = 3 5 8\nnumSuits = 2\nnumRanks = 3\nnumBoardCards = 1")
	for _, test := range []struct {
		name, game   string
		known, other string // raises
		otherKnown   bool
	}{
		{"Kuhn", kuhn, "fcpa", "fcpa", false},
		{"Kuhn, all known", kuhn, "fcpa", "fcpa", true},
		{"with a board", leduc, "fcpa", "fcpa", false},
		{"side pots", sidePots, "f,c,a", "f,c,0.5,1", false},
		{"side pots, all known", sidePots, "f,c,0.5,1", "f,c,a", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, err := acpc.ParseGame(test.name, test.game)
			if err != nil {
				t.Fatal(err)
			}
			known, other := random(t, g, test.known, 1), random(t, g, test.other, 2)
			e, err := New(known, other, test.otherKnown)
			if err != nil {
				t.Fatal(err)
			}
			for seat := range 3 {
				var players []belief.Player
				for position := range 3 {
					s := other
					if position == seat {
						s = known
					}
					players = append(players, belief.NewStrategy(s.Index, s.played))
				}
				m := newExpectation(t, e, seat)
				deals(e, func(s *acpc.State, hands []int, p float64) { playout(t, s, players, hands, p, m.add) })
				luck, left := m.check(1e-9)
				if left > 0.9*luck {
					t.Errorf("seat %d: the estimate's variance %g is over nine tenths of %g", seat+1, left, luck)
				}
			}
		})
	}
}

// An action that the strategy never takes is an error, also after raises that it does not know.
func TestNotPlayedWithoutAllRaises(t *testing.T) {
	known := sparse(t, "fcpa", 20)
	e, err := New(known, known, false)
	if err != nil {
		t.Fatal(err)
	}
	s := known.Tree.Game.NewState(3)
	s.Holes[0][0], s.Holes[1][0] = card.New(12, 3), card.New(11, 3)
	s.Apply(acpc.Action{Type: acpc.Raise, Size: 230}) // the other player raises
	s.Apply(acpc.Action{Type: acpc.Raise, Size: 470}) // not the pot, nor all-in
	s.Apply(acpc.Action{Type: acpc.Fold})
	if _, err := e.Estimate(&s, 1); !errors.Is(err, ErrNotPlayed) {
		t.Errorf("error %v, want %v", err, ErrNotPlayed)
	}
}

// Games with all raises that are too large for exact values are estimated by showdowns, too: the
// mean is that of the winnings, within its error, with less variance.
func TestShowdownsOfLargeGames(t *testing.T) {
	g, err := configs.Game("rhode-island")
	if err != nil {
		t.Fatal(err)
	}
	index := policy.NewIndex(betting.NewTree(g, betting.Actions{}.ShapeOf(g, 1<<20)), abstraction.NewBoardless(g))
	known, other := chance(index, 1), chance(index, 2)
	e, err := New(known, other, false)
	if err != nil {
		t.Fatal(err)
	}
	if e.showdowns == nil {
		t.Fatal("the values are exact")
	}
	random := rand.New(rand.NewPCG(3, 0))
	shuffler := acpc.NewShuffler(3)
	var won, luck, left stats.Sample
	for hand := range 800 {
		seat := hand % 2
		s := g.NewState(uint32(hand))
		shuffler.Deal(&s)
		for !s.Finished() {
			players := [2]*Strategy{other, other}
			players[seat] = known
			p := players[s.Actor()]
			node := index.Tree.Find(&s)
			probabilities, err := p.played(nil, node, index.Buckets.Bucket(s.Round(), policy.DealOf(&s)))
			if err != nil {
				t.Fatal(err)
			}
			a, x := 0, random.Float64()
			for x -= probabilities[0]; x >= 0 && a+1 < len(probabilities); x -= probabilities[a] {
				a++
			}
			s.Apply(index.Tree.Nodes[int(index.Tree.Nodes[node].First)+a].Action())
		}
		x, err := e.Estimate(&s, seat)
		if err != nil {
			t.Fatal(err)
		}
		won.Add(s.Value(seat) - x)
		luck.Add(s.Value(seat))
		left.Add(x)
	}
	if math.Abs(won.Mean()) > 4*won.StandardError() {
		t.Errorf("won %g ± %g more than estimated", won.Mean(), won.StandardError())
	}
	if left.Variance() > luck.Variance()/2 {
		t.Errorf("the estimate's variance %g is over half of %g", left.Variance(), luck.Variance())
	}
}
