package multiplayer

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"gamebots/internal/parallel"
	"gamebots/solvers/nash/game"
)

// A supportSearch finds the equilibria that have one combination of supports.
type supportSearch struct {
	game       *game.NormalForm
	sizes      []int
	supports   [][]int
	dimensions int // dimension of the space of mixed strategies on the supports
	// overdetermined is a player who must be indifferent in more ways than the others
	// can mix, -1 for none. Then only boxes of the others' strategies need to be small.
	overdetermined int
	// payoffs has for each player and strategy the payoffs over the supports of all
	// players, that of the player itself being of size 1.
	payoffs   [][]tensor
	gains     [][]tensor // gains of each player's strategies over one of the support
	equations []equation
	memory    []float64

	found     []Equilibrium
	families  []*family // what was found in fractions
	undecided int
	boxes     int
}

// combination returns combination number i of supports. They are the same if symmetric is set.
func combination(sizes []int, i int, symmetric bool) [][]int {
	var supports [][]int
	for _, n := range sizes {
		set := uint(i%(1<<n-1) + 1)
		if !symmetric {
			i /= 1<<n - 1
		}
		var support []int
		for rest := set; rest != 0; rest &= rest - 1 {
			support = append(support, bits.TrailingZeros(rest))
		}
		supports = append(supports, support)
	}
	return supports
}

func newSupportSearch(g *game.NormalForm, payoffs [][]float64, supports [][]int) *supportSearch {
	s := &supportSearch{game: g, sizes: g.Sizes, supports: supports}
	cells := 1
	for _, support := range supports {
		s.dimensions += len(support) - 1
		cells *= len(support)
	}
	s.overdetermined = slices.IndexFunc(s.supports,
		func(support []int) bool { return 2*(len(support)-1) > s.dimensions })
	s.memory = make([]float64, cells)
	if s.dimensions == 0 {
		return s
	}
	for p, n := range g.Sizes {
		var all []tensor
		for strategy := range n {
			all = append(all, s.tensor(g, payoffs[p], p, strategy))
		}
		var gains []tensor
		for _, own := range s.supports[p] {
			for strategy := range n {
				if strategy != own {
					gains = append(gains, all[strategy].minus(all[own]))
				}
			}
		}
		s.payoffs, s.gains = append(s.payoffs, all), append(s.gains, gains)
	}
	s.equations = s.indifference()
	return s
}

// tensor returns the payoffs for one strategy of a player.
func (s *supportSearch) tensor(g *game.NormalForm, payoffs []float64, player, strategy int) tensor {
	t := tensor{}
	cells := 1
	for p, support := range s.supports {
		n := len(support)
		if p == player {
			n = 1
		}
		t.sizes = append(t.sizes, n)
		cells *= n
	}
	profile := make([]int, len(s.sizes))
	for c := range cells {
		for p, n := range t.sizes {
			profile[p] = s.supports[p][c%n]
			c /= n
		}
		profile[player] = strategy
		t.of = append(t.of, payoffs[g.Cell(profile)])
	}
	return t
}

// run searches by subdivision, and in fractions where that fails. symmetric says that all players
// are to do the same.
func (s *supportSearch) run(ctx context.Context, symmetric bool) {
	s.subdivide(ctx, 1)
	if s.undecided == 0 {
		return
	}
	found, err := parallel.Await(ctx, func() ([]*family, error) {
		return families(ctx, s.game, s.supports, symmetric)
	})
	if err == nil {
		s.found, s.families, s.undecided = nil, found, 0
		return
	}
	s.found, s.undecided, s.boxes = nil, 0, 0
	s.subdivide(ctx, maxBoxes)
}

// subdivide searches by subdivision, until some places are undecided.
func (s *supportSearch) subdivide(ctx context.Context, places int) {
	whole := make(box, len(s.sizes))
	for p, support := range s.supports {
		for range support {
			whole[p] = append(whole[p], interval{0, 1})
		}
	}
	if s.indifferent() && !s.excluded(whole) {
		s.undecided++
		return
	}
	for stack := []box{whole}; len(stack) > 0 && s.undecided < places; {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if s.boxes++; s.boxes > maxBoxes || ctx.Err() != nil {
			s.undecided++
			return
		}
		if !b.contract() || s.excluded(b) || s.solved(b) {
			continue
		}
		p, i, width := b.widest(s.overdetermined)
		if width < minWidth {
			s.undecided++
			continue
		}
		upper := b.clone()
		middle := (b[p][i].lo + b[p][i].hi) / 2
		b[p][i].hi, upper[p][i].lo = middle, middle
		stack = append(stack, upper, b)
	}
}

