package mccfr

import (
	"fmt"
	"strconv"
	"strings"
)

// Sampling says which part of the tree a traversal goes through.
type Sampling uint8

const (
	// External samples cards and the other players' actions, and tries all of
	// the traversing player's (Lanctot, Waugh, Zinkevich and Bowling, "Monte
	// Carlo sampling for regret minimization in extensive games", NIPS 2009).
	External Sampling = iota
	// Outcome samples a single hand; the traversing player tries any action
	// with a probability of 0.6 in all (the same paper).
	Outcome
	// Chance samples the cards and goes through all actions (Zinkevich et al.,
	// "Regret minimization in games with incomplete information", NIPS 2007).
	Chance
	// SelfPublic samples the board and the player's own cards, and goes through
	// all actions with all hands of the others at once. This and the next two:
	// Johanson, Bard, Lanctot, Gibson and Bowling, "Efficient Nash equilibrium
	// approximation through Monte Carlo counterfactual regret minimization",
	// AAMAS 2012.
	SelfPublic
	// OpponentPublic samples the board and the others' cards, and goes through
	// all actions with all hands of the player at once.
	OpponentPublic
	// Public samples the board, and goes through all actions with all hands at
	// once.
	Public
)

var samplingNames = []string{
	External: "external", Outcome: "outcome", Chance: "chance",
	SelfPublic: "self-public", OpponentPublic: "opponent-public", Public: "public",
}

func (s Sampling) String() string { return samplingNames[s] }

// streamOf returns whose stream of random numbers a player's traversals have: by
// public sampling those of an iteration go through the same board.
func (s Sampling) streamOf(player int) int {
	if s == Public {
		return 0
	}
	return player
}

// traverser returns what traverses for a worker.
func (s Sampling) traverser(w *worker) traverser {
	switch s {
	case External:
		return newExternal(w)
	case Outcome:
		return newOutcome(w)
	}
	return newVectors(w, s == OpponentPublic || s == Public, s == SelfPublic || s == Public)
}

// Method is a way to sample, and how many iterations make a batch. Where it is
// linear, what the k-th batch finds counts k times (Brown and Sandholm, "Solving
// imperfect-information games via discounted regret minimization", AAAI 2019), so
// that what was found by the poor strategies of the beginning is soon forgotten.
type Method struct {
	Sampling Sampling
	Batch    int
	Linear   bool
}

const linearPrefix = "linear-"

// weight returns how often what a batch finds counts, after some iterations.
func (m Method) weight(iterations uint64) float32 {
	if !m.Linear {
		return 1
	}
	return float32(iterations/uint64(m.Batch) + 1)
}

// maxBatch bounds a batch: what it finds is kept until all of it is done.
const maxBatch = 1 << 16

// ParseMethod reads a method: the name of a sampling, and the size of a batch in
// brackets where it is not 1, as in external(64), after "linear-" where batches
// count more and more.
func ParseMethod(text string) (Method, error) {
	name, batch, bracket := strings.Cut(text, "(")
	name, linear := strings.CutPrefix(name, linearPrefix)
	for s, n := range samplingNames {
		if n != name {
			continue
		}
		m := Method{Sampling(s), 1, linear}
		if bracket {
			number, closed := strings.CutSuffix(batch, ")")
			k, err := strconv.Atoi(number)
			if err != nil || !closed || k < 1 || k > maxBatch {
				return m, fmt.Errorf("method %q: want the size of a batch in brackets, up to %d, as in %s(64)", text, maxBatch, name)
			}
			m.Batch = k
		}
		return m, nil
	}
	return Method{}, fmt.Errorf("unknown method %q: want one of %s, or linear-public and so on", text, strings.Join(samplingNames, ", "))
}

// String returns what ParseMethod reads.
func (m Method) String() string {
	name := m.Sampling.String()
	if m.Linear {
		name = linearPrefix + name
	}
	if m.Batch == 1 {
		return name
	}
	return fmt.Sprintf("%s(%d)", name, m.Batch)
}
