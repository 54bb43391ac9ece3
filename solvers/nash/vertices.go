package nash

import (
	"context"
	"math/big"
	"slices"
	"strings"
)

// A vertex is a point of a polytope that is no origin, by its basis: numbers of
// the variables from first on, divided by their sum.
func (d *dictionary) vertex(firstVar, n int) []*big.Rat {
	z, sum := make([]*big.Rat, n), new(big.Int)
	for r, v := range d.rowVar {
		if int(v) >= firstVar && int(v) < firstVar+n {
			sum.Add(sum, d.a[r][0])
		}
	}
	if sum.Sign() == 0 {
		return nil
	}
	for i := range z {
		z[i] = new(big.Rat)
	}
	for r, v := range d.rowVar {
		if int(v) >= firstVar && int(v) < firstVar+n {
			z[int(v)-firstVar].SetFrac(d.a[r][0], sum)
		}
	}
	return z
}

// vertices lists the vertices of the face, which was tightened, each once, but for
// the origin. It goes through the bases of a face whose inequalities were moved a
// little, so that no vertex has more than one: through all bases of a degenerate
// vertex, of which there can be very many, it would take far longer.
func (d *dictionary) vertices(ctx context.Context, firstVar, n int) (all [][]*big.Rat) {
	moved := slices.Clone(d.rowVar)
	seenBasis, seen := map[labelSet]bool{}, map[string]bool{}
	var visit func(d *dictionary)
	visit = func(d *dictionary) {
		if ctx.Err() != nil {
			return
		}
		if z := d.vertex(firstVar, n); z != nil && !seen[keyOf(z)] {
			seen[keyOf(z)] = true
			all = append(all, z)
		}
		for c := range d.colVar {
			r := d.leavingMoved(c, moved)
			if r < 0 {
				continue
			}
			b := d.basis()
			b.toggle(d.rowVar[r])
			b.toggle(d.colVar[c])
			if !seenBasis[b] {
				seenBasis[b] = true
				next := d.clone()
				next.pivot(r, c)
				visit(next)
			}
		}
	}
	seenBasis[d.basis()] = true
	visit(d)
	return all
}

// leavingMoved is leaving where each variable of moved may become negative by a
// little, infinitely less than the one before it: then no two rows reach their
// least at once (the lexicographic rule of Dantzig, Orden and Wolfe 1955).
func (d *dictionary) leavingMoved(c int, moved []uint8) int {
	leave := -1
	left, right := new(big.Int), new(big.Int)
	earlier := func(i int) bool {
		x, y := d.a[i], d.a[leave]
		by := left.Mul(x[0], y[1+c]).Cmp(right.Mul(y[0], x[1+c]))
		for k := 0; by == 0 && k < len(moved); k++ {
			by = left.Mul(d.moves(i, moved[k]), y[1+c]).Cmp(right.Mul(d.moves(leave, moved[k]), x[1+c]))
		}
		return by < 0
	}
	for i, row := range d.a {
		if row[1+c].Sign() > 0 && (leave < 0 || earlier(i)) {
			leave = i
		}
	}
	return leave
}

var zero = new(big.Int)

// moves returns how a row's constant changes as v may become negative.
func (d *dictionary) moves(r int, v uint8) *big.Int {
	if d.rowVar[r] == v {
		return d.denominator
	}
	if c := slices.Index(d.colVar, v); c >= 0 {
		return d.a[r][1+c]
	}
	return zero
}

// degenerate says whether a basis of the polytope has a variable that is 0.
func (d *dictionary) degenerate(ctx context.Context) bool {
	seen := map[labelSet]bool{d.basis(): true}
	for stack := []*dictionary{d}; len(stack) > 0 && ctx.Err() == nil; {
		d := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, row := range d.a {
			if row[0].Sign() == 0 {
				return true
			}
		}
		for c := range d.colVar {
			r := d.leaving(c, -1)
			if r < 0 {
				continue
			}
			next := d.clone()
			next.pivot(r, c)
			if b := next.basis(); !seen[b] {
				seen[b] = true
				stack = append(stack, next)
			}
		}
	}
	return false
}

func (d *dictionary) basis() (s labelSet) {
	for _, v := range d.rowVar {
		s.add(v)
	}
	return s
}

// keyOf is a text that equal vectors have in common.
func keyOf(z []*big.Rat) string {
	var key strings.Builder
	for _, x := range z {
		key.WriteString(x.RatString())
		key.WriteByte(' ')
	}
	return key.String()
}
