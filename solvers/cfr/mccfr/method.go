package mccfr

import "fmt"

// Method is a variant of external sampling: the cards and the other players' actions are sampled, and all actions of
// the traversing player are tried (Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for regret minimization
// in extensive games", NIPS 2009).
type Method struct {
	Batch int // iterations
	// Linear gives the updates of the k-th batch weight k, so that the poor
	// strategies of the beginning are soon forgotten (Brown and Sandholm, "Solving
	// imperfect-information games via discounted regret minimization", AAAI 2019).
	Linear bool
	// Robust has opponents in one traversal of eight who call, raise or act at random without a look at their cards, so
	// that the strategy also knows what to do where good players hardly ever come. In games without a limit three more
	// are against loose players.
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
	name := "external"
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
