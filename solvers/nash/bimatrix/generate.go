package bimatrix

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gamebots/internal/rng"
	"gamebots/internal/usererr"
)

// A Recipe describes a generated game. The same recipe gives the same game.
type Recipe struct {
	Family     string // one of Families
	Rows, Cols int    // 0 for families of one size
	Seed       uint64
	Low, High  int64 // payoffs of random games; from 0 to 1000000 if both are 0
}

// A family makes the payoffs of both players.
type family struct {
	about  string
	fixed  int  // the size of a family of one size, or 0
	square bool // rows and columns must be equal in number
	// cell returns the payoffs of each cell. It is called for all cells, row by row.
	cell func(r Recipe, d *draws) func(i, j int) (a, b int64)
}

// shape returns the cells of a family without random choices.
func shape(cell func(n, i, j int64) (a, b int64)) func(Recipe, *draws) func(i, j int) (a, b int64) {
	return func(r Recipe, _ *draws) func(i, j int) (int64, int64) {
		return func(i, j int) (int64, int64) { return cell(int64(r.Rows), int64(i), int64(j)) }
	}
}

// table returns the cells of a family of one size.
func table(a, b [][]int64) func(Recipe, *draws) func(i, j int) (int64, int64) {
	return shape(func(_, i, j int64) (int64, int64) { return a[i][j], b[i][j] })
}

