package pcs

import (
	"fmt"

	"gamebots/cudalib/pcsgpu"
)

// Method is a variant of CFR, and the number of boards of a batch.
type Method struct {
	Batch int
	// Plus turns regrets below zero into zero at the end of a batch, as CFR+ does after an
	// iteration, and gives the strategies of the k-th batch weight k (Tammelin, "Solving large
	// imperfect information games using CFR+", 2014). Otherwise both the regrets and the
	// strategies of the k-th batch have weight k, as in linear CFR (Brown and Sandholm,
	// "Solving imperfect-information games via discounted regret minimization", AAAI 2019).
	Plus bool
}

// The names of methods.
const (
	LinearName = "linear-pcs"
	PlusName   = "pcs+"
)

// MaxBatch bounds a batch: the values of all of its boards are kept.
const MaxBatch = 1 << 12

// MaxSteps is how many batches a training should do at most. Sums of strategies are numbers of 32
// bits, and what a batch adds to them becomes ever smaller beside them. The rounding changes a
// probability that stays the same by up to 0.0013 by then, and by 0.02 after four times as many.
const MaxSteps = 1 << 22

// DefaultBatch is the batch where none is given.
const DefaultBatch = 64

// String returns the name of the method in files, as in linear-pcs(64).
func (m Method) String() string {
	name := LinearName
	if m.Plus {
		name = PlusName
	}
	return fmt.Sprintf("%s(%d)", name, m.Batch)
}

// update returns how the k-th batch, from 1, changes strategies.
func (m Method) update(k uint64) pcsgpu.Update {
	u := pcsgpu.Update{Regret: float32(k), Sum: float32(k)}
	if m.Plus {
		u.Regret, u.Floor = 1, true
	}
	return u
}

// Weights returns the sums of the weights that the regrets, and the strategies, of the first
// boards have.
func (m Method) Weights(boards uint64) (regrets, sums float64) {
	batches := float64(boards) / float64(m.Batch)
	sums = float64(boards) * (batches + 1) / 2
	if m.Plus {
		return float64(boards), sums
	}
	return sums, sums
}
