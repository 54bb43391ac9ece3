package mcts

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// ticTacToe is tic-tac-toe.
type ticTacToe struct {
	root, now [2]uint16 // cells of the first player and of the other
	rootTurn  int
	turn      int
}

var threes = []uint16{0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}

func won(cells uint16) bool {
	return slices.ContainsFunc(threes, func(t uint16) bool { return cells&t == t })
}

func (g *ticTacToe) NumMoves() int { return 9 }
func (g *ticTacToe) Reset()        { g.now, g.turn = g.root, g.rootTurn }
func (g *ticTacToe) Play(m Move)   { g.now[g.turn] |= 1 << m; g.turn ^= 1 }
func (g *ticTacToe) Advance(m Move) {
	g.Reset()
	g.Play(m)
	g.root, g.rootTurn = g.now, g.turn
}

func (g *ticTacToe) Expander() Expander { return &ticTacToeExpander{root: g} }

// ticTacToeExpander generates the moves of tic-tac-toe.
type ticTacToeExpander struct {
	root *ticTacToe
	now  ticTacToe
}

func (s *ticTacToeExpander) Candidates(path []Move, moves []Candidate) []Candidate {
	s.now = *s.root
	s.now.Reset()
	for _, m := range path {
		s.now.Play(m)
	}
	return s.now.Candidates(moves)
}

func (g *ticTacToe) Candidates(moves []Candidate) []Candidate {
	free := 0o777 &^ (g.now[0] | g.now[1])
	for m := range Move(9) {
		if free>>m&1 == 0 {
			continue
		}
		c := Candidate{Move: m}
		if won(g.now[g.turn] | 1<<m) {
			c.Proof, c.Plies = Win, 1
		} else if bits.OnesCount16(free) == 1 {
			c.Proof = Draw
		}
		moves = append(moves, c)
	}
	return moves
}

// randomPlayouts plays random games of tic-tac-toe, numbered by their leaves.
type randomPlayouts struct {
	game    *ticTacToe
	threads int // 0 to play in Start
	waiting []chan struct{}
}

func (d *randomPlayouts) Start(leaves []*Leaf, n int) {
	done := make(chan struct{})
	d.waiting = append(d.waiting, done)
	work := func() {
		for i := range leaves {
			// The last first, as devices may.
			d.play(leaves[len(leaves)-1-i], n)
		}
		close(done)
	}
	if d.threads == 0 {
		work()
	} else {
		go work()
	}
}

func (d *randomPlayouts) Wait() error {
	<-d.waiting[0]
	d.waiting = d.waiting[1:]
	return nil
}

func (d *randomPlayouts) Read(*Leaf) {}

func (d *randomPlayouts) play(l *Leaf, n int) {
	l.Score = 0
	clear(l.amaf)
	for i := range n {
		rng := rand.New(rand.NewPCG(l.FirstPlayout+uint64(i), 0))
		g := ticTacToe{root: d.game.root, rootTurn: d.game.rootTurn}
		g.Reset()
		for _, m := range l.Path {
			g.Play(m)
		}
		score, side := float32(0.5), len(l.Path)&1
		var made [][2]int
		for moves := g.Candidates(nil); len(moves) > 0; moves = g.Candidates(nil) {
			c := moves[rng.IntN(len(moves))]
			made = append(made, [2]int{side, int(c.Move)})
			if c.Proof == Win {
				score = float32(1 - side)
				break
			}
			g.Play(c.Move)
			side ^= 1
		}
		l.Score += score
		for _, m := range made {
			l.AMAF[m[0]][m[1]] += 1 | uint32(2*[]float32{score, 1 - score}[m[0]])<<16
		}
	}
}

func search(root [2]uint16, o Options, threads int) *Search {
	g := &ticTacToe{root: root, rootTurn: bits.OnesCount16(root[0]|root[1]) & 1}
	o.Memory = cmp.Or(o.Memory, 1<<20)
	return New(g, &randomPlayouts{game: g, threads: threads}, o)
}

// solve returns the result of a position by exhaustive search.
func solve(g *ticTacToe) Proof {
	best := Loss
	for _, c := range g.Candidates(nil) {
		p := c.Proof
		if p == Unknown {
			after := *g
			after.Play(c.Move)
			p = solve(&after).Other()
		}
		if p == Win {
			return Win
		}
		if p == Draw {
			best = Draw
		}
	}
	return best
}

