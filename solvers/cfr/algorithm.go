package cfr

import (
	"fmt"
	"math"
	"slices"

	"gamebots/solvers/internal/kernels"
)

// Algorithm is a variant of counterfactual regret minimisation.
//
// Before iteration t adds its regrets, positive regrets are multiplied by
// (t-1)^Alpha / ((t-1)^Alpha + 1), negative ones by the same with Beta, and the sum of
// strategies by ((t-1)/t)^Gamma, which gives iteration t the weight t^Gamma in the
// average. With infinite Alpha and Beta nothing is discounted. Plus cuts regrets off at
// zero. Predictive matches strategies to the regrets as they would be if the next
// iteration were like the last. BestResponse trains each player against best responses
// instead of the others' newest strategies.
type Algorithm struct {
	Name               string
	Alpha, Beta, Gamma float64
	Plus               bool
	Predictive         bool
	BestResponse       bool
	// Quantized stores regrets and sums of strategies in 16 bits instead of 32, with a scale
	// for every four buckets of a decision. Computation is in 32 bits.
	Quantized bool
	// Double computes and stores everything in 64 bits, on a CPU only.
	Double bool
}

// The algorithms of the literature, the default first.
//
//   - dcfr: discounted CFR, Brown and Sandholm, AAAI 2019, with the parameters
//     that they recommend.
//   - cfr+: Tammelin, 2014, with linear averaging from the first iteration on.
//   - dcfr+: discounted CFR with the floor of CFR+, so that regrets have no sign, and more
//     weight for late strategies (Xu, Li, Liu, Fu, Fu, Xing and Cheng, IJCAI 2024).
//   - linear: linear CFR, Brown and Sandholm, AAAI 2019.
//   - cfr: Zinkevich et al., NIPS 2007, with uniform averaging.
//   - pcfr+: predictive CFR+, Farina, Kroer and Sandholm, AAAI 2021, with their
//     quadratic averaging.
//   - cfr-br: against exact best responses, Johanson, Bard, Burch and Bowling,
//     AAAI 2012, with the regrets and the averaging of CFR+. Each player's
//     average strategy converges by itself, whatever the others have learned.
var Algorithms = []Algorithm{
	{Name: "dcfr", Alpha: 1.5, Beta: 0, Gamma: 2},
	{Name: "cfr+", Alpha: math.Inf(1), Beta: math.Inf(1), Gamma: 1, Plus: true},
	{Name: "dcfr+", Alpha: 1.5, Beta: 0, Gamma: 4, Plus: true},
	{Name: "linear", Alpha: 1, Beta: 1, Gamma: 1},
	{Name: "cfr", Alpha: math.Inf(1), Beta: math.Inf(1), Gamma: 0},
	{Name: "pcfr+", Alpha: math.Inf(1), Beta: math.Inf(1), Gamma: 2, Plus: true, Predictive: true},
	{Name: "cfr-br", Alpha: math.Inf(1), Beta: math.Inf(1), Gamma: 1, Plus: true, BestResponse: true},
}

// AlgorithmByName returns one of Algorithms.
func AlgorithmByName(name string) (a Algorithm, ok bool) {
	i := slices.IndexFunc(Algorithms, func(a Algorithm) bool { return a.Name == name })
	if i < 0 {
		return Algorithm{}, false
	}
	return Algorithms[i], true
}

// String returns the name of the algorithm in strategy files, with the parameters of
// discounted CFR, and "/16" for Quantized or "/64" for Double.
func (a Algorithm) String() string {
	name := a.Name
	if name == "dcfr" {
		name = fmt.Sprintf("dcfr(%g,%g,%g)", a.Alpha, a.Beta, a.Gamma)
	}
	switch {
	case a.Quantized:
		name += "/16"
	case a.Double:
		name += "/64"
	}
	return name
}

// Discounts are the weights that an iteration gives to the earlier ones.
type Discounts struct {
	Positive, Negative float64 // factors on earlier regrets by their sign
	Floor              float64 // lower bound of regrets
	Average            float64 // factor on the earlier sum of strategies
}

// Discounts returns the weights of iteration t, counted from 1.
func (a Algorithm) Discounts(t uint64) Discounts {
	before := float64(t - 1)
	discount := func(exponent float64) float64 {
		x := math.Pow(before, exponent)
		if math.IsInf(x, 1) || math.IsInf(exponent, 1) {
			return 1
		}
		return x / (x + 1)
	}
	d := Discounts{
		Positive: discount(a.Alpha),
		Negative: discount(a.Beta),
		Floor:    math.Inf(-1),
		Average:  math.Pow(before/float64(t), a.Gamma),
	}
	if a.Plus {
		d.Floor = 0
	}
	return d
}

// Single returns the discounts for tables of 32 bits. Its factors are off by up to 3e-8, which moves the
// curves of "linear", "dcfr" and "dcfr+" (docs/training.md).
func (d Discounts) Single() kernels.Discounts {
	return kernels.Discounts{
		Positive: float32(d.Positive), Negative: float32(d.Negative),
		Floor: float32(d.Floor), Average: float32(d.Average),
	}
}
