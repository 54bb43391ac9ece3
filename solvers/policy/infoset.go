package policy

import (
	"iter"

	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
)

// InfoSet is an information set of a strategy: the hands of a player that the strategy
// plays alike after the same betting.
type InfoSet struct {
	// Betting is the betting before it, as in "crc/r": see [acpc.State.AppendBetting].
	Betting string
	// Node is the decision in the betting tree, whose round and actor it names.
	Node   int32
	Bucket int // bucket of the decision's round
	// Deal is one of the deals in the bucket, if the abstraction is one of
	// [abstraction.Cards]; else it has no cards.
	Deal abstraction.Deal
	// Choices are the actions of the player to act, valid until the next iteration.
	Choices []Choice
}

// All returns an iterator over the information sets of the strategy. It yields a decision
// before those that follow it, and the buckets of a decision in ascending order. An error
// in reading the file is the last pair.
func (p *Policy) All() iter.Seq2[InfoSet, error] {
	return func(yield func(InfoSet, error) bool) {
		start := p.Tree.Game.NewState(0)
		p.decisions(&start, p.Tree.Segments[0].First, yield)
	}
}

// decisions yields the information sets from a node on, which s has come to, and reports
// whether to go on.
func (p *Policy) decisions(s *acpc.State, node int32, yield func(InfoSet, error) bool) bool {
	node = p.Tree.AfterDeal(node)
	n := &p.Tree.Nodes[node]
	if n.Kind != betting.Decision {
		return true
	}
	set := InfoSet{Betting: string(s.AppendBetting(nil)), Node: node}
	cards, listed := p.Buckets.(*abstraction.Cards)
	for set.Bucket = range p.Buckets.NumBuckets(int(n.Round)) {
		if listed {
			var ok bool
			if set.Deal, ok = cards.Deal(int(n.Round), set.Bucket); !ok {
				continue
			}
		}
		var err error
		if set.Choices, err = p.ChoicesAt(set.Choices[:0], node, set.Bucket); err != nil {
			yield(InfoSet{}, err)
			return false
		}
		if !yield(set, nil) {
			return false
		}
	}
	for child := n.First; child < n.First+int32(n.NumActions); child++ {
		next := *s
		next.Apply(p.Tree.Nodes[child].Action())
		if !p.decisions(&next, child, yield) {
			return false
		}
	}
	return true
}
