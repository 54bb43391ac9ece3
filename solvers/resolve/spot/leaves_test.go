package spot

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/hand"
	"gamebots/configs"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/internal/kernels"
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

// limitedSpot returns a flop with leaves, at which the chips are 1.5 times those of the strategy's
// tree. The player out of position has an offer.
func limitedSpot(t testing.TB, player int) *Spot {
	t.Helper()
	g, err := configs.Game("holdem-nolimit-2p")
	if err != nil {
		t.Fatal(err)
	}
	g.Stack[0], g.Stack[1] = 2000, 2000
	tree := betting.NewTree(g, betting.FCPA1.ShapeOf(g, 1<<20))
	s := testSpot(t, "QsJh2h", "AcAd,Ts9s,3c3d", "KhKd,Ts9s,AcKc,4c4d", 900, 2400, "100", "a")
	s.Menu.RaiseCap = 2
	s.Leaves = &Leaves{Player: player, Out: int(g.FirstPlayer[1]), Seed: 1}
	s.Leaves.Continuation = NewContinuation(policy.NewIndex(tree, lowest{}), playOf(tree, 0), playOf(tree, 4))
	state := g.NewState(0)
	call, raise := acpc.Action{Type: acpc.Call}, acpc.Action{Type: acpc.Raise, Size: 300}
	state.Apply(raise)
	state.Apply(call)
	segment := func(actions ...acpc.Action) Point {
		at := state
		for _, a := range actions {
			at.Apply(a)
		}
		return Point{tree.SegmentOf(tree.Find(&at)), int(at.MaxSpent())}
	}
	s.Leaves.Start = segment()
	s.Leaves.At = func(line []Action) Point {
		switch LineOf(line) {
		case "x-x":
			return segment(call, call)
		case "x-b900-c":
			return segment(call, acpc.Action{Type: acpc.Raise, Size: 900}, call)
		case "b900-c":
			return segment(acpc.Action{Type: acpc.Raise, Size: 900}, call)
		}
		t.Errorf("leaf after %s", LineOf(line))
		return Point{Segment: -1}
	}
	s.Offer = &Offer{Player: 1 - player, Known: .5}
	return s
}

// enumeration is the remainder of a hand, with two known hands and cards that come.
type enumeration struct {
	*Solver
	own, other card.Set // hands of the player who continues as it is given, and of the other one
	board      [acpc.MaxRounds]card.Set
}

// probability returns how often an action of the strategy is taken in a way to go on.
func (e *enumeration) probability(node int32, action, way int) float64 {
	l := e.spot.Leaves
	n := &l.Continuation.index.Tree.Nodes[node]
	hole, play := e.other, playOf(l.Continuation.index.Tree, 4)
	if int(l.player(int(n.Actor))) == l.Player {
		hole, play, way = e.own, playOf(l.Continuation.index.Tree, 0), 0
	}
	board := e.board
	clear(board[n.Round+1:])
	row, _ := play(nil, node, lowest{}.Bucket(0, abstraction.Deal{Board: board, Hole: hole}))
	total := 0.0
	for a := range row {
		more := []acpc.ActionType{acpc.Fold, acpc.Call, acpc.Raise}
		if way > 0 && l.Continuation.index.Tree.Nodes[int(n.First)+a].Action().Type == more[way-1] {
			row[a] *= 10
		}
		total += row[a]
	}
	return row[action] / total
}

