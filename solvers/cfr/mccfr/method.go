package mccfr

import (
	"fmt"
)

// Sampling is the part of the tree that a traversal visits.
type Sampling uint8

const (
	// External samples the cards and the other players' actions, and tries all
	// actions of the traversing player (Lanctot, Waugh, Zinkevich and Bowling,
	// "Monte Carlo sampling for regret minimization in extensive games", NIPS
	// 2009).
	External Sampling = iota
	// Outcome samples a single hand. The traversing player explores a uniformly
	// random action with probability 0.6 (the same paper).
	Outcome
)

var samplingNames = []string{External: "external", Outcome: "outcome"}

func (s Sampling) String() string { return samplingNames[s] }

// traverser returns the traverser of a worker.
func (s Sampling) traverser(w *worker) traverser {
	if s == Outcome {
		return newOutcome(w)
	}
	return newExternal(w)
}

// Method is a sampling and the number of iterations of a batch.
type Method struct {
	Sampling Sampling
	Batch    int
	// Linear gives the updates of the k-th batch weight k, so that the poor
	// strategies of the beginning are soon forgotten (Brown and Sandholm, "Solving
	// imperfect-information games via discounted regret minimization", AAAI 2019).
	Linear bool
	// Robust has opponents in one traversal of eight who call, raise or act at random without a look at their cards, so
	// that the strategy also knows what to do where good players hardly ever come. In games without a limit three more
	// are against loose players. External sampling only.
	Robust bool
	// Half stores regrets and strategy sums in 16 bits.
	Half bool
}

const (
	linearPrefix = "linear-"
	robustPrefix = "robust-"
	halfSuffix   = "/16"
)

// postpones reports whether updates are made at the end of a batch.
func (m Method) postpones() bool { return m.Batch > 1 }

// weight returns the weight of a batch's updates after the iterations so far.
func (m Method) weight(iterations uint64) float32 {
	if !m.Linear {
		return 1
	}
	return float32(iterations/uint64(m.Batch) + 1)
}

// DefaultBatch is the batch of external sampling that lets many threads train a game with
// the same bits, and costs next to nothing: an information set is seldom visited twice in
// it. It is a power of two, and 1 for small games.
func DefaultBatch(g *Game) int {
	batch := 1
	for batch < maxDefaultBatch && g.InfoSets() >= 2*batch*infoSetsPerIteration {
		batch *= 2
	}
	if batch < minDefaultBatch {
		return 1
	}
	return batch
}

const (
	minDefaultBatch      = 16 // threads gain nothing from less
	maxDefaultBatch      = 1 << 10
	infoSetsPerIteration = 512
)

// MaxBatch bounds a batch: its updates are kept until all of it is done.
const MaxBatch = 1 << 16

// String returns the name of the method in strategy files, as in linear-external(64).
func (m Method) String() string {
	name := m.Sampling.String()
	if m.Linear {
		name = linearPrefix + name
	}
	if m.Robust {
		name = robustPrefix + name
	}
	if m.postpones() {
		name = fmt.Sprintf("%s(%d)", name, m.Batch)
	}
	if m.Half {
		name += halfSuffix
	}
	return name
}
