package hexnet

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"gamebots/internal/rng"
)

// A product is added with one rounding: that of the exact sum.
func TestFMARoundsOnce(t *testing.T) {
	stream := rng.Stream(1)
	random := func() float32 {
		bits := uint32(stream.Uint64())
		bits = bits&^0x7f800000 | uint32(100+stream.IntN(56))<<23 // 2^-27 to 2^28
		if stream.IntN(2) == 0 {
			bits &= 0xfffff000 // with few bits, sums are halfway between two numbers
		}
		return math.Float32frombits(bits)
	}
	check := func(a, b, c float32) {
		t.Helper()
		exact := func(x float32) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(float64(x)) }
		sum := new(big.Float).SetPrec(2000).Mul(exact(a), exact(b))
		want, _ := sum.Add(sum, exact(c)).Float32()
		if got := fmaOf(a, b, c); got != want {
			t.Errorf("%b·%b + %b is %b, want %b", a, b, c, got, want)
		}
	}
	for range 200_000 {
		check(random(), random(), random())
	}
	// Twice rounded, each of these is off: the first rounding drops the last term.
	small := float32(math.SmallestNonzeroFloat32)
	for _, sign := range []float32{1, -1} {
		check(sign*(1+0x1p-23), 0x1p-24, 1<<30*sign*0x1p-30)
		check(sign*0x1p-24, 1, sign*1)
		check(sign*0x1p-60, 0x1p-30, sign*(1+0x1p-23))
		check(sign*(1+0x1p-12), 1+0x1p-12, sign*0x1p60)
		check(sign*small, 0.5, sign*small)
		check(sign*small, 0.5, 0)
		check(sign*0x1.fffffep-64, 0x1.000002p-63, sign*3*small)
	}
	// c is halfway between two numbers less or more a bit that float64 drops.
	for range 1000 {
		c := math.Float32frombits(0x3f800000 + uint32(stream.IntN(1<<23)))
		check(0x1p-24*(1+0x1p-23), 1-0x1p-23, c)
		check(-0x1p-24*(1+0x1p-23), 1-0x1p-23, c)
	}
	if got := fmaOf(float32(math.Inf(1)), 1, 1); !math.IsInf(float64(got), 1) {
		t.Errorf("an infinite product gives %g", got)
	}
	if got := fmaOf(float32(math.NaN()), 1, 1); got == got {
		t.Errorf("no number gives %g", got)
	}
}

// random returns numbers from -1 to 1.
func random(n int, seed uint64) []float32 {
	stream := rng.Stream(seed)
	x := make([]float32, n)
	for i := range x {
		x[i] = 2*stream.Float32() - 1
	}
	return x
}

// The products are those of the definition, in any version of the inner loops, and so are the
// gradients.
func TestProductsAndGradients(t *testing.T) {
	defer func(was bool) { setAVX2(was) }(setAVX2(true))
	for _, test := range []struct{ taps, in, out, rows int }{{1, 4, 4, 1}, {7, 16, 32, 5}, {7, 32, 16, 6},
		{2, 48, 20, 13}, {7, 64, 64, 37}, {1, 96, 64, 2}} {
		stream := rng.Stream(uint64(test.rows))
		columns, sources := panelColumns(test.out), test.rows+3
		weights, x := random(test.taps*test.in*test.out, 1), random(sources*test.in, 2)
		before, d := random(test.rows*columns, 3), random(test.rows*columns, 4)
		for i := range x { // as of a ReLU; some sums begin with zero, too
			x[i] = max(0, x[i])
		}
		clear(before[:columns])
		gradient := random(len(weights), 5)
		rows := make([]int32, test.rows*test.taps)
		for i := range rows {
			rows[i] = int32(stream.IntN(sources))
		}
		wantTo, wantGradient := widen(before), widen(gradient)
		for row := range test.rows {
			for tap := range test.taps {
				for i := range test.in {
					v := float64(x[int(rows[row*test.taps+tap])*test.in+i])
					for o := range test.out {
						at := (tap*test.in+i)*test.out + o
						wantTo[row*columns+o] += v * float64(weights[at])
						wantGradient[at] += v * float64(d[row*columns+o])
					}
				}
			}
		}
		m := newMatrix(test.taps, test.in, test.out)
		m.Set(weights)
		var results [2][2][]float32
		for version := range results {
			setAVX2(version == 1)
			to, g := slices.Clone(before), slices.Clone(gradient)
			m.AddProduct(to, x, rows)
			m.AddGradient(g, x, d, rows)
			results[version] = [2][]float32{to, g}
			near(t, to, wantTo)
			near(t, g, wantGradient)
		}
		for kind := range 2 {
			if !slices.Equal(results[0][kind], results[1][kind]) {
				t.Errorf("%+v: the versions differ in their bits", test)
			}
		}
	}
}