// TestProofs searches positions until they are proved, and compares with exhaustive
// search.
func TestProofs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for range 60 {
		var g ticTacToe
		for range 2 + rng.IntN(5) {
			moves := g.Candidates(nil)
			if slices.ContainsFunc(moves, func(c Candidate) bool { return c.Proof == Win }) {
				break
			}
			g.Play(moves[rng.IntN(len(moves))].Move)
		}
		g.root, g.rootTurn = g.now, g.turn
		for _, o := range []Options{{}, {Batch: 4, Playouts: 3}, {RAVE: -1, Explore: 0.7, Expand: 1}} {
			o.Memory = 1 << 20
			s := New(&g, &randomPlayouts{game: &g}, o)
			if err := s.Run(t.Context(), 1e6); err != nil {
				t.Fatal(err)
			}
			g.Reset()
			if got, want := s.Proof(), solve(&g); got != want {
				t.Errorf("%o is proved %d, not %d, with %+v", g.root, got, want, o)
			}
		}
	}
}

// ticTacToeStudier proves all moves of the positions that it studies, but none of the
// root.
type ticTacToeStudier struct{ ticTacToeExpander }

func (s *ticTacToeStudier) Study(path []Move, moves []Candidate) []Candidate {
	if len(path) == 0 {
		return moves
	}
	for _, c := range s.Candidates(path, nil) {
		if c.Proof == Unknown {
			after := s.now
			after.Play(c.Move)
			c.Proof = solve(&after).Other()
		}
		moves = append(moves, c)
	}
	return moves
}

// studiedTicTacToe is tic-tac-toe with a Studier.
type studiedTicTacToe struct{ *ticTacToe }

func (g studiedTicTacToe) Expander() Expander {
	return &ticTacToeStudier{ticTacToeExpander{root: g.ticTacToe}}
}

// TestStudy proves the same with fewer simulations if the game has a Studier.
func TestStudy(t *testing.T) {
	for _, batch := range []int{1, 8, 40} {
		var simulations []int
		for _, study := range []int{-1, 8, 3} {
			for threads := range 2 {
				var g ticTacToe
				s := New(studiedTicTacToe{&g}, &randomPlayouts{game: &g},
					Options{ProofAfter: study, Batch: batch, Threads: 1 + threads, Memory: 1 << 20})
				if err := s.Run(t.Context(), 1e6); err != nil {
					t.Fatal(err)
				}
				if s.Proof() != Draw {
					t.Errorf("studied after %d: proved %d", study, s.Proof())
				}
				if n := s.Simulations(); threads == 0 {
					simulations = append(simulations, n)
				} else if one := simulations[len(simulations)-1]; n != one {
					t.Errorf("%d simulations on two threads, %d on one", n, one)
				}
			}
		}
		if simulations[0] < 10*simulations[1] || simulations[1] <= simulations[2] {
			t.Errorf("%d simulations", simulations)
		}
	}
}

// TestPlaysWell must find the moves that do not lose with few simulations.
func TestPlaysWell(t *testing.T) {
	// A corner is answered in the middle, the middle in a corner.
	for _, test := range []struct {
		root [2]uint16
		good []Move
	}{
		{[2]uint16{0o1, 0}, []Move{4}},
		{[2]uint16{0o20, 0}, []Move{0, 2, 6, 8}},
	} {
		s := search(test.root, Options{}, 0)
		if err := s.Run(t.Context(), 2000); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(test.good, s.Best()) {
			t.Errorf("%o: move %d of %v", test.root, s.Best(), s.Stats())
		}
	}
}

// appendTree appends the statistics and proofs of the subtree of a node.
func appendTree(to []float32, t *tree, at uint32) []float32 {
	to = append(to, t.allStats(at)...)
	for m, p := range t.proofsOf(at) {
		to = append(to, float32(p))
		if child := t.child(at, Move(m)); child != 0 {
			to = appendTree(to, t, child)
		}
	}
	return to
}

// TestSameTree grows the same trees with one and with several threads of the search
// and of the evaluator, across moves and with little memory.
func TestSameTree(t *testing.T) {
	for _, o := range []Options{
		{Batch: 8}, {Batch: 3, Playouts: 5}, {Batch: 40, Playouts: 3},
		{Batch: 64, Playouts: 2, Memory: 1 << 17},
		{Batch: 50, Expand: 3, Playouts: 2}, {Batch: 50, RAVE: -1, Explore: 0.7},
		{Batch: 60, LeavesPerDescent: 3, Playouts: 2},
	} {
		var first []float32
		for threads := range 4 {
			o.Threads = 1 + threads
			s := search([2]uint16{}, o, threads)
			for _, n := range []int{700, 900} {
				if err := s.Run(t.Context(), n); err != nil {
					t.Fatal(err)
				}
				if got := s.Simulations(); got != n {
					t.Errorf("%+v: %d simulations, not %d", o, got, n)
				}
				tree := appendTree(nil, s.tree, s.tree.root)
				if threads == 0 {
					first = append(first, tree...)
				} else if len(first) < len(tree) || !slices.Equal(tree, first[:len(tree)]) {
					t.Errorf("%+v: the trees of %d simulations differ", o, n)
				} else {
					first = append(first[len(tree):len(first):len(first)], tree...)
				}
				s.Advance(4)
			}
		}
	}
}

