package hexnet

import (
	"fmt"
	"math"
)

// Targets are what a network should have answered for a batch of boards, flat as Outputs.
type Targets struct {
	// Policy has the probability of the move on each cell, -1 where there is none. A board
	// whose probabilities are all 0 or -1 has no target.
	Policy []float32
	// Reply has for each board the cell of the opponent's next move, or -1 if there was none.
	Reply []int16
	// Structure has for each cell 1 if the player to move won with a stone there, -1 if the
	// opponent did, else 0.
	Structure []int8
	Value     []float32 // result of each board for the player to move, from -1 to 1
	Kinds     []uint8   // set of kinds of structures that won, of each board
}

// check returns an error if the targets are not those of the boards.
func (t *Targets) check(boards, cells int) error {
	if len(t.Policy) != boards*cells || len(t.Structure) != boards*cells || len(t.Reply) != boards ||
		len(t.Value) != boards || len(t.Kinds) != boards {
		return fmt.Errorf("targets of %d policies, %d replies, %d structures, %d values and %d kinds are not those of "+
			"%d boards of %d cells",
			len(t.Policy), len(t.Reply), len(t.Structure), len(t.Value), len(t.Kinds), boards, cells)
	}
	for board, reply := range t.Reply {
		if int(reply) >= cells {
			return fmt.Errorf("board %d: reply %d of %d cells", board, reply, cells)
		}
	}
	return nil
}

// Losses are means over the boards of a batch, in nats.
type Losses struct {
	Policy    float64 // cross entropy of the policy
	Value     float64 // cross entropy of a win, whose probability is (1+value)/2
	Reply     float64 // cross entropy of the reply
	Structure float64 // cross entropy of the two logits of a cell, mean over cells
	Kinds     float64 // cross entropy of the kinds' logits, summed
}

// The parts of the total loss.
const (
	policyWeight    = 1
	valueWeight     = 1
	replyWeight     = 0.15
	structureWeight = 0.5
	kindsWeight     = 0.1
)

// Total returns the weighted sum that training reduces.
func (l Losses) Total() float64 {
	return policyWeight*l.Policy + valueWeight*l.Value + replyWeight*l.Reply + structureWeight*l.Structure +
		kindsWeight*l.Kinds
}

// add adds a multiple of other losses.
func (l *Losses) add(m Losses, factor float64) {
	l.Policy += factor * m.Policy
	l.Value += factor * m.Value
	l.Reply += factor * m.Reply
	l.Structure += factor * m.Structure
	l.Kinds += factor * m.Kinds
}

// loss adds to sums the losses of some boards whose outputs forward has computed, and sets
// the gradients of the outputs, times factor. First is the number of the first board in t.
func (g *gradientPass) loss(t *Targets, first, boards int, factor float32, sums *Losses) {
	cells := g.shape.Cells
	for board := range boards {
		rows, at := board*cells, (first+board)*cells
		x, d := g.logits[rows*panelWidth:][:cells*panelWidth], g.dLogits[rows*panelWidth:][:cells*panelWidth]
		clear(d)
		policy := t.Policy[at:][:cells]
		sums.Policy += g.softmaxEntropy(x, d, policy, policy, factor*policyWeight)
		if reply := t.Reply[first+board]; reply >= 0 {
			clear(g.target)
			g.target[reply] = 1
			sums.Reply += g.softmaxEntropy(x[1:], d[1:], policy, g.target, factor*replyWeight)
		}
		f := factor * structureWeight / float32(cells)
		for cell, winner := range t.Structure[at:][:cells] {
			i := cell * panelWidth
			sums.Structure += (binaryEntropy(x[i+2], &d[i+2], set(winner > 0), f) +
				binaryEntropy(x[i+3], &d[i+3], set(winner < 0), f)) / float64(cells)
		}
		y, dy := g.outputs[board*panelWidth:], g.dOutputs[board*panelWidth:][:panelWidth]
		clear(dy)
		z := t.Value[first+board]
		sums.Value += binaryEntropy(2*y[0], &dy[0], (1+z)/2, 2*factor*valueWeight)
		for k := range Kinds {
			sums.Kinds += binaryEntropy(y[1+k], &dy[1+k], set(t.Kinds[first+board]>>k&1 != 0), factor*kindsWeight)
		}
	}
}

func set(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

// binaryEntropy returns the cross entropy of a logit and the probability that is its target, and
// sets the gradient times factor.
func binaryEntropy(x float32, d *float32, target, factor float32) float64 {
	*d = (logistic(x) - target) * factor
	v := float64(x)
	return max(v, 0) - float64(v*float64(target)) + math.Log1p(math.Exp(-math.Abs(v)))
}

// softmaxEntropy returns the cross entropy of the logits at the beginning of some rows and a
// target, among the cells whose legal is not negative, and sets the gradient times factor.
func (g *gradientPass) softmaxEntropy(x, d, legal, target []float32, factor float32) float64 {
	most := float32(math.Inf(-1))
	for cell, ok := range legal {
		if ok >= 0 {
			most = max(most, x[cell*panelWidth])
		}
	}
	var sum, mass float32
	p := g.probabilities
	for cell, ok := range legal {
		if p[cell] = 0; ok >= 0 {
			p[cell] = exp(x[cell*panelWidth] - most)
			sum += p[cell]
			mass += target[cell]
		}
	}
	log, entropy := float64(most)+math.Log(float64(sum)), 0.
	for cell, ok := range legal {
		if ok >= 0 {
			at := cell * panelWidth
			d[at] = (float32(p[cell]/sum*mass) - target[cell]) * factor
			entropy += float64(float64(target[cell]) * (log - float64(x[at])))
		}
	}
	return entropy
}
