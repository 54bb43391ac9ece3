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
	// Chance samples the cards and tries all actions (Zinkevich et al., "Regret
	// minimization in games with incomplete information", NIPS 2007).
	Chance
	// SelfPublic samples the board and the player's own cards, and tries all
	// actions with all hands of the others at once. This and the next two:
	// Johanson, Bard, Lanctot, Gibson and Bowling, "Efficient Nash equilibrium
	// approximation through Monte Carlo counterfactual regret minimization",
	// AAMAS 2012.
	SelfPublic
	// OpponentPublic samples the board and the others' cards, and tries all
	// actions with all hands of the player at once.
	OpponentPublic
	// Public samples the board, and tries all actions with all hands of everyone
	// at once.
	Public
)

var samplingNames = []string{
	External: "external", Outcome: "outcome", Chance: "chance",
	SelfPublic: "self-public", OpponentPublic: "opponent-public", Public: "public",
}

func (s Sampling) String() string { return samplingNames[s] }

// streamOf returns the player whose stream of random numbers a player's traversals
// use. By public sampling the traversals of an iteration share one board.
func (s Sampling) streamOf(player int) int {
	if s == Public {
		return 0
	}
	return player
}

// traverser returns the traverser of a worker.
func (s Sampling) traverser(w *worker) traverser {
	switch s {
	case External:
		return newExternal(w)
	case Outcome:
		return newOutcome(w)
	}
	return newVectors(w, s)
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
	// that the strategy also knows what to do where good players hardly ever come. External sampling only.
	Robust bool
	// Racing does the iterations of a batch on all threads at once, and makes every
	// update when it is known. That is the fastest way, but two runs differ, unless
	// there is one thread. External sampling only, with a batch of RacingBatch.
	Racing bool
	// Half stores regrets and strategy sums in 16 bits. Not with Racing.
	Half bool
}

const (
	linearPrefix = "linear-"
	racingPrefix = "racing-"
	robustPrefix = "robust-"
	halfSuffix   = "/16"
)

// RacingBatch is the batch of racing methods: how many iterations they do between two
// looks at the clock.
const RacingBatch = 1 << 12

// postpones reports whether updates are made at the end of a batch.
func (m Method) postpones() bool { return m.Batch > 1 && !m.Racing }

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

// String returns the name of the method in strategy files, as in linear-public(64).
func (m Method) String() string {
	name := m.Sampling.String()
	if m.Linear {
		name = linearPrefix + name
	}
	if m.Robust {
		name = robustPrefix + name
	}
	if m.Racing {
		name = racingPrefix + name
	}
	if m.postpones() {
		name = fmt.Sprintf("%s(%d)", name, m.Batch)
	}
	if m.Half {
		name += halfSuffix
	}
	return name
}
