package spot

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
	"gamebots/solvers/cfr"
	"gamebots/solvers/internal/vectors"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// testSpot returns a spot with a menu of the same bets and raises for both players on all
// streets.
func testSpot(t testing.TB, board, oop, ip string, pot, stack int, bets, raises string) *Spot {
	t.Helper()
	s := &Spot{Pot: pot, Stack: stack}
	for i := 0; i < len(board); i += 2 {
		c, err := card.Parse(board[i:])
		if err != nil {
			t.Fatal(err)
		}
		s.Board = append(s.Board, c)
	}
	for p, text := range []string{oop, ip} {
		r, err := ranges.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Ranges[p] = r
		for k := range layout.NumStreets {
			if s.Menu.Bets[p][k], err = ParseSizes(bets, false); err != nil {
				t.Fatal(err)
			}
			if s.Menu.Raises[p][k], err = ParseSizes(raises, true); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

func testSolver(t testing.TB, s *Spot, algorithm string, iterations, threads int) *Solver {
	t.Helper()
	name, half := strings.CutSuffix(algorithm, "/16")
	a, ok := cfr.AlgorithmByName(name)
	a.Quantized = half
	if !ok {
		t.Fatal(algorithm)
	}
	solver, err := New(s, Options{Algorithm: a, Threads: threads, Memory: 1 << 32})
	if err != nil {
		t.Fatal(err)
	}
	for range iterations {
		solver.Step()
	}
	return solver
}

// What Evaluate says of average strategies is what the reference finds, and the values of
// best responses too.
func TestEvaluateAgainstReference(t *testing.T) {
	for name, s := range map[string]*Spot{
		"river": testSpot(t, "QsJh2h8d3c", "AA,KJs:0.5,T9s,76s,QJ", "KK,QTs,J8s:0.25,A5s,22",
			100, 350, "50,a", "2.5x"),
		"turn":           testSpot(t, "Td9d6hQc", "88,KJs:0.5,A5s", "QQ,T9s,AKo:0.3,7d5d", 200, 500, "60", "a"),
		"symmetric turn": testSpot(t, "Td9d6hQh", "88,KsJs:0.5,KcJc:0.5,A5s", "QQ,T9s,AsKs,AcKc", 200, 500, "60", "a"),
		"flop":           testSpot(t, "QhJh2h", "Ac5c,Ad5d,As5s,KsTs", "Tc9c,Td9d,Ts9s,8s8h:0.5", 100, 150, "100", ""),
		"16 bits":        testSpot(t, "Td9d6hQh", "88,KsJs:0.5,KcJc:0.5,A5s", "QQ,T9s,AsKs,AcKc", 200, 500, "60", "a"),
		"rake": testSpot(t, "QsQh2h8d3c", "AA,KQ,T9s,76s,Q8s", "KK,QTs,J8s:0.25,KQ,22",
			100, 350, "50,a", "2.5x"),
	} {
		t.Run(name, func(t *testing.T) {
			if name == "rake" {
				s.Rake = Rake{Part: .05, Cap: 20}
			}
			algorithm := "dcfr"
			if name == "16 bits" {
				algorithm += "/16"
			}
			solver := testSolver(t, s, algorithm, 7, 2)
			got := solver.Solution().Evaluate()
			r := newReference(solver)
			for p := range 2 {
				mean := r.value(p)
				r.best = true
				gain := r.value(p) - mean
				r.best = false
				if got.Values[p] == 0 || math.Abs(got.Values[p]-mean-float64(s.Pot)/2) > 1e-3 {
					t.Errorf("player %d: %g, want %g", p, got.Values[p], mean+float64(s.Pot)/2)
				}
				if gain == 0 || math.Abs(got.Gains[p]-gain) > 1e-3 {
					t.Errorf("player %d gains %g, want %g", p, got.Gains[p], gain)
				}
			}
		})
	}
}

// On a river with nuts and bluffs against hands that beat the bluffs only, a bet b into a pot p
// is made with all nuts and b/(p+b) bluffs for each, and called with p/(p+b) of the hands.
func TestPolarisedRange(t *testing.T) {
	s := testSpot(t, "2c3d7h8sTc", "AA,KK,QhJh,QdJd,QsJs,QcJc,KsJs,KdJd,KcQc,KdQd,KhQh,KsQs", "99", 100, 100, "100", "")
	s.Menu.Bets[1][layout.River] = nil
	// AA and KK are 12 nuts, the other 10 hands are bluffs.
	solver := testSolver(t, s, "dcfr", 2000, 1)
	e := solver.Solution().Evaluate()
	if e.Exploitability() > .02 {
		t.Errorf("exploitability %g", e.Exploitability())
	}
	// 12 nuts and 6 bluffs bet: the better wins the pot with 18 of 22 hands.
	if want := 100 * 18. / 22; math.Abs(e.Values[0]-want) > .05 {
		t.Errorf("value %g, want %g", e.Values[0], want)
	}
}

// The same work gives the same bits for any number of threads.
func TestThreads(t *testing.T) {
	s := testSpot(t, "Td9d6hQh", "88,KsJs:0.5,KcJc:0.5,A5s", "QQ,T9s,AsKs,AcKc", 200, 500, "60", "a")
	one := testSolver(t, s, "dcfr", 10, 1)
	three := testSolver(t, s, "dcfr", 10, 3)
	if !sameEntries(one, three) {
		t.Error("three threads do not give the results of one")
	}
}

func BenchmarkTurn(b *testing.B) {
	s := testSpot(b, "Td9d6hQc", "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
		"QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+", 200, 900, "60,e,a", "2.5x")
	solver := testSolver(b, s, "dcfr", 1, 1)
	b.Logf("%d entries, %d MB, %d threads", solver.Entries(), solver.Bytes()>>20, runtime.NumCPU())
	for b.Loop() {
		solver.Step()
	}
}

func BenchmarkLargeTurn(b *testing.B) {
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			solver := testSolver(b, largeTurn(b), "dcfr", 0, threads)
			for b.Loop() {
				solver.Step()
			}
		})
	}
}

