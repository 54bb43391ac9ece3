package multiplayer

import (
	"errors"
	"flag"
	"math"
	"math/big"
	"runtime"
	"slices"
	"testing"

	"gamebots/internal/parallel"
	"gamebots/internal/rng"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/game"
)

// games is how many random games of 3 by 3 by 3 TestMultiStart solves.
var games = flag.Int("games", 3, "random games of three players to compare with a second method")

func random(t *testing.T, seed uint64, high int64, sizes ...int) *game.NormalForm {
	t.Helper()
	g, err := game.Random(seed, 0, high, sizes...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func solved(t *testing.T, g *game.NormalForm) *Result {
	t.Helper()
	r, err := Solve(t.Context(), g, 2)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Pure equilibria are the cells from which nobody gains by another strategy.
func TestPure(t *testing.T) {
	for seed := range uint64(20) {
		g := random(t, seed, 3, 2, 3, 1, 4)
		var want []int
		for c := range g.Cells() {
			stable := true
			for p, n := range g.Sizes {
				profile := g.Profile(c)
				for s := range n {
					profile[p] = s
					stable = stable && g.Payoffs[p][g.Cell(profile)].Cmp(g.Payoffs[p][c]) <= 0
				}
			}
			if stable {
				want = append(want, c)
			}
		}
		if got, err := Pure(t.Context(), g); err != nil || !slices.Equal(got, want) {
			t.Errorf("seed %d: %v, want %v: %v", seed, got, want, err)
		}
	}
}

// With a third player who has one strategy, a game of two players has the equilibria
// that are found exactly.
func TestTwoOfThree(t *testing.T) {
	for seed := range uint64(15) {
		two, err := game.Generate(game.Recipe{Family: "RandomGame", Rows: 2 + int(seed%3), Cols: 2 + int(seed/3%3),
			Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		want, err := nash.Solve(t.Context(), two, nash.Options{})
		if err != nil || want.Degeneracy != nash.Nondegenerate {
			t.Fatalf("%s: %v: %v", two.Title, want.Degeneracy, err)
		}
		three := two.NormalForm()
		three.Players, three.Strategies = append(three.Players, "dummy"), append(three.Strategies, nil)
		three.Sizes, three.Payoffs = append(three.Sizes, 1), append(three.Payoffs,
			slices.Repeat([]*big.Rat{new(big.Rat)}, three.Cells()))
		r := solved(t, three)
		if r.Undecided != 0 || len(r.Equilibria) != len(want.Equilibria) {
			t.Errorf("%s: %d equilibria and %d undecided, want %d", two.Title, len(r.Equilibria), r.Undecided,
				len(want.Equilibria))
		}
		for _, e := range want.Equilibria {
			if !r.has([][]float64{rats(e.X), rats(e.Y), {1}}, 1e-12) {
				t.Errorf("%s: %v %v is missing", two.Title, e.X, e.Y)
			}
		}
	}
}

func rats(x []*big.Rat) []float64 {
	out := make([]float64, len(x))
	for i, q := range x {
		out[i], _ = q.Float64()
	}
	return out
}

// has reports whether an equilibrium is in the list, within its radius and more.
func (r *Result) has(x [][]float64, more float64) bool {
	return slices.ContainsFunc(r.Equilibria, func(e Equilibrium) bool {
		return distance(e.Strategies, x) <= e.Radius+more
	})
}

func distance(x, y [][]float64) (largest float64) {
	for p := range x {
		for i := range x[p] {
			largest = max(largest, math.Abs(x[p][i]-y[p][i]))
		}
	}
	return largest
}

// Supports may have strategies of any number: here those of the first player are its last two,
// which are matching pennies, and all before them are dominated.
func TestCertifyManyStrategies(t *testing.T) {
	for _, n := range []int{10, 63, 64, 65, 66, 67, 100, 130} {
		g := &game.NormalForm{
			Players: []string{"1", "2"}, Strategies: make([][]string, 2), Sizes: []int{n, 2},
			Payoffs: make([][]*big.Rat, 2),
		}
		for cell := range g.Cells() {
			profile, own, other := g.Profile(cell), int64(-2), int64(0)
			if pennies := profile[0] - (n - 2); pennies >= 0 {
				own = int64(1 - 2*(pennies^profile[1]))
				other = -own
			}
			g.Payoffs[0], g.Payoffs[1] = append(g.Payoffs[0], big.NewRat(own, 1)), append(g.Payoffs[1],
				big.NewRat(other, 1))
		}
		near := [][]float64{make([]float64, n), {0.499, 0.501}}
		near[0][n-2], near[0][n-1] = 0.5001, 0.4999
		e, ok := Certify(g, near)
		if !ok {
			t.Errorf("%d strategies: not certified", n)
			continue
		}
		want := [][]float64{make([]float64, n), {0.5, 0.5}}
		want[0][n-2], want[0][n-1] = 0.5, 0.5
		if d := distance(e.Strategies, want); d > 1e-9 {
			t.Errorf("%d strategies: %v", n, e.Strategies)
		}
	}
}

// A second method, of many starts, finds no other equilibria, and by the definition
// all that are found are nearly equilibria.
func TestMultiStart(t *testing.T) {
	parallel.For(runtime.GOMAXPROCS(0), *games, func(_, i int) {
		seed := uint64(i)
		g, err := game.Random(seed, 0, 1000000, 3, 3, 3)
		if err != nil {
			t.Error(err)
			return
		}
		r, err := Solve(t.Context(), g, 1)
		if err != nil {
			t.Error(err)
			return
		}
		if r.Undecided == 0 && len(r.Equilibria)%2 == 0 {
			t.Errorf("seed %d: %d equilibria", seed, len(r.Equilibria))
		}
		for _, e := range r.Equilibria {
			if regret := regretOf(g, e.Strategies); regret > 1e-6 { // payoffs are up to 10^6
				t.Errorf("seed %d: %v gains %v by deviations", seed, e.Strategies, regret)
			}
		}
		m := multiStart{g: g, draws: rng.Stream(seed)}
		for range 500 {
			if x := m.try(); x != nil && !r.has(x, 1e-7) && r.Undecided == 0 {
				t.Errorf("seed %d: %v is missing", seed, x)
			}
		}
	})
}

// payoffOf returns a player's payoff by one strategy against the others.
func payoffOf(g *game.NormalForm, player, strategy int, x [][]float64) float64 {
	sum := 0.0
	for c, payoff := range g.Payoffs[player] {
		weight, _ := payoff.Float64()
		for p, s := range g.Profile(c) {
			switch {
			case p != player:
				weight *= x[p][s]
			case s != strategy:
				weight = 0
			}
		}
		sum += weight
	}
	return sum
}

// regretOf returns the most that a player gains by a deviation.
func regretOf(g *game.NormalForm, x [][]float64) (regret float64) {
	for p := range x {
		best, own := math.Inf(-1), 0.0
		for s := range x[p] {
			payoff := payoffOf(g, p, s, x)
			best, own = max(best, payoff), own+x[p][s]*payoff
		}
		regret = max(regret, best-own)
	}
	return regret
}

// A multiStart tries random supports and starts: it moves probabilities by Newton's
// method with numeric derivatives.
type multiStart struct {
	g     *game.NormalForm
	draws rng.Stream
}

// try returns an equilibrium, or nil.
func (m *multiStart) try() [][]float64 {
	var variables [][2]int // player and strategy; the last of a support follows from the others
	x, last := make([][]float64, len(m.g.Sizes)), make([]int, len(m.g.Sizes))
	for p, n := range m.g.Sizes {
		x[p] = make([]float64, n)
		set, sum := 1+m.draws.Uint64()%(1<<n-1), 0.0
		for s := range n {
			if set>>s&1 != 0 {
				x[p][s] = -math.Log(1 - m.draws.Float64())
				sum += x[p][s]
				variables, last[p] = append(variables, [2]int{p, s}), s
			}
		}
		for s := range x[p] {
			x[p][s] /= sum
		}
	}
	variables = slices.DeleteFunc(variables, func(v [2]int) bool { return last[v[0]] == v[1] })
	values := func() []float64 {
		f := make([]float64, len(variables))
		for i, v := range variables {
			f[i] = (payoffOf(m.g, v[0], v[1], x) - payoffOf(m.g, v[0], last[v[0]], x)) / 1e6
		}
		return f
	}
	for range 12 {
		f := values()
		rows := make([][]float64, len(f))
		const step = 1e-6 // exact up to rounding, as payoffs are linear in each player's mixture
		for _, v := range variables {
			x[v[0]][v[1]] += step
			x[v[0]][last[v[0]]] -= step
			for i, y := range values() {
				rows[i] = append(rows[i], (y-f[i])/step)
			}
			x[v[0]][v[1]] -= step
			x[v[0]][last[v[0]]] += step
		}
		for i := range rows {
			rows[i] = append(rows[i], f[i])
		}
		if !eliminate(rows) {
			return nil
		}
		for i, v := range variables {
			move := rows[i][len(variables)]
			x[v[0]][v[1]] -= move
			x[v[0]][last[v[0]]] += move
		}
	}
	for _, probabilities := range x {
		if slices.Min(probabilities) < 0 || slices.Max(probabilities) > 1 {
			return nil
		}
	}
	if !(regretOf(m.g, x) < 1e-5) {
		return nil
	}
	return x
}

// eliminate solves a system of equations in place, the last column of which becomes
// the solution.
func eliminate(rows [][]float64) bool {
	for c := range rows {
		for r := c + 1; r < len(rows); r++ {
			if math.Abs(rows[r][c]) > math.Abs(rows[c][c]) {
				rows[r], rows[c] = rows[c], rows[r]
			}
		}
		if math.Abs(rows[c][c]) < 1e-9 {
			return false
		}
		for r := range rows {
			f := rows[r][c] / rows[c][c]
			if r == c {
				f = 1 - 1/rows[c][c]
			}
			for j, y := range rows[c] {
				rows[r][j] -= f * y
			}
		}
	}
	return true
}

// Where all profiles are equilibria, the result is the pure ones and one continuum.
func TestAllEqual(t *testing.T) {
	r := solved(t, random(t, 1, 0, 2, 2, 2)) // all payoffs are 0
	if r.Undecided != 0 || len(r.Equilibria) != 8 || len(r.Continua) != 1 || len(r.Continua[0].Parameters) != 3 {
		t.Errorf("%d equilibria, %d continua, %d undecided", len(r.Equilibria), len(r.Continua), r.Undecided)
	}
}

func TestTooLarge(t *testing.T) {
	if _, err := Solve(t.Context(), random(t, 1, 9, 5, 5, 5), 1); !errors.Is(err, ErrTooLarge) {
		t.Errorf("5 by 5 by 5: %v", err)
	}
}

// The interval of an expectation has the numbers that are computed exactly, where the
// numbers of a box add up to more than 1, too.
func TestOverWideBoxes(t *testing.T) {
	draws := rng.Stream(1)
	for range 100 {
		x := tensor{sizes: []int{6, 6, 6}}
		most := new(big.Rat) // where all numbers are 1
		for range 6 * 6 * 6 {
			payoff := draws.Float64()
			x.of = append(x.of, payoff)
			most.Add(most, new(big.Rat).SetFloat64(payoff))
		}
		wide := make(box, 3)
		for p := range wide {
			wide[p] = slices.Repeat([]interval{{0, 1}}, 6)
		}
		if got := x.over(wide); new(big.Rat).SetFloat64(got.hi).Cmp(most) < 0 {
			t.Fatalf("up to %v, but %v is possible", got.hi, most.FloatString(17))
		}
	}
}
