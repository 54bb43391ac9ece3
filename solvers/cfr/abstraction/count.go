package abstraction

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
)

// Count returns the numbers of buckets and of boards that a game has in each
// round, without listing them. A count below 2^53 is exact.
//
// Deals are counted up to isomorphism by Burnside's lemma: their number is the
// mean, over all permutations of the suits, of the number of deals that the
// permutation fixes. It fixes a deal if each of its cycles, in each rank, lies
// wholly in one group of cards (the hole cards, a round's board cards, or the
// rest). So the number of fixed deals is a coefficient of a product of
// polynomials.
func Count(g *acpc.Game, kind Kind) (buckets, boards []float64) {
	groups := []int{g.NumHoleCards}
	for r := range g.NumRounds {
		groups = append(groups, int(g.NumBoardCards[r]))
		buckets = append(buckets, countDeals(g, kind, groups))
		boards = append(boards, countDeals(g, kind, groups[1:]))
	}
	return buckets, boards
}

// countDeals returns the number of ways to deal groups of the given sizes.
func countDeals(g *acpc.Game, kind Kind, sizes []int) float64 {
	p := newPolynomial(sizes)
	switch symmetryOf(g, kind) {
	case identity:
		for range g.NumSuits * g.NumRanks {
			p.mulCycle(1)
		}
		return p.last()
	case byRank:
		for range g.NumRanks {
			p.mulRank(g.NumSuits)
		}
		return p.last()
	}
	sum, perms := 0.0, 0.0
	for _, cycles := range cycleTypes[g.NumSuits] {
		q := newPolynomial(sizes)
		for range g.NumRanks {
			for _, length := range cycles.lengths {
				q.mulCycle(length)
			}
		}
		sum += cycles.perms * q.last()
		perms += cycles.perms
	}
	return sum / perms
}

// cycleTypes lists, for each number of suits, the cycle lengths of their
// permutations and the number of permutations that have them.
var cycleTypes = [card.NumSuits + 1][]struct {
	lengths []int
	perms   float64
}{
	1: {{[]int{1}, 1}},
	2: {{[]int{1, 1}, 1}, {[]int{2}, 1}},
	3: {{[]int{1, 1, 1}, 1}, {[]int{2, 1}, 3}, {[]int{3}, 2}},
	4: {{[]int{1, 1, 1, 1}, 1}, {[]int{2, 1, 1}, 6}, {[]int{2, 2}, 3}, {[]int{3, 1}, 8}, {[]int{4}, 6}},
}

// polynomial is a polynomial in one variable a group of cards, cut off at the
// groups' sizes. Coefficients are in mixed radix order of their exponents.
type polynomial struct {
	coef    []float64
	strides []int // distance of the coefficients of x and x·variable
	sizes   []int // the largest exponent of each variable
}

// newPolynomial returns the constant 1.
func newPolynomial(sizes []int) *polynomial {
	p := &polynomial{sizes: sizes}
	n := 1
	for _, k := range sizes {
		p.strides = append(p.strides, n)
		n *= k + 1
	}
	p.coef = make([]float64, n)
	p.coef[0] = 1
	return p
}

// last returns the coefficient in which every group is full.
func (p *polynomial) last() float64 { return p.coef[len(p.coef)-1] }

// mulCycle multiplies by 1 + Σ x^length: a cycle of length cards goes to one of
// the groups, or to none.
func (p *polynomial) mulCycle(length int) {
	for i := len(p.coef) - 1; i >= 0; i-- {
		for v, stride := range p.strides {
			if i/stride%(p.sizes[v]+1) >= length {
				p.coef[i] += p.coef[i-length*stride]
			}
		}
	}
}

// mulRank multiplies by the sum of all products of variables of degree up to
// suits: only the number of cards of a rank in each group matters.
func (p *polynomial) mulRank(suits int) {
	from := p.coef
	p.coef = make([]float64, len(from))
	var add func(v, left, shift int, exps []int)
	add = func(v, left, shift int, exps []int) {
		if v == len(p.sizes) {
			for i := shift; i < len(from); i++ {
				if p.holds(i, exps) {
					p.coef[i] += from[i-shift]
				}
			}
			return
		}
		for e := 0; e <= min(left, p.sizes[v]); e++ {
			add(v+1, left-e, shift+e*p.strides[v], append(exps, e))
		}
	}
	add(0, suits, 0, nil)
}

// holds reports whether the exponents of coefficient i are all at least exps.
func (p *polynomial) holds(i int, exps []int) bool {
	for v, e := range exps {
		if i/p.strides[v]%(p.sizes[v]+1) < e {
			return false
		}
	}
	return true
}