// largeTurn returns a turn of all hands, with 20 million entries.
func largeTurn(b *testing.B) *Spot {
	s := testSpot(b, "Ks9d7h4c", "random", "random", 200, 1800, "33,75,150", "75")
	s.Menu.RaiseCap = 2
	return s
}

// The loops with AVX2 and AVX-512 give the bits of the portable ones.
func TestPortableLoops(t *testing.T) {
	s := testSpot(t, "Td9d6hQh", "88,KsJs:0.5,KcJc:0.5,A5s", "QQ,T9s,AsKs,AcKc", 200, 500, "60", "a")
	s.Rake = Rake{Part: .05}
	for _, algorithm := range []string{"dcfr", "dcfr/16", "cfr+"} {
		fast := testSolver(t, s, algorithm, 10, 1)
		vectors.Portably(func() {
			if slow := testSolver(t, s, algorithm, 10, 1); !sameEntries(fast, slow) {
				t.Errorf("%s: portable loops give other results", algorithm)
			}
		})
		vectors.WithoutAVX512(func() {
			if slower := testSolver(t, s, algorithm, 10, 1); !sameEntries(fast, slower) {
				t.Errorf("%s: AVX2 gives other results than AVX-512", algorithm)
			}
		})
	}
}

// Rounding to 16 bits costs little, however many iterations there are.
func TestRounding(t *testing.T) {
	s := testSpot(t, "QsJh2h8d3c", "22+,A2s+,KTs+,QTs+,J9s+,T8s+,97s+", "22+,A2s+,K9s+,Q9s+,J8s+,T8s+,76s,KQo",
		5000, 20_000, "50,a", "60")
	for _, algorithm := range Algorithms() {
		exact, rounded := testSolver(t, s, algorithm, 0, 1), testSolver(t, s, algorithm+"/16", 0, 1)
		for _, n := range []int{100, 900} {
			for range n {
				exact.Step()
				rounded.Step()
			}
			x, y := exact.Solution().Exploitability(), rounded.Solution().Exploitability()
			t.Logf("%s: %.4g chips after %d iterations, in 16 bits %.4g", algorithm, x, exact.Iterations(), y)
			if y > 1.1*x+1 {
				t.Errorf("%s: %g chips after %d iterations, in 16 bits %g", algorithm, x, exact.Iterations(), y)
			}
		}
	}
}

// sameEntries reports whether two solvers have the same entries.
func sameEntries(a, b *Solver) bool {
	same := func(a, b layout.Entries) bool {
		return slices.Equal(a.Floats, b.Floats) && slices.Equal(a.Packed, b.Packed) && slices.Equal(a.Scales, b.Scales)
	}
	return same(a.regrets, b.regrets) && same(a.sums, b.sums)
}

func BenchmarkRiver(b *testing.B) {
	s := testSpot(b, "Ks9d7h4c2s", "random", "random", 200, 1800, "33,75,150", "75")
	s.Menu.RaiseCap = 3
	solver := testSolver(b, s, "dcfr", 1, 1)
	b.Logf("%d entries, %d decisions", solver.Entries(), solver.Decisions())
	for b.Loop() {
		solver.Step()
	}
}

func BenchmarkFlop(b *testing.B) {
	s := testSpot(b, "QsJh2h",
		"88+,A8s+,A5s-A2s:0.5,AJo+,ATo:0.75,K9s+,KQo,KJo:0.75,KTo:0.25,Q9s+,QJo:0.5,J8s+,JTo:0.25,T8s+,"+
			"T7s:0.45,97s+,96s:0.45,87s,86s:0.75,85s:0.45,75s+:0.75,74s:0.45,65s:0.75,64s:0.5,63s:0.45,"+
			"54s:0.75,53s:0.5,52s:0.45,43s:0.5,42s:0.45,32s:0.45",
		"AA:0.25,99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,96s+,95s:0.5,98o,86s+,"+
			"85s:0.5,75s+,74s:0.5,64s+,63s:0.5,54s,53s:0.5,43s", 180, 910, "60", "45")
	for _, algorithm := range []string{"dcfr", "dcfr/16"} {
		b.Run(algorithm, func(b *testing.B) {
			solver := testSolver(b, s, algorithm, 1, runtime.NumCPU())
			b.Logf("%d entries, %d decisions", solver.Entries(), solver.Decisions())
			for b.Loop() {
				solver.Step()
			}
		})
	}
}