// value returns what the player who continues as given wins after a node of the strategy's tree,
// beyond half of the pot at the root, where a stake of at is worth chips of the spot.
func (e *enumeration) value(node int32, way int, at, chips float64) (sum float64) {
	x := e.spot.Leaves.Continuation.index
	n := &x.Tree.Nodes[node]
	switch n.Kind {
	case betting.Deal:
		return e.value(x.Tree.Segments[n.First].First, way, at, chips)
	case betting.Decision:
		for a := range int(n.NumActions) {
			if p := e.probability(node, a, way); p > 0 {
				sum += p * e.value(n.First+int32(a), way, at, chips)
			}
		}
		return sum
	}
	pot := &x.Tree.Terminals[n.First]
	stake := min(float64(min(pot.Spent[0], pot.Spent[1]))/at*chips, float64(e.spot.Pot)/2+float64(e.spot.Stack))
	if pot.Folded[e.spot.Leaves.Out^e.spot.Leaves.Player] {
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

// flop returns what is won by folds on the flop, and after it, from a node of the flop on, where
// all actions are equally likely.
func (e *enumeration) flop(i int32, line []Action, way int) (folds, later float64) {
	n := &e.Streets[layout.Flop].Nodes[i]
	l, half := e.spot.Leaves, float64(e.spot.Pot)/2
	switch n.Kind {
	case layout.Fold:
		if int(n.Actor) == l.Player {
			return -half - float64(n.Put), 0
		}
		return half + float64(n.Put), 0
	case layout.Deal:
		return 0, e.showdown(half + float64(n.Put))
	case layout.Choice:
		at := l.At(line)
		return 0, e.value(l.Continuation.index.Tree.Segments[at.Segment].First, way, float64(at.Stake),
			half+float64(e.Streets[layout.Flop].Nodes[n.First].Put))
	}
	for a := range int32(n.Actions) {
		x, y := e.flop(n.First+a, append(slices.Clip(line), e.taken[layout.Flop][n.First+a]), way)
		folds, later = folds+x/float64(n.Actions), later+y/float64(n.Actions)
	}
	return folds, later
}

// The values on turns and rivers are what enumeration of all pairs of hands says, for both players
// and each way to go on, and so are the offers.
func TestLeaves(t *testing.T) {
	for player := range 2 {
		for way := range numWays {
			spot := limitedSpot(t, player)
			if way > 0 {
				spot.Offer = nil
			}
			s := testSolver(t, spot, "linear", 0, 2)
			for i := range s.Streets[layout.Flop].Nodes { // the other player goes on in this way
				if n := &s.Streets[layout.Flop].Nodes[i]; n.Kind == layout.Choice {
					d := s.Decision(layout.Flop, 0, n)
					for h := range d.Width {
						s.sums.Floats[int(d.At)+way*d.Width+h] = 1
					}
				}
			}
			if spot.Offer != nil && !s.leaves.read(&pass{}, s.leaves.start) {
				t.Fatal(s.Err())
			}
			root := s.Boards[layout.Flop][0]
			index := spot.Leaves.Continuation.index
			deals := 4
			if testkit.SlowEnabled() {
				deals = 20
			}
			for i := range uint64(deals) {
				s.leaves.deal(i)
				s.leaves.sample = s.leaves.on
				var got, want [2][]float64
				for p := range got {
					for _, x := range s.traverse(&pass{Pass: layout.Pass{Purpose: layout.Average, Player: p}}) {
						got[p] = append(got[p], float64(x))
					}
					want[p] = make([]float64, len(got[p]))
				}
				if spot.Offer != nil {
					s.leaves.offer(s.leaves.walkers[0], 1-player)
				}
				offers := make([]float64, len(s.offers))
				turned, last := s.leaves.runouts.at(i)
				e := &enumeration{Solver: s,
					board: [acpc.MaxRounds]card.Set{1: root.Cards, 2: turned.Bit(), 3: last.Bit()}}
				for h, own := range root.Hands[player].Holes {
					for k, other := range root.Hands[1-player].Holes {
						if e.own, e.other = own.Set(), other.Set(); e.own&e.other != 0 {
							continue
						}
						won, later := e.flop(0, nil, way)
						if (e.own|e.other)&(e.board[2]|e.board[3]) == 0 { // as are 45 * 44 of 49 * 48
							won += later * 49 * 48 / (45 * 44)
							if spot.Offer != nil {
								start := spot.Leaves.Start
								x := e.value(index.Tree.Segments[start.Segment].First, 0, float64(start.Stake), 450)
								offers[k] -= x * float64(s.reach[player][h]) * 49 * 48 / (45 * 44)
							}
						}
						want[player][h] += won * float64(s.reach[1-player][k])
						want[1-player][k] -= won * float64(s.reach[player][h])
					}
				}
				for p := range got {
					same(t, got[p], want[p])
				}
				same(t, s.offers, offers)
			}
		}
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

// Leaves give the same bits for any number of threads, and by the portable loops.
func TestLeavesSameBits(t *testing.T) {
	run := func(threads int) (all []float32) {
		s := testSolver(t, limitedSpot(t, 0), "dcfr+", 10, threads)
		return slices.Concat(s.regrets.Floats, s.sums.Floats)
	}
	want := run(1)
	if !slices.Equal(run(3), want) {
		t.Error("other results with 3 threads")
	}
	kernels.Portably(func() {
		if !slices.Equal(run(1), want) {
			t.Error("other results with portable loops")
		}
	})
}

// With more iterations best responses win less, on all turns and rivers.
func TestLeavesConverge(t *testing.T) {
	s := limitedSpot(t, 1)
	s.Offer = nil
	few, many := testSolver(t, s, "linear", 20, 2), testSolver(t, s, "linear", 4000, 2)
	for i := range uint64(49 * 48) {
		few.leaves.sample = append(few.leaves.sample, few.leaves.dealt(few.leaves.runouts, i))
	}
	many.leaves.sample = few.leaves.sample
	if x, y := few.Solution().Exploitability(), many.Solution().Exploitability(); y > x/8 {
		t.Errorf("exploitability %g chips after 4000 iterations of a pot of 900, %g after 20", y, x)
	}
}

// Each turn and river comes once, before any of them comes again.
func TestRunouts(t *testing.T) {
	board := card.SetOf(0, 1, 2)
	r := newRunouts(board, 1)
	var first [49 * 48][2]card.Card
	for cycle := range uint64(2) {
		seen, same := map[[2]card.Card]bool{}, 0
		for i := range first {
			turned, last := r.at(cycle*uint64(len(first)) + uint64(i))
			if turned == last || board.Has(turned) || board.Has(last) || seen[[2]card.Card{turned, last}] {
				t.Fatalf("%v %v comes again or is on the board", turned, last)
			}
			seen[[2]card.Card{turned, last}] = true
			if first[i] == [2]card.Card{turned, last} {
				same++
			}
			first[i] = [2]card.Card{turned, last}
		}
		if same > 10 {
			t.Errorf("%d come at the same place again", same)
		}
	}
}

func TestLeavesRefused(t *testing.T) {
	s := limitedSpot(t, 0)
	s.Board = append(s.Board, 0)
	if err := s.Check(); !errors.As(err, new(*FieldError)) {
		t.Errorf("a turn with leaves: error %v", err)
	}
	solver := testSolver(t, limitedSpot(t, 1), "linear", 1, 1)
	for _, line := range []string{"x-x", "x-x-3c", "x-b900-c-x"} {
		if err := solver.Solution().Check(line); !errors.As(err, new(*LineError)) {
			t.Errorf("%s: error %v", line, err)
		}
	}
	none := func([]*layout.Start, int64) (layout.Passes, error) { return nil, errors.New("it is asked") }
	_, err := New(limitedSpot(t, 1), Options{
		Memory: 1 << 32, Device: func(*Solver) (Device, error) { return none, nil },
	})
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("on a device: error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if solver.StepUntil(ctx) || solver.Iterations() != 1 {
		t.Error("an iteration after the context is done")
	}
	broken := errors.New("broken")
	s = limitedSpot(t, 0)
	fails := func(dst []float64, _ int32, _ int) ([]float64, error) { return dst, broken }
	s.Leaves.Continuation = NewContinuation(s.Leaves.Continuation.index, fails, fails)
	solver = testSolver(t, s, "linear", 0, 1)
	if solver.StepUntil(t.Context()) || !errors.Is(solver.Err(), broken) {
		t.Errorf("error %v of a strategy that cannot be read", solver.Err())
	}
	if _, err := solver.Solution().At(""); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
