package spot

import (
	"cmp"
	"errors"
	"math"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/hand"
	"gamebots/configs"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// lowest are buckets by the lowest of all cards that a player sees.
type lowest struct{}

func (lowest) Name() string       { return "lowest" }
func (lowest) NumBuckets(int) int { return card.NumRanks }
func (lowest) Bucket(_ int, d abstraction.Deal) int {
	low := card.NumRanks
	for c := range (d.Hole | d.Board[0] | d.Board[1] | d.Board[2] | d.Board[3]).All() {
		low = min(low, c.Rank())
	}
	return low
}

// playOf returns a strategy in fifteenths that depends on the decision and the bucket.
func playOf(tree *betting.Tree, salt int) Play {
	return func(dst []float64, node int32, bucket int) ([]float64, error) {
		n := int(tree.Nodes[node].NumActions)
		left := 15
		for a := range n - 1 {
			x := (int(node)*7 + bucket*3 + a*5 + salt) % (left + 1) / 2
			dst, left = append(dst, float64(x)/15), left-x
		}
		return append(dst, float64(left)/15), nil
	}
}

// continued is a flop, the continuation of a strategy and where that has the flop: there the chips are 1.5 times those
// of the strategy's tree.
type continued struct {
	*Spot
	*Continuation
	Start
}

// continuedSpot returns a flop after which a player goes on as is given.
func continuedSpot(t testing.TB, player int) continued {
	t.Helper()
	g, err := configs.Game("holdem-nolimit-2p")
	if err != nil {
		t.Fatal(err)
	}
	g.Stack[0], g.Stack[1] = 2000, 2000
	tree := betting.NewTree(g, betting.FCPA1.ShapeOf(g, 1<<20))
	s := testSpot(t, "QsJh2h", "AcAd,Ts9s,3c3d", "KhKd,Ts9s,AcKc,4c4d", 900, 2400, "100", "a")
	state := g.NewState(0)
	state.Apply(acpc.Action{Type: acpc.Raise, Size: 300})
	state.Apply(acpc.Action{Type: acpc.Call})
	return continued{
		s, NewContinuation(policy.NewIndex(tree, lowest{}), playOf(tree, 0), playOf(tree, 4)),
		Start{Given: player, Out: int(g.FirstPlayer[1]), Segment: tree.SegmentOf(tree.Find(&state)),
			Stake: int(state.MaxSpent())},
	}
}

// enumeration is the remainder of a hand, with two known hands and cards that come.
type enumeration struct {
	continued
	own, other card.Set // hands of the player who continues as it is given, and of the other one
	board      [acpc.MaxRounds]card.Set
}

// probability returns how often an action of the strategy is taken.
func (e *enumeration) probability(node int32, action int) float64 {
	n := &e.index.Tree.Nodes[node]
	hole, play := e.other, playOf(e.index.Tree, 4)
	if int(e.player(int(n.Actor))) == e.Given {
		hole, play = e.own, playOf(e.index.Tree, 0)
	}
	board := e.board
	clear(board[n.Round+1:])
	row, _ := play(nil, node, lowest{}.Bucket(0, abstraction.Deal{Board: board, Hole: hole}))
	return row[action]
}

// value returns what the player who continues as given wins after a node of the strategy's tree,
// beyond half of the pot at the root, where a stake of at is worth chips of the spot.
func (e *enumeration) value(node int32, at, chips float64) (sum float64) {
	n := &e.index.Tree.Nodes[node]
	switch n.Kind {
	case betting.Deal:
		return e.value(e.index.Tree.Segments[n.First].First, at, chips)
	case betting.Decision:
		for a := range int(n.NumActions) {
			if p := e.probability(node, a); p > 0 {
				sum += p * e.value(n.First+int32(a), at, chips)
			}
		}
		return sum
	}
	pot := &e.index.Tree.Terminals[n.First]
	stake := min(float64(min(pot.Spent[0], pot.Spent[1]))/at*chips, float64(e.Pot)/2+float64(e.Stack))
	if pot.Folded[e.Out^e.Given] {
		return -stake
	}
	if !pot.Showdown() {
		return stake
	}
	return e.showdown(stake)
}

func (e *enumeration) showdown(stake float64) float64 {
	board := e.board[1] | e.board[2] | e.board[3]
	return stake * float64(cmp.Compare(hand.ACPC.Rank(board|e.own), hand.ACPC.Rank(board|e.other)))
}

// What hands win if both players go on is what enumeration of all pairs of hands says of the same turns and rivers.
func TestContinuedEnumerated(t *testing.T) {
	deals := 4
	if testkit.SlowEnabled() {
		deals = 20
	}
	for given := range 2 {
		c := continuedSpot(t, given)
		flop, player := card.SetOf(c.Board...), 1-given
		got, err := c.Continued(t.Context(), c.Continuation, c.Start, player, deals, 2)
		if err != nil {
			t.Fatal(err)
		}
		var hands, values, want []float64
		runouts := newRunouts(flop)
		held := layout.Held(flop, func(hole card.Set) bool { return c.Ranges[given].Weight(hole) > 0 })
		for other, value := range got {
			total, sum := 0.0, 0.0
			for _, own := range held {
				e := &enumeration{continued: c, own: own.Set(), other: other}
				if e.own&e.other != 0 {
					continue
				}
				weight := c.Ranges[given].Weight(e.own)
				total += weight
				for i := range deals {
					turned, last := runouts.at(i)
					e.board = [acpc.MaxRounds]card.Set{1: flop, 2: turned.Bit(), 3: last.Bit()}
					if (e.own|e.other)&(e.board[2]|e.board[3]) == 0 { // as are 45 * 44 of 49 * 48
						x := e.value(c.index.Tree.Segments[c.Segment].First, float64(c.Stake), 450)
						sum -= x * weight * 49 * 48 / (45 * 44)
					}
				}
			}
			hands, values = append(hands, total), append(values, value)
			want = append(want, sum/float64(deals)/total+float64(c.Pot)/2)
		}
		if len(hands) != 49*48/2 {
			t.Errorf("%d hands", len(hands))
		}
		same(t, values, want)
	}
}

// same fails unless numbers are the same but for the rounding of sums.
func same(t *testing.T, got, want []float64) {
	t.Helper()
	most := 0.0
	for _, x := range want {
		most = max(most, math.Abs(x))
	}
	for i, x := range got {
		if math.Abs(x-want[i]) > 1e-5*most {
			t.Fatalf("hand %d: got %v, want %v", i, x, want[i])
		}
	}
}

// Each turn and river comes once.
func TestRunouts(t *testing.T) {
	board := card.SetOf(0, 1, 2)
	r, seen := newRunouts(board), map[[2]card.Card]bool{}
	for i := range r.order {
		turned, last := r.at(i)
		if turned == last || board.Has(turned) || board.Has(last) || seen[[2]card.Card{turned, last}] {
			t.Fatalf("%v %v comes again or is on the board", turned, last)
		}
		seen[[2]card.Card{turned, last}] = true
	}
	if len(seen) != 49*48 {
		t.Errorf("%d turns and rivers", len(seen))
	}
}

// The error of a strategy that cannot be read is returned.
func TestContinuedFails(t *testing.T) {
	c, broken := continuedSpot(t, 0), errors.New("broken")
	fails := func(dst []float64, _ int32, _ int) ([]float64, error) { return dst, broken }
	_, err := c.Continued(t.Context(), NewContinuation(c.index, fails, fails), c.Start, 0, 1, 1)
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
