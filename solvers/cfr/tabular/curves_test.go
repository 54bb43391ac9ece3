package tabular

import (
	"math"
	"math/big"
	"testing"

	"gamebots/solvers/cfr"
	"gamebots/solvers/nash/extensive"
)

// A naive is counterfactual regret minimisation as papers write it: recursive, in 64 bits, with the weight t^gamma
// of iteration t in the average.
type naive struct {
	g                          *extensive.Game
	a                          cfr.Algorithm
	regret, matched, sum       [][]float64 // indices: set, action
	sigma, gain                [][]float64
	reach                      []float64 // own reach, by set
	player, iteration, players int
}

func newNaive(g *extensive.Game, a cfr.Algorithm) *naive {
	n := &naive{g: g, a: a, reach: make([]float64, len(g.Sets)), players: len(g.Players)}
	for _, x := range []*[][]float64{&n.regret, &n.matched, &n.sum, &n.sigma, &n.gain} {
		for i := range g.Sets {
			*x = append(*x, make([]float64, len(g.Sets[i].Actions)))
		}
	}
	return n
}

// step does an iteration, in which players are updated in turn.
func (n *naive) step() {
	n.iteration++
	for n.player = range n.players {
		for s := range n.g.Sets {
			n.match(s)
		}
		n.value(0, 1, 1, 0)
		for s, set := range n.g.Sets {
			if set.Player == n.player {
				n.update(s)
			}
		}
	}
}

func (n *naive) match(s int) {
	total := 0.0
	for _, r := range n.matched[s] {
		total += math.Max(r, 0)
	}
	for i, r := range n.matched[s] {
		n.sigma[s][i] = math.Max(r, 0) / total
		if total == 0 {
			n.sigma[s][i] = 1 / float64(len(n.sigma[s]))
		}
		n.gain[s][i] = 0
	}
}

// value returns what the player wins at a node. Payoffs add up along a path.
func (n *naive) value(at int, own, others, won float64) float64 {
	node := &n.g.Nodes[at]
	if node.Outcome != extensive.None {
		x, _ := n.g.Outcomes[node.Outcome].Payoffs[n.player].Float64()
		won += x
	}
	if node.Set == extensive.None {
		return won
	}
	set := &n.g.Sets[node.Set]
	values, mean := make([]float64, len(node.Children)), 0.0
	for i, child := range node.Children {
		var p float64
		switch set.Player {
		case extensive.Chance:
			p, _ = set.Probabilities[i].Float64()
			values[i] = n.value(child, own, others*p, won)
		case n.player:
			p = n.sigma[node.Set][i]
			values[i] = n.value(child, own*p, others, won)
		default:
			p = n.sigma[node.Set][i]
			values[i] = n.value(child, own, others*p, won)
		}
		mean += p * values[i]
	}
	if set.Player == n.player {
		n.reach[node.Set] = own
		for i, v := range values {
			n.gain[node.Set][i] += others * (v - mean)
		}
	}
	return mean
}

func (n *naive) update(s int) {
	t := float64(n.iteration)
	alpha, beta, gamma := n.a.Alpha, n.a.Beta, n.a.Gamma
	if part := t / n.a.Horizon; n.a.Horizon > 0 { // Zhang et al., and constant from the horizon on
		part = math.Min(part, 1)
		alpha, beta, gamma = alpha+3*part, beta-2*part, gamma-5*part
	}
	discount := func(t, exponent float64) float64 {
		x := math.Pow(t-1, exponent)
		if math.IsInf(exponent, 1) || math.IsInf(x, 1) {
			return 1
		}
		return x / (x + 1)
	}
	for i, gain := range n.gain[s] {
		n.sum[s][i] = n.sum[s][i]*math.Pow((t-1)/t, gamma) + n.reach[s]*n.sigma[s][i]
		r := &n.regret[s][i]
		if *r > 0 {
			*r *= discount(t, alpha)
		} else {
			*r *= discount(t, beta)
		}
		if *r += gain; n.a.Plus {
			*r = math.Max(*r, 0)
		}
		if n.matched[s][i] = *r; n.a.Predictive {
			n.matched[s][i] = *r*discount(t+1, alpha) + gain/(1+n.a.Asymmetry)
		}
	}
}

