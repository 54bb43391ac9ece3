package polynomial

import (
	"math/big"
	"slices"
	"testing"

	"gamebots/internal/rng"
)

var names = map[int]string{0: "x", 1: "y", 2: "z"}

// random draws a polynomial of up to three variables.
func random(draws *rng.Stream, variables, terms, degree int) Polynomial {
	var p Polynomial
	for range terms {
		term := Int(int64(draws.IntN(11)) - 5)
		for v := range variables {
			term = term.Times(Variable(v).power(draws.IntN(degree + 1)))
		}
		p = p.Plus(term)
	}
	return p
}

// Sums, products and values are what they are by hand.
func TestText(t *testing.T) {
	x, y := Variable(0), Variable(1)
	p := x.Times(y).Times(Int(2)).Minus(x.power(2)).Plus(Int(1))
	if got := p.Text(names); got != "1 - x^2 + 2xy" {
		t.Error(got)
	}
	if got := p.Value(map[int]*big.Rat{0: big.NewRat(1, 2), 1: big.NewRat(1, 3)}).RatString(); got != "13/12" {
		t.Error(got)
	}
	if got := p.At(0, big.NewRat(1, 2)).Text(names); got != "3 + 4y" {
		t.Error(got)
	}
	if got := p.Substitute(0, Int(1), y, 2).Text(names); got != "-1 + 3y^2" {
		t.Error(got)
	}
}

// The greatest common divisor of multiples of a polynomial is a multiple of it, and divides both.
func TestGCD(t *testing.T) {
	draws := rng.Stream(1)
	for range 300 {
		p, q, common := random(&draws, 3, 3, 1), random(&draws, 3, 3, 1), random(&draws, 3, 2, 2).Primitive()
		if len(common) == 0 {
			continue
		}
		p, q = p.Times(common), q.Times(common)
		got := GCD(p, q)
		if len(got) == 0 {
			continue
		}
		for _, pair := range [][2]Polynomial{{got, common}, {p, got}, {q, got}} {
			if _, ok := pair[0].Divide(pair[1]); !ok {
				t.Fatalf("gcd(%s, %s) = %s", p.Text(names), q.Text(names), got.Text(names))
			}
		}
	}
}

// Factors are where a product is 0, each once.
func TestFactors(t *testing.T) {
	x, y, z := Variable(0), Variable(1), Variable(2)
	first, second, third := x.Times(y).Plus(Int(1)), z.Times(Int(2)).Minus(Int(1)), y
	p := first.Times(second.power(2)).Times(third).Times(Int(-6))
	var got []string
	for _, f := range p.Factors() {
		got = append(got, f.Text(names))
	}
	slices.Sort(got)
	if want := []string{"-1 + 2z", "1 + xy", "y"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The resultant of (x-a)(x-b) and x-c is (c-a)(c-b), up to its sign.
func TestResultant(t *testing.T) {
	x, a := Variable(0), Variable(1)
	p := x.Minus(a).Times(x.Minus(Int(2)))
	got := Resultant(p, x.Minus(Int(5)), 0)
	if want := Int(5).Minus(a).Times(Int(3)); !got.Equal(want) && !got.Equal(Int(0).Minus(want)) {
		t.Errorf("%s, want %s", got.Text(names), want.Text(names))
	}
	if got := Resultant(p, x.Minus(a), 0); len(got) != 0 {
		t.Errorf("%s of polynomials with a common root", got.Text(names))
	}
}

// Roots between 0 and 1 are found, rational ones exactly, and those outside are not.
func TestRoots(t *testing.T) {
	x := Variable(0)
	p := Int(1)
	for _, r := range []*big.Rat{
		big.NewRat(1, 2), big.NewRat(2, 7), big.NewRat(0, 1), big.NewRat(1, 1), big.NewRat(3, 2), big.NewRat(1, 2),
		big.NewRat(1001, 2003),
	} {
		p = p.Times(x.Times(Constant(r.Denom())).Minus(Constant(r.Num())))
	}
	p = p.Times(x.Times(x).Times(Int(2)).Minus(Int(1))) // the root of 1/2
	var got []string
	for _, r := range p.Roots(0) {
		if r.Exact() {
			got = append(got, r.Low.RatString())
			continue
		}
		for range 40 {
			r.Halve()
		}
		got = append(got, r.Low.FloatString(9))
		if s := r.Sign(x.Times(x).Times(Int(2)).Minus(Int(1)).Times(x), 0); s != 0 {
			t.Errorf("sign %d of a multiple", s)
		}
		if s := r.Sign(x.Times(Int(5)).Minus(Int(4)), 0); s != -1 {
			t.Errorf("sign %d of a smaller number", s)
		}
	}
	if want := []string{"2/7", "1001/2003", "1/2", "0.707106781"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Where a random point meets inequalities, one is found, and what is found meets them.
func TestInterior(t *testing.T) {
	draws := rng.Stream(3)
	found, none := 0, 0
	for range 60 {
		var positive []Polynomial
		for range 3 {
			positive = append(positive, random(&draws, 2, 3, 2))
		}
		meets := func(point map[int]*big.Rat) bool {
			return !slices.ContainsFunc(positive, func(p Polynomial) bool { return p.Value(point).Sign() <= 0 })
		}
		point, err := Interior([]int{0, 1}, positive, nil)
		if err != nil {
			t.Fatal(err)
		}
		if point != nil {
			if found++; !meets(point) {
				t.Errorf("%v is no solution", point)
			}
			continue
		}
		none++
		for range 300 {
			draw := func() *big.Rat { return big.NewRat(int64(draws.IntN(999))+1, 1000) }
			point := map[int]*big.Rat{0: draw(), 1: draw()}
			if meets(point) {
				t.Fatalf("%v is a solution of %s, %s, %s > 0", point, positive[0].Text(names), positive[1].Text(names),
					positive[2].Text(names))
			}
		}
	}
	if found < 8 || none < 8 {
		t.Errorf("%d with solutions and %d without are too few for this test", found, none)
	}
}

func TestSimplest(t *testing.T) {
	for _, c := range [][3]string{
		{"0", "1", "1/2"}, {"1/3", "1/2", "2/5"}, {"-1/2", "1/3", "0"}, {"-3/4", "-1/2", "-2/3"}, {"7/5", "3", "2"},
		{"0", "1/7", "1/8"},
	} {
		low, _ := new(big.Rat).SetString(c[0])
		high, _ := new(big.Rat).SetString(c[1])
		if got := Simplest(low, high).RatString(); got != c[2] {
			t.Errorf("between %s and %s: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}