// families have the names and ideas of GAMUT (Nudelman, Wortman, Shoham and
// Leyton-Brown 2004). Their payoffs are integers chosen for this program.
var families = map[string]family{
	"RandomGame": {about: "independent payoffs, all of one player before the next one's",
		cell: func(r Recipe, d *draws) func(int, int) (int64, int64) {
			a := make([]int64, r.Rows*r.Cols)
			for i := range a {
				a[i] = d.between(r.Low, r.High)
			}
			return func(i, j int) (int64, int64) { return a[i*r.Cols+j], d.between(r.Low, r.High) }
		}},
	"RandomZeroSum": {about: "independent payoffs that add up to 0",
		cell: func(r Recipe, d *draws) func(int, int) (int64, int64) {
			return func(int, int) (int64, int64) { x := d.between(r.Low, r.High); return x, -x }
		}},
	"CovariantGame": {about: "payoffs of a cell that are correlated by -1/2",
		cell: func(r Recipe, d *draws) func(int, int) (int64, int64) {
			return func(int, int) (int64, int64) {
				x, y := d.normal(), d.normal()
				return int64(math.Round(1e6 * x)), int64(math.Round(1e6 * (-0.5*x + math.Sqrt(0.75)*y)))
			}
		}},
	"BattleOfTheSexes": {about: "each has a favourite among what both want to do together", fixed: 2,
		cell: table([][]int64{{2, 0}, {0, 1}}, [][]int64{{1, 0}, {0, 2}})},
	"Chicken": {about: "who swerves loses a little, and both everything if nobody does", fixed: 2,
		cell: table([][]int64{{0, -1}, {1, -10}}, [][]int64{{0, 1}, {-1, -10}})},
	"HawkAndDove": {about: "a prize of 4 and a fight that costs 6", fixed: 2,
		cell: table([][]int64{{-1, 4}, {0, 2}}, [][]int64{{-1, 0}, {4, 2}})},
	"PrisonersDilemma": {about: "each is better off betraying, and both worse", fixed: 2,
		cell: table([][]int64{{3, 0}, {5, 1}}, [][]int64{{3, 5}, {0, 1}})},
	"MatchingPennies": {about: "one wants the same, the other something else", fixed: 2,
		cell: table([][]int64{{1, -1}, {-1, 1}}, [][]int64{{-1, 1}, {1, -1}})},
	"RockPaperScissors": {about: "each beats another", fixed: 3,
		cell: table([][]int64{{0, -1, 1}, {1, 0, -1}, {-1, 1, 0}}, [][]int64{{0, 1, -1}, {-1, 0, 1}, {1, -1, 0}})},
	"ShapleysGame": {about: "where fictitious play goes round in circles", fixed: 3,
		cell: table([][]int64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, [][]int64{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}})},
	"TwoByTwoGame": {about: "independent payoffs of two by two", fixed: 2,
		cell: func(r Recipe, d *draws) func(int, int) (int64, int64) {
			return func(int, int) (int64, int64) { return d.between(r.Low, r.High), d.between(r.Low, r.High) }
		}},
	"CoordinationGame": {about: "random payoffs, higher where both choose the same", square: true,
		cell: diagonal(func(d *draws) (int64, int64) {
			return d.between(600000, 1000000), d.between(600000, 1000000)
		})},
	"CollaborationGame": {about: "random payoffs, the highest where both choose the same",
		square: true, cell: diagonal(func(*draws) (int64, int64) {
			return 1000000, 1000000
		})},
	"DispersionGame": {about: "both win by choosing differently", square: true,
		cell: shape(func(_, i, j int64) (int64, int64) {
			return btoi(i != j), btoi(i != j)
		})},
	"TravelersDilemma": {about: "claims from 2 up; who claims less takes 2 from the other", square: true,
		cell: shape(func(_, i, j int64) (int64, int64) {
			least := min(i, j) + 2
			return least + 2*sign(j-i), least + 2*sign(i-j)
		})},
	"MinimumEffortGame": {about: "the least effort is what both gain by, each pays the own", square: true,
		cell: shape(func(_, i, j int64) (int64, int64) {
			return 2*min(i, j) - i, 2*min(i, j) - j
		})},
	"GrabTheDollar": {about: "who grabs first has it, and waiting makes it larger", square: true,
		cell: shape(func(n, i, j int64) (int64, int64) {
			prize := min(i, j) + 2
			if i == j {
				return -prize, -prize
			}
			return prize * btoi(i < j), prize * btoi(j < i)
		})},
	"WarOfAttrition": {about: "a prize for who stays longer, and time costs both", square: true,
		cell: shape(func(n, i, j int64) (int64, int64) {
			cost := 2 * min(i, j)
			return n*(1+sign(i-j)) - cost, n*(1+sign(j-i)) - cost
		})},
	"GuessTwoThirdsAve": {about: "a prize for who is nearer to two thirds of the average", square: true,
		cell: shape(func(n, i, j int64) (int64, int64) {
			x, y := 3*i-(i+j), 3*j-(i+j)
			return 1 + sign(y*y-x*x), 1 + sign(x*x-y*y)
		})},
	"BertrandOligopoly": {about: "the lower price sells, at a cost of 1 each", square: true,
		cell: shape(func(n, i, j int64) (int64, int64) {
			price := min(i, j) + 1
			profit := (price - 1) * (2*n - price)
			return profit * (1 + sign(j-i)), profit * (1 + sign(i-j))
		})},
	"CournotDuopoly": {about: "the price falls with what both produce",
		cell: func(r Recipe, _ *draws) func(int, int) (int64, int64) {
			return func(i, j int) (int64, int64) {
				price := int64(3*max(r.Rows, r.Cols) - 2*(i+j))
				return int64(i) * price, int64(j) * price
			}
		}},
	"LocationGame": {about: "shops on a street; customers go to the nearer", square: true,
		cell: shape(func(n, i, j int64) (int64, int64) {
			if i == j {
				return n, n
			}
			left := i + j + 1 // twice the customers of the one on the left
			if i < j {
				return left, 2*n - left
			}
			return 2*n - left, left
		})},
}

// diagonal returns the cells of a family with payoffs where both choose the same, and
// lower random payoffs elsewhere.
func diagonal(same func(*draws) (int64, int64)) func(Recipe, *draws) func(i, j int) (a, b int64) {
	return func(_ Recipe, d *draws) func(i, j int) (int64, int64) {
		return func(i, j int) (int64, int64) {
			if i == j {
				return same(d)
			}
			return d.between(0, 500000), d.between(0, 500000)
		}
	}
}

