package cfr

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gamebots/solvers/internal/vectors"
)

// Algorithm is a variant of counterfactual regret minimisation.
//
// Before iteration t adds its regrets, positive regrets are multiplied by
// (t-1)^Alpha / ((t-1)^Alpha + 1), negative ones by the same with Beta, and the sum of
// strategies by ((t-1)/t)^Gamma, which gives iteration t the weight t^Gamma in the
// average. With infinite Alpha and Beta nothing is discounted. Plus cuts regrets off at
// zero. Predictive matches strategies to the regrets as they would be if the next
// iteration were like the last, whose gains are divided by 1 + Asymmetry.
//
// With a Horizon, until that iteration Alpha grows by 3, Beta falls by 2 and Gamma by 5,
// all linearly.
type Algorithm struct {
	Name               string
	Alpha, Beta, Gamma float64
	Asymmetry          float64
	Horizon            float64 // 0 for none
	Plus               bool
	Predictive         bool
	// Quantized stores regrets and sums of strategies in 16 bits instead of 32, with a scale
	// for every four buckets of a decision. Computation is in 32 bits.
	Quantized bool
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
//   - pdcfr+: dcfr+ with predictions, Xu et al., IJCAI 2024, with their parameters.
//   - sapcfr+: pcfr+ whose predictions count a third, Meng, Dong, Yang, Yan, Gao, An and Xu,
//     "Asymmetric predictive counterfactual regret minimization", AAAI 2026.
//   - hs-dcfr, hs-pcfr+: dcfr and pcfr+ with schedules of their exponents, Zhang, McAleer
//     and Sandholm, AAAI 2026, with the larger of their two Gammas.
var Algorithms = []Algorithm{
	{Name: "dcfr", Alpha: 1.5, Beta: 0, Gamma: 2},
	{Name: "cfr+", Alpha: math.Inf(1), Beta: math.Inf(1), Gamma: 1, Plus: true},
	{Name: "dcfr+", Alpha: 1.5, Beta: 0, Gamma: 4, Plus: true},
	{Name: "linear", Alpha: 1, Beta: 1, Gamma: 1},
	{Name: "cfr", Alpha: math.Inf(1), Beta: math.Inf(1), Gamma: 0},
	{Name: "pcfr+", Alpha: math.Inf(1), Beta: math.Inf(1), Gamma: 2, Plus: true, Predictive: true},
	{Name: "pdcfr+", Alpha: 2.3, Beta: 0, Gamma: 5, Plus: true, Predictive: true},
	{Name: "sapcfr+", Alpha: math.Inf(1), Beta: math.Inf(1), Gamma: 2, Asymmetry: 2, Plus: true, Predictive: true},
	{Name: "hs-dcfr", Alpha: 1, Beta: -1, Gamma: 30, Horizon: 1000},
	{Name: "hs-pcfr+", Alpha: math.Inf(1), Beta: math.Inf(1), Gamma: 30, Horizon: 1000, Plus: true,
		Predictive: true},
}

// WeighsPredictions reports whether a prediction is more than the sum of the regrets and the last gains,
// which is all that a GPU computes.
func (a Algorithm) WeighsPredictions() bool {
	d := a.Discounts(1)
	return a.Predictive && (d.Kept != 1 || d.Predicted != 1)
}

// AlgorithmByName returns one of Algorithms.
func AlgorithmByName(name string) (a Algorithm, ok bool) {
	i := slices.IndexFunc(Algorithms, func(a Algorithm) bool { return a.Name == name })
	if i < 0 {
		return Algorithm{}, false
	}
	return Algorithms[i], true
}

// SplitAlgorithm splits how an algorithm is written, as in dcfr(1.5,0,2), into the name and what is in brackets,
// which are given or not. An error is a bracket that is not closed.
func SplitAlgorithm(text string) (name, parameters string, given bool, err error) {
	name, parameters, given = strings.Cut(text, "(")
	parameters, closed := strings.CutSuffix(parameters, ")")
	if given && !closed {
		err = errors.New("a bracket is not closed")
	}
	return name, parameters, given, err
}

// parameters returns the parameters that follow the name in brackets.
func (a *Algorithm) parameters() []*float64 {
	switch a.Name {
	case "dcfr":
		return []*float64{&a.Alpha, &a.Beta, &a.Gamma}
	case "dcfr+", "pdcfr+":
		return []*float64{&a.Alpha, &a.Gamma}
	case "pcfr+":
		return []*float64{&a.Gamma}
	case "sapcfr+":
		return []*float64{&a.Asymmetry, &a.Gamma}
	case "hs-dcfr", "hs-pcfr+":
		return []*float64{&a.Gamma, &a.Horizon}
	}
	return nil
}

// inFull returns the name with all parameters.
func (a Algorithm) inFull() string {
	var texts []string
	for _, x := range a.parameters() {
		texts = append(texts, strconv.FormatFloat(*x, 'g', -1, 64))
	}
	if texts == nil {
		return a.Name
	}
	return a.Name + "(" + strings.Join(texts, ",") + ")"
}

// WithParameters returns the algorithm with parameters as they are written in brackets.
func (a Algorithm) WithParameters(text string) (Algorithm, error) {
	all, fields := a.parameters(), strings.Split(text, ",")
	if all == nil {
		return a, fmt.Errorf("%s has no parameters", a.Name)
	}
	format, scheduled := fmt.Errorf("want numbers as in %s", a.inFull()), a.Horizon > 0
	if len(fields) != len(all) {
		return a, format
	}
	for i, field := range fields {
		x, err := strconv.ParseFloat(field, 64)
		if err != nil || math.IsNaN(x) {
			return a, format
		}
		*all[i] = x
	}
	switch {
	case !(a.Gamma >= 0) || math.IsInf(a.Gamma, 0):
		return a, fmt.Errorf("gamma must be a finite number not under 0")
	case scheduled && (a.Gamma < 5 || a.Horizon < 1 || math.IsInf(a.Horizon, 0)):
		return a, fmt.Errorf("gamma must not be under 5, by which it falls, and the iterations until then not under 1")
	case a.Asymmetry < 0:
		return a, fmt.Errorf("the asymmetry must not be under 0")
	}
	return a, nil
}

// String returns the name of the algorithm in strategy files, with parameters that are not the
// usual ones, always with those of discounted CFR, and with "/16" for Quantized.
func (a Algorithm) String() string {
	name := a.Name
	if usual, _ := AlgorithmByName(name); name == "dcfr" || a.inFull() != usual.inFull() {
		name = a.inFull()
	}
	if a.Quantized {
		name += "/16"
	}
	return name
}

// Discounts are the weights that an iteration gives to the earlier ones.
type Discounts struct {
	Positive, Negative float64 // factors on earlier regrets by their sign
	Floor              float64 // lower bound of regrets
	Average            float64 // factor on the earlier sum of strategies
	// A prediction is the sum of the regrets times Kept and the last gains times Predicted.
	Kept, Predicted float64
}

// Discounts returns the weights of iteration t, counted from 1.
func (a Algorithm) Discounts(t uint64) Discounts {
	before := float64(t - 1)
	if a.Horizon > 0 {
		passed := min(float64(t)/a.Horizon, 1)
		a.Alpha, a.Beta, a.Gamma = a.Alpha+3*passed, a.Beta-2*passed, a.Gamma-5*passed
	}
	discount := func(base, exponent float64) float64 {
		x := math.Pow(base, exponent)
		if math.IsInf(x, 1) || math.IsInf(exponent, 1) {
			return 1
		}
		return x / (x + 1)
	}
	d := Discounts{
		Positive:  discount(before, a.Alpha),
		Negative:  discount(before, a.Beta),
		Floor:     math.Inf(-1),
		Average:   math.Pow(before/float64(t), a.Gamma),
		Kept:      discount(float64(t), a.Alpha),
		Predicted: 1 / (1 + a.Asymmetry),
	}
	if a.Plus {
		d.Floor = 0
	}
	return d
}

// Single returns the discounts for tables of 32 bits. Its factors are off by up to 3e-8, which moves the
// curves of "linear", "dcfr" and "dcfr+" (docs/training.md).
func (d Discounts) Single() vectors.Discounts {
	return vectors.Discounts{
		Positive: float32(d.Positive), Negative: float32(d.Negative),
		Floor: float32(d.Floor), Average: float32(d.Average),
		Kept: float32(d.Kept), Predicted: float32(d.Predicted),
	}
}
