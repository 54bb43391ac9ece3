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

// Method is a way to sample, and how many iterations make a batch.
type Method struct {
	Sampling Sampling
	Batch    int
}

// maxBatch bounds a batch: what it finds is kept until all of it is done.
const maxBatch = 1 << 16

// ParseMethod reads a method: the name of a sampling, and the size of a batch in
// brackets where it is not 1, as in external(64).
func ParseMethod(text string) (Method, error) {
	name, batch, bracket := strings.Cut(text, "(")
	for s, n := range samplingNames {
		if n != name {
			continue
		}
		m := Method{Sampling(s), 1}
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
	return Method{}, fmt.Errorf("unknown method %q: want one of %s", text, strings.Join(samplingNames, ", "))
}

// String returns what ParseMethod reads.
func (m Method) String() string {
	if m.Batch == 1 {
		return m.Sampling.String()
	}
	return fmt.Sprintf("%s(%d)", m.Sampling, m.Batch)
}