// TestLeavesPerDescent needs fewer nodes for the same number of leaves.
func TestLeavesPerDescent(t *testing.T) {
	var nodes []int
	for _, n := range []int{1, 2, 4} {
		s := search([2]uint16{}, Options{Batch: 16, LeavesPerDescent: n, Playouts: 4}, 0)
		if err := s.Run(t.Context(), 160); err != nil || s.Simulations() != 160 {
			t.Fatalf("%d simulations, %v", s.Simulations(), err)
		}
		nodes = append(nodes, s.Nodes())
	}
	if nodes[1] >= nodes[0] || nodes[2] >= nodes[1] {
		t.Errorf("%d nodes", nodes)
	}
}

// TestManySimulations makes more simulations than a float32 can count one by one.
func TestManySimulations(t *testing.T) {
	s := search([2]uint16{}, Options{}, 0)
	run := func(n int) []Stat {
		t.Helper()
		if err := s.Run(t.Context(), s.Simulations()+n); err != nil {
			t.Fatal(err)
		}
		return s.Stats()
	}
	best := run(300)[0]
	scale := 1.5 * maxVisits / float32(best.Simulations)
	for _, which := range []int{visits, score, raveVisits, raveScore} {
		for m := range s.tree.stat(s.tree.root, which) {
			s.tree.stat(s.tree.root, which)[m] *= scale
		}
	}
	before, after := s.Stats(), run(1)
	for i, a := range after {
		b := before[i]
		if a.Move != b.Move || math.Abs(a.Score-b.Score) > 1e-5 ||
			math.Abs(float64(2*a.Simulations-b.Simulations)) > 4 {
			t.Errorf("%+v after %+v", a, b)
		}
	}
	sum := func(stats []Stat) (n int) {
		for _, st := range stats {
			n += st.Simulations
		}
		return n
	}
	if more := run(50); sum(more) != sum(after)+50 {
		t.Errorf("%d simulations after %d and 50", sum(more), sum(after))
	}
	for range 200 { // as often as in an hour
		s.tree.halveCounts(s.tree.root, s.rave)
		run(1)
	}
	for _, x := range s.tree.allStats(s.tree.root) {
		if math.IsNaN(float64(x)) {
			t.Fatalf("%v", s.tree.allStats(s.tree.root))
		}
	}
}

// TestAdvance keeps the tree below a move.
func TestAdvance(t *testing.T) {
	s := search([2]uint16{}, Options{}, 0)
	if err := s.Run(t.Context(), 500); err != nil {
		t.Fatal(err)
	}
	line, _ := s.Variation(s.Best())
	child := s.tree.child(s.tree.root, line[0])
	stats, proofs := slices.Clone(s.tree.allStats(child)), slices.Clone(s.tree.proofsOf(child))
	s.Advance(line[0])
	if !slices.Equal(s.tree.allStats(s.tree.root), stats) || !slices.Equal(s.tree.proofsOf(s.tree.root), proofs) {
		t.Errorf("%v, was %v", s.tree.allStats(s.tree.root), stats)
	}
	if got, _ := s.Variation(s.Best()); !slices.Equal(got, line[1:]) {
		t.Errorf("line %v, not %v", got, line[1:])
	}
	s.Advance(line[1])
	unseen := s.Stats()
	s.Advance(unseen[len(unseen)-1].Move)
	if err := s.Run(t.Context(), 1e6); err != nil || s.Proof() == Unknown {
		t.Errorf("proof %d, %v", s.Proof(), err)
	}
}

// TestLittleMemory must go on, to the same proof, when the tree is full.
func TestLittleMemory(t *testing.T) {
	s := search([2]uint16{}, Options{Memory: 100 * 1800}, 0)
	capacity := s.tree.capacity()
	if err := s.Run(t.Context(), 30000); err != nil {
		t.Fatal(err)
	}
	if s.tree.size() > capacity || capacity > 400 {
		t.Errorf("%d nodes in a tree of %d", s.tree.size(), capacity)
	}
	if s.Proof() == Win || s.Proof() == Loss {
		t.Errorf("proof %d of a draw", s.Proof())
	}
}

// TestStops stops when the context is done, and keeps the tree.
func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := search([2]uint16{}, Options{Batch: 4}, 1)
	if err := s.Run(ctx, 1e6); err != nil || s.Simulations() != 0 {
		t.Errorf("%d playouts, %v", s.Simulations(), err)
	}
	if m := s.Best(); m < 0 || m > 8 {
		t.Errorf("move %d", m)
	}
}