// Solve stops after the iteration in which it is interrupted, and goes on where it stopped.
func TestInterruption(t *testing.T) {
	s := testSpot(t, "2c3d7h8sTc", "AA,QhJh", "99", 100, 100, "100", "")
	solver, whole := testSolver(t, s, "dcfr", 0, 1), testSolver(t, s, "dcfr", 40, 1)
	ctx, cancel := context.WithCancel(t.Context())
	exploitability := solver.Solve(ctx, Limits{Iterations: 40}, func(float64) { cancel() })
	if n := solver.Iterations(); n == 0 || n >= 40 || exploitability != solver.Solution().Exploitability() {
		t.Errorf("stopped after %d iterations with %g, not %g", n, exploitability, solver.Solution().Exploitability())
	}
	solver.Solve(t.Context(), Limits{Iterations: 40}, func(float64) {})
	if solver.Iterations() != 40 || !sameEntries(solver, whole) {
		t.Errorf("%d iterations, with entries that differ", solver.Iterations())
	}
}

// An iteration that is aborted does not count, and leaves strategies that can be evaluated.
func TestAbort(t *testing.T) {
	s := testSpot(t, "2c3d7h8sTc", "AA,QhJh", "99", 100, 100, "100", "")
	solver := testSolver(t, s, "dcfr", 10, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if solver.StepUntil(ctx) || solver.Iterations() != 10 {
		t.Errorf("%d iterations after one that was aborted", solver.Iterations())
	}
	x := solver.Solve(ctx, Limits{Iterations: 40, Abort: ctx}, func(float64) { t.Error("it is evaluated again") })
	if left := solver.Solution().Exploitability(); !math.IsNaN(x) || !(left > 0 && left < 100) {
		t.Errorf("an exploitability of %v, then of %v", x, left)
	}
}

// Solve stops soon after the target is reached, and seldom computes how far it is.
func TestTarget(t *testing.T) {
	s := testSpot(t, "2c3d7h8sTc", "AA,QhJh,T9s,65s", "99,A8s,KTs", 100, 300, "50,100", "100")
	const target = .005
	first := testSolver(t, s, "dcfr", 1, 1)
	for first.Solution().Exploitability() > target {
		first.Step()
	}
	solver, times := testSolver(t, s, "dcfr", 0, 1), 0
	x := solver.Solve(t.Context(), Limits{Iterations: 10_000, Exploitability: target}, func(float64) { times++ })
	n := first.Iterations()
	t.Logf("reached after %d iterations, noticed after %d, computed %d times", n, solver.Iterations(), times)
	if x > target || solver.Iterations() > n+n/8 || times > 12 {
		t.Error("too late or too often")
	}
}

// A lock on one board holds there only, whatever the names of its suits: the clubs of a turn
// with two spades and two hearts are like its diamonds, but not where one of them is locked.
func TestLockOnOneBoard(t *testing.T) {
	s := testSpot(t, "Ts9s6hQh", "AA,KcJc,KdJd", "88,AcQc,AdQd", 100, 100, "100", "")
	always := map[card.Set]map[string]float64{}
	for _, text := range []string{"AcQc", "AdQd", "8c8d", "8c8h", "8c8s", "8d8h", "8d8s", "8h8s"} {
		hole, err := card.ParseSet(text)
		if err != nil {
			t.Fatal(err)
		}
		always[hole] = map[string]float64{"c": 1}
	}
	s.Locks = []Lock{{"x x 2c b100", always}}
	solver := testSolver(t, s, "dcfr", 60, 1)
	for line, locked := range map[string]bool{"x x 2c b100": true, "x x 2d b100": false} {
		n, err := solver.Solution().At(line)
		if err != nil {
			t.Fatal(err)
		}
		if calls := n.Summary(1).Probabilities[1]; (calls > .999) != locked {
			t.Errorf("%q: %g calls", line, calls)
		}
	}
}

// Solve ends with Limits.Abort, whether or not the other context has.
func TestAbortAlone(t *testing.T) {
	s := testSpot(t, "2c3d7h8sTc", "AA,QhJh", "99", 100, 100, "100", "")
	solver := testSolver(t, s, "dcfr", 0, 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	abort, end := context.WithCancel(t.Context())
	x := solver.Solve(ctx, Limits{Iterations: 40, Abort: abort}, func(float64) { end() })
	if n := solver.Iterations(); !math.IsNaN(x) || n != firstWait || ctx.Err() != nil {
		t.Errorf("%d iterations, and %v: %v", n, x, ctx.Err())
	}
}