// average returns the average strategies.
func (n *naive) average() extensive.Profile {
	out := make(extensive.Profile, len(n.g.Sets))
	for s, set := range n.g.Sets {
		if set.Player == extensive.Chance {
			out[s] = set.Probabilities
			continue
		}
		total := new(big.Rat)
		for _, x := range n.sum[s] {
			total.Add(total, new(big.Rat).SetFloat64(x))
		}
		for _, x := range n.sum[s] {
			p := big.NewRat(1, int64(len(n.sum[s])))
			if total.Sign() > 0 {
				p.Quo(new(big.Rat).SetFloat64(x), total)
			}
			out[s] = append(out[s], p)
		}
	}
	return out
}

// All variants have the curves of the naive one to six digits. In some, rounding decides what is played when regrets
// cross zero, so that the last digits of a longer curve belong to an implementation.
func TestCurves(t *testing.T) {
	for game, points := range map[string][]int{"kuhn": {10, 100, 300}, "leduc": {10, 50}} {
		q, _ := poker(t, game)
		for _, a := range cfr.Algorithms {
			slow := newNaive(q.Game, a)
			fast, err := New(q, a.Name, 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range points {
				for slow.iteration < n {
					slow.step()
					fast.Step()
				}
				want, got := exploitability(t, q, slow.average()), exploitability(t, q, fast.Profile())
				if math.Abs(got-want) > 1e-6*want+1e-15 {
					t.Errorf("%s by %s, %d iterations: %.8g, want %.8g", game, a.Name, n, got, want)
				}
			}
		}
	}
}

// Outside poker, too, exploitability is what an independent program finds after 100 and 300 iterations, which computes
// in another order.
func TestOtherGames(t *testing.T) {
	for name, curves := range map[string]map[string][2]float64{
		"goofspiel-4": {"pcfr+": {1.0e-4, 3.8e-6}, "dcfr+": {1.9e-3, 8.2e-4}, "sapcfr+": {1.3e-4, 4.9e-6},
			"hs-pcfr+(30,300)": {2.0e-5, 5.5e-12}},
		"liars-dice-4": {"pcfr+": {1.6e-3, 5.4e-5}, "dcfr+": {5.3e-4, 1.9e-4}, "sapcfr+": {4.3e-4, 1.7e-5},
			"hs-pcfr+(30,300)": {1.4e-3, 6.5e-7}},
		"leduc": {"pcfr+": {.0198, .00301}, "sapcfr+": {.0129, .00138}, "pdcfr+": {.0204, .00297},
			"hs-pcfr+(30,300)": {.0303, .00658}},
	} {
		var q *extensive.Sequences
		if g, err := extensive.Named(name); err != nil {
			t.Fatal(err)
		} else if g == nil {
			q, _ = poker(t, name)
		} else if q, err = g.Sequences(); err != nil {
			t.Fatal(err)
		}
		for algorithm, curve := range curves {
			trainer, err := New(q, algorithm, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range curve {
				for trainer.Iterations() < []uint64{100, 300}[i] {
					trainer.Step()
				}
				_, gains := trainer.Evaluate()
				within := []float64{.15, .1}[i]
				if got := (gains[0] + gains[1]) / 2; math.Abs(got/want-1) > within {
					t.Errorf("%s by %s, %d iterations: %.3g, want %.3g", name, algorithm, trainer.Iterations(), got,
						want)
				}
			}
		}
	}
}

// TestPublishedCurves compares curves of Leduc with those of OpenSpiel (pull request 197, CFR) and of another program
// in 64 bits, both to the digits that are known.
func TestPublishedCurves(t *testing.T) {
	q, _ := poker(t, "leduc")
	for _, curve := range []struct {
		algorithm string
		points    []int
		want      []float64
		within    float64 // relative
	}{
		{"cfr", []int{1, 101, 201, 301, 501}, []float64{2.37361, .0939493, .0533380, .0355078, .0214264}, 5e-6},
		{"linear", []int{50, 100}, []float64{.0689952, .0344898}, 3e-6},
		{"dcfr", []int{50, 100}, []float64{.0229218, .00775502}, 1e-3},
	} {
		trainer, err := New(q, curve.algorithm, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range curve.points {
			for trainer.Iterations() < uint64(n) {
				trainer.Step()
			}
			if got := exploitability(t, q, trainer.Profile()); math.Abs(got/curve.want[i]-1) > curve.within {
				t.Errorf("%s, %d iterations: %.8g, want %.8g", curve.algorithm, n, got, curve.want[i])
			}
		}
	}
}
