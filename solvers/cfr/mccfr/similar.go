package mccfr

import (
	"math/bits"

	"gamebots/acpc"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

// similar has the average strategy of each class of decisions that are alike. An information set that was visited a few
// times or never does better with it than with what it has learned, which may be to call all-in with any cards.
type similar struct {
	classes []int32     // numbers of the classes, by decision of the game
	visit   float32     // weight of a visit in the strategy sums
	visits  [][]float64 // strategies by class, bucket and action, each as often as it was visited
}

const (
	// similarVisits is for how many visits of an information set the strategy of similar ones counts.
	similarVisits = 16
	// mostVisits is for how many visits an information set counts at most among similar ones.
	mostVisits = 64
)

// likeness is what the decisions of a class have in common.
type likeness struct {
	round, players, actions int
	folds                   bool // whether the player may fold
	price                   int  // what a call costs, in eighths of the pot after it
	behind                  int  // what the player has left after it, as a power of two of quarters of that pot
}

// likenessOf returns the likeness of a decision.
func likenessOf(s *acpc.State, n *betting.Node) likeness {
	l, actor, pot := likeness{round: s.Round(), actions: int(n.NumActions), folds: s.CanFold()}, s.Actor(), int64(0)
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

// newSimilar finds the decisions of an index that are alike, and what is played there.
func (t *Table) newSimilar(x *policy.Index, decisions []int32, visit float32) *similar {
	s := &similar{classes: make([]int32, len(t.Nodes)), visit: visit}
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
				s.visits = append(s.visits, make([]float64, t.Buckets.NumBuckets(l.round)*l.actions))
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
	sums := make([]float32, t.MaxActions)
	for i := range t.Nodes {
		n := &t.Nodes[i]
		for bucket := range t.Buckets.NumBuckets(int(n.Round)) {
			t.strategySums(sums[:n.Actions], t.Rows[n.Round][n.Actor].Of(bucket)+int(n.Offset))
			s.count(sums[:n.Actions], s.visits[s.classes[i]][bucket*int(n.Actions):])
		}
	}
	return s
}

// count adds the strategy of an information set to that of similar ones.
func (s *similar) count(sums []float32, visits []float64) {
	total := 0.
	for _, x := range sums {
		total += float64(x)
	}
	if total == 0 {
		return
	}
	scale := min(total/float64(s.visit), mostVisits) / total
	for a, x := range sums {
		visits[a] += float64(x) * scale
	}
}

// add adds the strategy of similar information sets to the sums of one. Where there is none, it folds, or checks.
func (s *similar) add(sums []float32, decision int32, bucket int) {
	visits, total := s.visits[s.classes[decision]][bucket*len(sums):][:len(sums)], 0.
	for _, x := range visits {
		total += x
	}
	if total == 0 {
		sums[0] += similarVisits * s.visit
		return
	}
	for a, x := range visits {
		sums[a] += float32(similarVisits * float64(s.visit) * x / total)
	}
}
