package extreme

import (
	"context"
	"math/big"
	"slices"
	"strings"

	"gamebots/solvers/nash/labels"
)

// vertex returns the current vertex as a mixed strategy: the values of n variables from
// firstVar on, divided by their sum. It is nil at the origin.
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

// vertices lists the vertices of the face, which must be tightened, each once and
// without the origin. It enumerates the bases of the face with its inequalities
// perturbed, so that each vertex has one basis. A degenerate vertex can have very many
// without the perturbation.
func (d *dictionary) vertices(ctx context.Context, firstVar, n int) (all [][]*big.Rat) {
	moved := slices.Clone(d.rowVar)
	seenBasis, seen := map[labels.Set]bool{}, map[string]bool{}
	var visit func(d *dictionary)
	visit = func(d *dictionary) {
		if z := d.vertex(firstVar, n); z != nil && !seen[keyOf(z)] {
			seen[keyOf(z)] = true
			all = append(all, z)
		}
		for c := range d.colVar {
			if ctx.Err() != nil { // the stack may be deep
				return
			}
			r := d.leavingPerturbed(c, moved)
			if r < 0 {
				continue
			}
			b := d.basis()
			b.Toggle(d.rowVar[r])
			b.Toggle(d.colVar[c])
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

// leavingPerturbed is leaving where each variable of moved may become negative by an
// infinitesimal, each infinitely smaller than the one before it. No two rows then
// reach their minimum at once (the lexicographic rule of Dantzig, Orden and Wolfe
// 1955).
func (d *dictionary) leavingPerturbed(c int, moved []uint8) int {
	leave := -1
	left, right := new(big.Int), new(big.Int)
	earlier := func(i int) bool {
		x, y := d.a[i], d.a[leave]
		by := left.Mul(x[0], y[1+c]).Cmp(right.Mul(y[0], x[1+c]))
		for k := 0; by == 0 && k < len(moved); k++ {
			by = left.Mul(d.perturbation(i, moved[k]), y[1+c]).Cmp(right.Mul(d.perturbation(leave, moved[k]), x[1+c]))
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

// perturbation returns the change of a row's constant per unit that v may become
// negative by.
func (d *dictionary) perturbation(r int, v uint8) *big.Int {
	if d.rowVar[r] == v {
		return d.denominator
	}
	if c := slices.Index(d.colVar, v); c >= 0 {
		return d.a[r][1+c]
	}
	return zero
}

// degenerate reports whether a basis of the polytope has a variable that is 0.
func (d *dictionary) degenerate(ctx context.Context) bool {
	seen := map[labels.Set]bool{d.basis(): true}
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

// basis returns the variables of rows.
func (d *dictionary) basis() (s labels.Set) {
	for _, v := range d.rowVar {
		s.Add(v)
	}
	return s
}

// keyOf returns the same text for equal vectors, and only for these.
func keyOf(z []*big.Rat) string {
	var key strings.Builder
	for _, x := range z {
		key.WriteString(x.RatString())
		key.WriteByte(' ')
	}
	return key.String()
}
