package preflop

import (
	"bytes"
	"encoding/binary"
	"flag"
	"math"
	"os"
	"runtime"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/hand"
	"gamebots/acpc/ranges"
	"gamebots/internal/parallel"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

var (
	flopsOf = flag.String("flops", "", "write flops.bin, from the strategy in this `FILE`, in an hour of a core")
	samples = flag.Int("samples", 400, "boards for each two classes of hands")
)

// A line is one before the flop, after which a strategy sees a flop.
type line struct {
	raiser, segment int
	stake, ratio    float64
}

// linesOf returns the lines of a strategy.
func linesOf(tree *betting.Tree) (list []line) {
	g := tree.Game
	for i, s := range tree.Segments {
		if s.Round != 1 || tree.Nodes[s.First].Kind != betting.Decision {
			continue
		}
		l := line{raiser: nobody, segment: i, stake: float64(g.MaxBlind())}
		for node := s.From; tree.Parent(node) >= 0; node = tree.Parent(node) {
			if a := tree.Nodes[node].Action(); a.Type == acpc.Raise {
				l.raiser = SmallBlind
				if int(tree.Nodes[tree.Parent(node)].Actor) != int(g.FirstPlayer[0]) {
					l.raiser = BigBlind
				}
				l.stake = float64(a.Size)
				break
			}
		}
		l.ratio = (float64(g.Stack[0]) - l.stake) / (2 * l.stake)
		list = append(list, l)
	}
	return list
}

// walker finds what players win who go on by a strategy.
type walker struct {
	tree   *betting.Tree
	played [][]uint32 // probabilities in 255ths, a byte each, by decision and bucket
	// ends are by terminal what the player in the first position wins who has the worse hand, the same one, or the
	// better one, and then the pot, in chips.
	ends    [][4]float64
	buckets [2][acpc.MaxRounds]int
	better  int // 0, 1 or 2, as in ends
	stream  rng.Stream
}

// newWalker reads a strategy.
func newWalker(t *testing.T, p *policy.Policy) *walker {
	w := &walker{tree: p.Tree, played: make([][]uint32, len(p.Tree.Nodes))}
	for i := range p.Tree.Terminals {
		end := &p.Tree.Terminals[i]
		values := [4]float64{3: float64(end.Chips())}
		for better := range 3 {
			values[better] = end.Value(0, &[acpc.MaxPlayers]int{better, 1})
		}
		w.ends = append(w.ends, values)
	}
	parallel.For(runtime.NumCPU(), len(p.Tree.Nodes), func(_, node int) {
		n := &p.Tree.Nodes[node]
		if n.Kind != betting.Decision || n.Round == 0 {
			return
		}
		w.played[node] = make([]uint32, p.Buckets.NumBuckets(int(n.Round)))
		var choices []policy.Choice
		for b := range w.played[node] {
			var err error
			if choices, err = p.ChoicesAt(choices[:0], int32(node), b); err != nil || len(choices) > 4 {
				t.Error(len(choices), err)
				return
			}
			for a, c := range choices {
				w.played[node][b] |= uint32(math.Round(float64(c.Probability)*255)) << (8 * a)
			}
		}
	})
	return w
}

// least is the smallest part of a walk that is always followed. Of smaller ones some are, and stand for the others: a
// third of the time, for a third more variance.
const least = .1

// value returns what the player in the first position wins from a node on, and the pot at the end, in chips. A part of
// the walk comes there.
func (w *walker) value(node int32, part float64) (won, pot float64) {
	n := &w.tree.Nodes[node]
	switch n.Kind {
	case betting.Deal:
		return w.value(w.tree.Segments[n.First].First, part)
	case betting.Terminal:
		end := &w.ends[n.First]
		return end[w.better], end[3]
	}
	played := w.played[node][w.buckets[n.Actor][n.Round]]
	sum := float64(played&255 + played>>8&255 + played>>16&255 + played>>24)
	for a := range int32(n.NumActions) {
		p := float64(played>>(8*a)&255) / sum
		if p > 0 && part*p < least {
			if w.stream.Float64()*least >= part*p {
				continue
			}
			p = least / part
		}
		if p > 0 {
			x, y := w.value(n.First+a, part*p)
			won, pot = won+p*x, pot+p*y
		}
	}
	return won, pot
}

// sums are those of the samples of two classes by line: of what the first wins in the small blind and in the big one.
type sums struct {
	won, square, both [][2]float64
	pot               []float64
	share, shares     float64 // sums of what the first wins of a pot without bets, and of its square
}

// sample plays all lines with hands of two classes.
func (w *walker) sample(p *policy.Policy, list []line, a, b, count int) (s sums) {
	each := func() [][2]float64 { return make([][2]float64, len(list)) }
	s = sums{won: each(), square: each(), both: each(), pot: make([]float64, len(list))}
	w.stream = rng.Stream(rng.At(1, uint64(a*classes+b)))
	stream := &w.stream
	deck := card.Deck(card.NumSuits, card.NumRanks)
	holes := [2][]card.Set{ranges.Class(a).Hands(), ranges.Class(b).Hands()}
	small := int(p.Tree.Game.FirstPlayer[0])
	for range count {
		x, y := card.Set(1), card.Set(1)
		for x&y != 0 {
			x, y = holes[0][stream.IntN(len(holes[0]))], holes[1][stream.IntN(len(holes[1]))]
		}
		var dealt [acpc.MaxRounds]card.Set
		all := x | y
		for _, round := range []int{1, 1, 1, 2, 3} {
			c := deck[stream.IntN(len(deck))]
			for all.Has(c) {
				c = deck[stream.IntN(len(deck))]
			}
			all |= c.Bit()
			dealt[round] |= c.Bit()
		}
		var of [2][acpc.MaxRounds]int
		var rank [2]int
		for i, hole := range []card.Set{x, y} {
			board := [acpc.MaxRounds]card.Set{}
			for r := 1; r < 4; r++ {
				board[r] = dealt[r]
				of[i][r] = p.Buckets.Bucket(r, abstraction.Deal{Board: board, Hole: hole})
			}
			rank[i] = hand.ACPC.Rank(hole | dealt[1] | dealt[2] | dealt[3])
		}
		share := .5
		switch {
		case rank[0] > rank[1]:
			share = 1
		case rank[0] < rank[1]:
			share = 0
		}
		s.share += share
		s.shares += share * share
		for first := range 2 { // the first has the small blind, and then the big one
			own := small
			if first == 1 {
				own = 1 - small
			}
			w.buckets[own], w.buckets[1-own] = of[0], of[1]
			if w.better = int(2 * share); own != 0 {
				w.better = 2 - w.better
			}
			for k, l := range list {
				won, pot := w.value(w.tree.Segments[l.segment].First, 1)
				if own != 0 {
					won = -won
				}
				won /= 2 * l.stake
				s.won[k][first] += won
				s.square[k][first] += won * won
				s.both[k][first] += won * share
				s.pot[k] += pot / (2 * l.stake)
			}
		}
	}
	return s
}

// What hands win after flops begins with their equities, and good hands win of bad ones.
func TestFlopAfter(t *testing.T) {
	pairs, won := tables()
	of := func(list []share, small, big string) (won float64) {
		a, b := class(t, small), class(t, big)
		for _, x := range list {
			won += x.part * x.won[a][b] / pairs[a][b]
		}
		return won
	}
	for raiser := range 3 {
		if list := flops()[raiser]; len(list) < 10 || list[0].ratio != 0 {
			t.Fatalf("raiser %d: %d lines", raiser, len(list))
		}
		aces, kings := class(t, "AA"), class(t, "KK")
		want := won[aces][kings]/pairs[aces][kings] - .5
		if got := of(flopAfter(raiser, 0), "AA", "KK"); math.Abs(got-want) > 1e-9 {
			t.Errorf("raiser %d: all-in, aces win %g of kings, want %g", raiser, got, want)
		}
		if got := of(flopAfter(raiser, .01), "AA", "KK"); math.Abs(got-want) > .05 {
			t.Errorf("raiser %d: nearly all-in, aces win %g of kings, want about %g", raiser, got, want)
		}
		for _, ratio := range []float64{0, 1, 5, 20} {
			f := flopAfter(raiser, ratio)
			if x := (of(f, "AA", "72o") - of(f, "72o", "AA")) / 2; x < .25 || x > ratio+.5 {
				t.Errorf("raiser %d, ratio %g: aces win %g pots of a bad hand", raiser, ratio, x)
			}
			parts := 0.
			for _, x := range f {
				if parts += x.part; x.pots < 1 || x.pots > 1+2*x.ratio {
					t.Errorf("raiser %d, ratio %g: pots of %g", raiser, x.ratio, x.pots)
				}
			}
			if math.Abs(parts-1) > 1e-9 {
				t.Errorf("raiser %d, ratio %g: parts of %g", raiser, ratio, parts)
			}
		}
	}
	if most := flopAfter(SmallBlind, 1e4); most[0].ratio < 40 {
		t.Errorf("the largest ratio is %g", most[0].ratio)
	}
}

// The matrices of flops are what -flops writes.
func TestFlops(t *testing.T) {
	if *flopsOf == "" {
		t.Skip("needs -flops")
	}
	p, err := policy.Open(*flopsOf, 1<<32, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.Load(1 << 32); err != nil {
		t.Fatal(err)
	}
	list, threads := linesOf(p.Tree), runtime.NumCPU()
	read := newWalker(t, p)
	walkers := make([]walker, threads)
	for i := range walkers {
		walkers[i] = *read
	}
	var tasks [][2]int
	for a := range classes {
		for b := a; b < classes; b++ {
			tasks = append(tasks, [2]int{a, b})
		}
	}
	done := make([]sums, len(tasks))
	parallel.For(threads, len(tasks), func(worker, i int) {
		done[i] = walkers[worker].sample(p, list, tasks[i][0], tasks[i][1], *samples)
	})
	var out bytes.Buffer
	n := float64(*samples)
	pairs, equal := tables()
	for k, l := range list {
		// The known equities take away what the boards add by chance to a pot without bets.
		var covariance, variance, before, after, weight, pot float64
		for i, s := range done {
			for first := range 2 {
				covariance += s.both[k][first] - s.won[k][first]*s.share/n
				variance += s.shares - s.share*s.share/n
			}
			at := pairs[tasks[i][0]][tasks[i][1]]
			pot, weight = pot+at*s.pot[k]/n/2, weight+at
		}
		slope := covariance / variance
		m, most := new(matrix), 0.
		for i, s := range done {
			a, b := tasks[i][0], tasks[i][1]
			chance := slope * (s.share/n - equal[a][b]/pairs[a][b])
			for first := range 2 {
				x := s.won[k][first]/n - chance
				own := s.square[k][first]/n - s.won[k][first]*s.won[k][first]/n/n
				chances := s.shares/n - s.share*s.share/n/n
				joint := s.both[k][first]/n - s.won[k][first]*s.share/n/n
				before, after = before+own/n, after+(own-2*slope*joint+slope*slope*chances)/n
				if first == 0 {
					m[a][b] = x
				} else if a != b {
					m[b][a] = -x
				} else {
					m[a][b] = (m[a][b] - x) / 2
				}
				most = max(most, math.Abs(x))
			}
		}
		t.Logf("raiser %d, stake %g, ratio %.3f: slope %.2f, at most %.2f pots, final pots of %.2f, standard error "+
			"%.3f, %.3f without equities", l.raiser, l.stake, l.ratio, slope, most, pot/weight,
			math.Sqrt(after/float64(2*len(done))), math.Sqrt(before/float64(2*len(done))))
		for _, x := range []float64{float64(l.raiser), l.ratio, pot / weight, most} {
			_ = binary.Write(&out, binary.LittleEndian, float32(x))
		}
		for a := range m {
			for _, x := range m[a] {
				root := math.Round(math.MaxInt8 * math.Sqrt(math.Abs(x)/most))
				out.WriteByte(byte(int8(math.Copysign(root, x))))
			}
		}
	}
	if err := os.WriteFile("flops.bin", out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
