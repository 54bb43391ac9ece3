package policy

import "gamebots/solvers/cfr/betting"

// Played returns the probabilities with which a strategy is played, in the order of its
// weights, which is that of [Policy.Weights]. play, if not nil, changes the choices of
// every information set, which need not sum to one before or after. Where all are zero,
// all actions are equally likely.
func Played[F float32 | float64](x *Index, weights []float32, play func([]Choice)) []F {
	probability := make([]F, len(weights))
	var choices []Choice
	var row []F
	for i := range x.Tree.Nodes {
		n := &x.Tree.Nodes[i]
		if n.Kind != betting.Decision {
			continue
		}
		first, stride := x.Entry(int32(i)), x.Buckets.NumBuckets(int(n.Round))
		for b := range stride {
			choices = choices[:0]
			for a := range int(n.NumActions) {
				choices = append(choices,
					Choice{Action: x.Tree.Nodes[int(n.First)+a].Action(), Probability: weights[first+a*stride+b]})
			}
			if play != nil {
				play(choices)
			}
			row = AppendProbabilities(row[:0], choices)
			for a, p := range row {
				probability[first+a*stride+b] = p
			}
		}
	}
	return probability
}

// AppendProbabilities appends to dst the probabilities of choices that need not sum to one.
// Where all are zero, all actions are equally likely.
func AppendProbabilities[F float32 | float64](dst []F, choices []Choice) []F {
	total := 0.0
	for _, c := range choices {
		total += float64(c.Probability)
	}
	for _, c := range choices {
		p := 1 / float64(len(choices))
		if total > 0 {
			p = float64(c.Probability) / total
		}
		dst = append(dst, F(p))
	}
	return dst
}

// Proportions returns the factor and the constant that turn the weights of one information set,
// one every stride, into probabilities.
func Proportions(weights []float32, actions, stride int) (scale, base float64) {
	total := 0.0
	for a := range actions {
		total += float64(weights[a*stride])
	}
	if total > 0 {
		return 1 / total, 0
	}
	return 0, 1 / float64(actions)
}