// indifferent reports whether some player is indifferent between strategies of the
// support whatever the others do. Then equilibria are not isolated.
func (s *supportSearch) indifferent() bool {
	return slices.ContainsFunc(s.equations, func(e equation) bool {
		return !slices.ContainsFunc(e.of, func(x float64) bool { return x != 0 })
	})
}

// minWidth is the width of boxes that are not divided any more.
const minWidth = 1e-9

// others returns a box in which a player's own strategies count as one.
func (b box) others(player int) box {
	o := append(box(nil), b...)
	o[player] = []interval{{1, 1}}
	return o
}

// excluded reports whether some strategy of a support is never a best reply inside a box.
func (s *supportSearch) excluded(b box) bool {
	for p, gains := range s.gains {
		others := b.others(p)
		for _, gain := range gains {
			if gain.leastOver(others, s.memory) > margin {
				return true
			}
		}
	}
	return false
}

// solved reports whether a box has no solution of the equations of indifference, or
// one that is decided. It finds a solution by Newton's method and proves that there is
// one in a box around it, and no other one (Krawczyk 1969).
func (s *supportSearch) solved(b box) bool {
	x := s.middle(b)
	radii := s.radii(x, b)
	if _, _, none := s.krawczyk(x, radii); none {
		return true
	}
	if !s.newton(x) {
		return false
	}
	radii = s.radii(x, b)
	near, unique := s.narrowed(x, radii)
	if !unique {
		return false
	}
	for _, e := range s.found { // solutions of other boxes
		if s.within(e, x, radii) {
			return true
		}
	}
	s.decide(x, near)
	return true
}

// narrowed reports whether exactly one solution is within some radii of a point, and within
// which smaller ones.
func (s *supportSearch) narrowed(x [][]float64, radii []float64) (near []float64, unique bool) {
	for near = radii; ; unique = true {
		nearer, closer, _ := s.krawczyk(x, near)
		if !closer {
			return near, unique
		}
		near = nearer
	}
}

// within reports whether an equilibrium that was found is in the box in which there is
// only one solution.
func (s *supportSearch) within(e Equilibrium, x [][]float64, radii []float64) bool {
	n := 0
	for p, support := range s.supports {
		for i := range len(support) - 1 {
			if math.Abs(e.Strategies[p][support[i]]-x[p][i]) > radii[n] {
				return false
			}
			n++
		}
	}
	return true
}

// decide adds a solution to the equilibria, unless a probability is negative or a
// strategy outside of a support gains.
func (s *supportSearch) decide(x [][]float64, radii []float64) {
	near := s.around(x, radii)
	e := Equilibrium{}
	clear := true
	for p, support := range s.supports {
		full := make([]float64, s.sizes[p])
		for i, v := range near[p] {
			if v.hi < 0 {
				return
			}
			clear = clear && v.lo > 0
			full[support[i]] = x[p][i]
			e.Radius = max(e.Radius, (v.hi-v.lo)/2)
		}
		e.Strategies = append(e.Strategies, full)
	}
	for p, support := range s.supports {
		for strategy := range s.sizes[p] {
			if slices.Contains(support, strategy) {
				continue
			}
			gain := s.payoffs[p][strategy].minus(s.payoffs[p][support[0]]).over(near.others(p))
			if gain.lo > 0 {
				return
			}
			clear = clear && gain.hi < 0
		}
	}
	exact := s.solution(x, radii)
	switch {
	case exact == nil && !clear:
		s.undecided++
	case exact == nil || s.isEquilibrium(exact):
		e.Exact = exact
		s.found = append(s.found, e)
	}
}

// around returns the box around a point, whose last strategies follow from the others,
// up to rounding errors that the margins of expectations cover.
func (s *supportSearch) around(x [][]float64, radii []float64) box {
	b := make(box, len(x))
	n := 0
	for p := range x {
		last := interval{1, 1}
		for i := range len(x[p]) - 1 {
			v := interval{x[p][i] - radii[n], x[p][i] + radii[n]}
			last = interval{last.lo - v.hi, last.hi - v.lo}
			b[p] = append(b[p], v)
			n++
		}
		b[p] = append(b[p], last)
	}
	return b
}
