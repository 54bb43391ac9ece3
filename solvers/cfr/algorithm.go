package cfr

import (
	"fmt"
	"math"
	"strings"

	"gamebots/solvers/cfr/internal/kernels"
)

// Algorithm is a variant of counterfactual regret minimisation: how much
// earlier iterations weigh in the regrets and in the average strategy.
//
// Before iteration t adds its own, positive regrets are multiplied by
// (t-1)^Alpha / ((t-1)^Alpha + 1), negative ones by the same with Beta, and the
// sum of strategies by ((t-1)/t)^Gamma, which weighs iteration t by t^Gamma in
// the average. With infinite Alpha and Beta nothing is discounted. Plus cuts
// regrets off at zero. Predictive plays what the regrets would be if the next
// iteration were like the last. Against best responses, instead of the others'
// newest strategies, each player's regrets are those of BestResponse.
type Algorithm struct {
	Name               string
	Alpha, Beta, Gamma float64
	Plus               bool
	Predictive         bool
	BestResponse       bool
	// Half stores regrets and sums of strategies in 16 bits each instead of 32,
	// with a scale for every four buckets of a decision. All else is computed in
	// 32 bits.
	Half bool
}

// The algorithms of the literature, the default first.
//
//   - dcfr: discounted CFR, Brown and Sandholm, AAAI 2019, with the parameters
//     that they recommend.
//   - cfr+: Tammelin, 2014, with linear averaging from the first iteration on.
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
	{Name: "linear", Alpha: 1, Beta: 1, Gamma: 1},
	{Name: "cfr", Alpha: math.Inf(1), Beta: math.Inf(1), Gamma: 0},
	{Name: "pcfr+", Alpha: math.Inf(1), Beta: math.Inf(1), Gamma: 2, Plus: true, Predictive: true},
	{Name: "cfr-br", Alpha: math.Inf(1), Beta: math.Inf(1), Gamma: 1, Plus: true, BestResponse: true},
}

// ParseAlgorithm returns the algorithm of a name. Discounted CFR takes its
// parameters in brackets, "dcfr(1.5,0,2)" being the same as "dcfr". With "/16"
// after it numbers are stored in 16 bits.
func ParseAlgorithm(text string) (Algorithm, error) {
	written, half := strings.CutSuffix(strings.ToLower(strings.ReplaceAll(text, " ", "")), halfSuffix)
	name, params, bracket := strings.Cut(written, "(")
	for _, a := range Algorithms {
		if a.Name != name {
			continue
		}
		if a.Half = half; half && a.BestResponse {
			return a, fmt.Errorf("algorithm %q: %s has numbers of 32 bits only", text, name)
		}
		if !bracket {
			return a, nil
		}
		var end string
		if n, _ := fmt.Sscanf(params, "%g,%g,%g%s", &a.Alpha, &a.Beta, &a.Gamma, &end); n != 4 || end != ")" || name != "dcfr" {
			return a, fmt.Errorf("algorithm %q: only dcfr has parameters, three numbers as in dcfr(1.5,0,2)", text)
		}
		if math.IsNaN(a.Alpha) || math.IsNaN(a.Beta) || !(a.Gamma >= 0) || math.IsInf(a.Gamma, 0) {
			return a, fmt.Errorf("algorithm %q: alpha and beta must be numbers, gamma a finite number not under 0", text)
		}
		return a, nil
	}
	var names []string
	for _, a := range Algorithms {
		names = append(names, a.Name)
	}
	return Algorithm{}, fmt.Errorf("unknown algorithm %q: want one of %s", text, strings.Join(names, ", "))
}

const halfSuffix = "/16"

// String returns what ParseAlgorithm reads.
func (a Algorithm) String() string {
	name := a.Name
	if name == "dcfr" {
		name = fmt.Sprintf("dcfr(%g,%g,%g)", a.Alpha, a.Beta, a.Gamma)
	}
	if a.Half {
		name += halfSuffix
	}
	return name
}

// rates returns the weights that iteration t, from 1, gives to what was there
// before it.
func (a Algorithm) rates(t uint64) kernels.Rates {
	before := float64(t - 1)
	discount := func(exponent float64) float32 {
		x := math.Pow(before, exponent)
		if math.IsInf(x, 1) || math.IsInf(exponent, 1) {
			return 1
		}
		return float32(x / (x + 1))
	}
	r := kernels.Rates{
		Positive: discount(a.Alpha),
		Negative: discount(a.Beta),
		Floor:    kernels.NoFloor,
		Average:  float32(math.Pow(before/float64(t), a.Gamma)),
	}
	if a.Plus {
		r.Floor = 0
	}
	return r
}