func sign(x int64) int64 { return btoi(x > 0) - btoi(x < 0) }

func btoi(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// Families returns the families that Generate knows, as "name: description".
func Families() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(families)) {
		f := families[name]
		about := name + ": " + f.about
		if f.fixed > 0 {
			about += fmt.Sprintf(" (%d by %d)", f.fixed, f.fixed)
		}
		out = append(out, about)
	}
	return out
}

// Generate generates a game. Random payoffs are drawn from SplitMix64. RandomGame draws
// Low + next mod (High-Low+1), first all payoffs of the row player, row by row, and
// then those of the column player. Most other families draw cell by cell.
func Generate(r Recipe) (*Game, error) {
	f, ok := families[r.Family]
	switch {
	case r.Family == "PolymatrixGame":
		return nil, fmt.Errorf("%s: %w", r.Family, ErrPlayers)
	case !ok:
		return nil, fmt.Errorf("unknown family of games %q: want %s",
			r.Family, usererr.OneOf(r.Family, slices.Sorted(maps.Keys(families))))
	}
	if r.Low == 0 && r.High == 0 {
		r.High = 1000000
	}
	if f.fixed > 0 {
		if r.Rows|r.Cols == 0 {
			r.Rows, r.Cols = f.fixed, f.fixed
		}
		if r.Rows != f.fixed || r.Cols != f.fixed {
			return nil, fmt.Errorf("%s has %d by %d strategies", r.Family, f.fixed, f.fixed)
		}
	}
	switch {
	case r.Rows|r.Cols == 0:
		return nil, fmt.Errorf("%s comes in any size: one is needed", r.Family)
	case f.square && r.Rows != r.Cols:
		return nil, fmt.Errorf("%s has as many rows as columns", r.Family)
	case r.Rows < 1 || r.Cols < 1 || r.Rows > MaxStrategies || r.Cols > MaxStrategies:
		return nil, fmt.Errorf("%d by %d strategies: 1 to %d can be", r.Rows, r.Cols, MaxStrategies)
	case r.High < r.Low || r.High-r.Low < 0 || r.High-r.Low == math.MaxInt64:
		return nil, fmt.Errorf("payoffs from %d to %d", r.Low, r.High)
	}
	cell := f.cell(r, &draws{rng.Stream(r.Seed)})
	a, b := make([][]int64, r.Rows), make([][]int64, r.Rows)
	for i := range a {
		a[i], b[i] = make([]int64, r.Cols), make([]int64, r.Cols)
		for j := range a[i] {
			a[i][j], b[i][j] = cell(i, j)
		}
	}
	return New(fmt.Sprintf("%s %d x %d, seed %d", r.Family, r.Rows, r.Cols, r.Seed), a, b)
}

// ParseSize parses the numbers of rows and columns of a recipe, as 12 or 6x9; "" for none.
func ParseSize(text string) (rows, cols int, err error) {
	if text == "" {
		return 0, 0, nil
	}
	var sizes []int
	for word := range strings.SplitSeq(text, "x") {
		n, err := strconv.Atoi(word)
		if err != nil {
			return 0, 0, fmt.Errorf("%q is not a size like 12 or 6x9", text)
		}
		sizes = append(sizes, n)
	}
	if len(sizes) > 2 {
		return 0, 0, fmt.Errorf("%s: %w", text, ErrPlayers)
	}
	return sizes[0], sizes[len(sizes)-1], nil
}

// draws are the random numbers of a recipe.
type draws struct{ rng.Stream }

// between returns an integer in [lo, hi].
func (d *draws) between(lo, hi int64) int64 { return lo + int64(d.Uint64()%uint64(hi-lo+1)) }

// normal draws from the standard normal distribution, by the method of
// Box and Muller.
func (d *draws) normal() float64 {
	return math.Sqrt(-2*math.Log(1-d.Float64())) * math.Cos(2*math.Pi*d.Float64())
}