func widen(x []float32) []float64 {
	wide := make([]float64, len(x))
	for i, v := range x {
		wide[i] = float64(v)
	}
	return wide
}

func near(t *testing.T, got []float32, want []float64) {
	t.Helper()
	for i, x := range got {
		if math.Abs(float64(x)-want[i]) > 1e-4 {
			t.Fatalf("number %d is %g, want %g", i, x, want[i])
		}
	}
}

// The transposed matrices take the results of the matrices, with the taps as told.
func TestTransposed(t *testing.T) {
	const taps, in, out = 3, 8, 20
	from := []int{0, 2, 1}
	weights := random(taps*in*out, 1)
	m := newMatrix(taps, in, out)
	back := m.NewTransposed()
	back.SetTransposed(weights, from)
	columns := panelColumns(out)
	x := random(4*columns, 2)
	rows := []int32{0, 1, 2, 3, 3, 1}
	got := make([]float32, 2*panelColumns(in))
	back.AddProduct(got, x, rows)
	want := make([]float64, len(got))
	for row := range 2 {
		for tap, source := range from {
			for i := range in {
				for o := range out {
					d := float64(x[int(rows[row*taps+tap])*columns+o])
					want[row*panelColumns(in)+i] += d * float64(weights[(source*in+i)*out+o])
				}
			}
		}
	}
	near(t, got, want)
}

func BenchmarkProduct(b *testing.B) {
	const in, out, n = 64, 64, 338
	m := newMatrix(7, in, out)
	m.Set(random(7*in*out, 1))
	rows := make([]int32, 7*n)
	for i := range rows {
		rows[i] = int32(i / 7)
	}
	x, to := random(n*in, 1), make([]float32, n*out)
	b.Run("forward", func(b *testing.B) {
		for b.Loop() {
			m.AddProduct(to, x, rows)
		}
		b.ReportMetric(2*7*in*out*n*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
	})
	b.Run("gradient", func(b *testing.B) {
		gradient := make([]float32, 7*in*out)
		for b.Loop() {
			m.AddGradient(gradient, x, to, rows)
		}
		b.ReportMetric(2*7*in*out*n*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
	})
}

// The loops over numbers do what they say, in any version and with any length.
func TestVectors(t *testing.T) {
	defer func(was bool) { setAVX2(was) }(setAVX2(true))
	for name, loop := range map[string]struct {
		run  func(to, x []float32)
		want func(to, x float32) float32
	}{
		"add":   {add, func(to, x float32) float32 { return to + x }},
		"raise": {raise, func(to, x float32) float32 { return max(to, x) }},
		"relu":  {relu, func(_, x float32) float32 { return max(x, 0) }},
		"mask":  {mask, func(to, x float32) float32 { return map[bool]float32{true: 0, false: to}[x == 0] }},
	} {
		for n := range 40 {
			before, x := random(n, 1), random(n+3, 2)
			for i := range x {
				if i%3 == 0 {
					x[i] = 0
				}
			}
			for _, use := range []bool{true, false} {
				setAVX2(use)
				to := slices.Clone(before)
				loop.run(to, x)
				for i, got := range to {
					if want := loop.want(before[i], x[i]); got != want {
						t.Errorf("%s of %d numbers: number %d is %g, want %g", name, n, i, got, want)
					}
				}
			}
		}
	}
}

// fmaOf returns a·b + c as addScaled adds it.
func fmaOf(a, b, c float32) float32 {
	sums := [panelWidth]float32{c}
	addScaled(&sums, a, &[panelWidth]float32{b})
	return sums[0]
}
