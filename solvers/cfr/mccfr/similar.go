package mccfr

import (
	"math/bits"

	"gamebots/acpc"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

// similar has the mean regrets of each class of decisions that are alike. A few visits of an information set say little
// about an action that puts a stack at stake: so one that was visited a few times or never goes by the regrets of all
// that are alike, and by its own in proportion to its visits.
type similar struct {
	*Table
	classes []int32     // numbers of the classes, by decision of the game
	visit   float32     // weight of a visit in the strategy sums
	regrets [][]float64 // regrets of a visit by class, bucket and action; before that their sums
	visits  [][]float64 // visits by class and bucket
}

const (
	// similarVisits is for how many visits of an information set similar ones count.
	similarVisits = 512
	// mostVisits is for how many visits an information set counts at most among similar ones.
	mostVisits = 1024
)

// likeness is what the decisions of a class have in common.
type likeness struct {
	round, raises, players, actions int
	folds                           bool // whether the player may fold
	price                           int  // what a call costs, in eighths of the pot after it
	behind                          int  // what the player has left after it, as a power of two of quarters of that pot
}

// likenessOf returns the likeness of a decision.
func likenessOf(s *acpc.State, n *betting.Node) likeness {
	l := likeness{round: s.Round(), raises: s.NumRaises(), actions: int(n.NumActions), folds: s.CanFold()}
	actor, pot := s.Actor(), int64(0)
	for p := range s.Game().NumPlayers {
		pot += int64(s.Spent(p))
		if !s.Folded(p) {
			l.players++
		}
	}
	left := s.Game().Stack[actor] - s.Spent(actor)
	call := min(s.MaxSpent()-s.Spent(actor), left)
	pot = max(pot+int64(call), 1) // without blinds it may be empty
	l.price = int(8 * int64(call) / pot)
	l.behind = bits.Len64(uint64(4 * int64(left-call) / pot))
	return l
}

// newSimilar finds the decisions of an index that are alike, and their mean regrets.
func (t *Table) newSimilar(x *policy.Index, decisions []int32, visit float32) *similar {
	s := &similar{Table: t, classes: make([]int32, len(t.Nodes)), visit: visit}
	numbers, entered := map[likeness]int32{}, make([]bool, len(x.Tree.Segments))
	var walk func(state acpc.State, node int32)
	walk = func(state acpc.State, node int32) {
		switch n := &x.Tree.Nodes[node]; n.Kind {
		case betting.Deal:
			if !entered[n.First] {
				entered[n.First] = true
				walk(state, x.Tree.Segments[n.First].First)
			}
		case betting.Decision:
			l := likenessOf(&state, n)
			number, known := numbers[l]
			if !known {
				number = int32(len(s.visits))
				numbers[l] = number
				buckets := t.Buckets.NumBuckets(l.round)
				s.visits = append(s.visits, make([]float64, buckets))
				s.regrets = append(s.regrets, make([]float64, buckets*l.actions))
			}
			s.classes[decisions[node]] = number
			for child := n.First; child < n.First+int32(n.NumActions); child++ {
				after := state
				after.Apply(x.Tree.Nodes[child].Action())
				walk(after, child)
			}
		}
	}
	walk(t.Rules.NewState(0), x.Tree.Segments[0].First)
	s.learn()
	return s
}

// learn sets the visits and mean regrets of the classes.
func (s *similar) learn() {
	values := make([]float32, s.MaxActions)
	for i := range s.Nodes {
		n, class := &s.Nodes[i], s.classes[i]
		values = values[:n.Actions]
		for bucket := range s.Buckets.NumBuckets(int(n.Round)) {
			entry, visits := s.Rows[n.Round][n.Actor].Of(bucket)+int(n.Offset), 0.
			s.strategySums(values, entry)
			for _, x := range values {
				visits += float64(x) / float64(s.visit)
			}
			if visits == 0 {
				continue
			}
			counted := min(visits, mostVisits)
			s.visits[class][bucket] += counted
			s.Table.regrets(values, entry)
			for a, x := range values {
				s.regrets[class][bucket*len(values)+a] += float64(x) * counted / visits
			}
		}
	}
	for class, visits := range s.visits {
		regrets := s.regrets[class]
		actions := len(regrets) / len(visits)
		for i := range regrets {
			regrets[i] /= max(1, visits[i/actions])
		}
	}
}

// add adds to the sums of an information set what its regrets and those of similar ones say. Where there are none, it
// folds, or checks.
func (s *similar) add(sums []float32, decision int32, bucket int) {
	n, class := &s.Nodes[decision], s.classes[decision]
	if s.visits[class][bucket] == 0 {
		sums[0] += similarVisits * s.visit
		return
	}
	sigma := make([]float32, len(sums))
	s.Table.regrets(sigma, s.Rows[n.Round][n.Actor].Of(bucket)+int(n.Offset))
	for a, x := range s.regrets[class][bucket*len(sums):][:len(sums)] {
		sigma[a] += float32(similarVisits * x)
	}
	RegretMatching(sigma, sigma)
	for a, x := range sigma {
		sums[a] += float32(similarVisits * s.visit * x)
	}
}
