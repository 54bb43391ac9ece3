package segment

import (
	"encoding/binary"

	"gamebots/acpc"
	"gamebots/solvers/cfr/betting"
)

// groups returns the segments of each part of all rounds, in the order of the rounds: without
// those where nobody can act because a player is all-in.
func groups(t *betting.Tree) (groups [][]int) {
	type key struct {
		round int
		shape string
	}
	numbers := map[key]int{}
	for i, s := range t.Segments {
		if hasEnded(t, s.First) {
			continue
		}
		k := key{s.Round, string(appendShape(nil, t, s.First))}
		number, ok := numbers[k]
		if !ok {
			number = len(groups)
			numbers[k] = number
			groups = append(groups, nil)
		}
		groups[number] = append(groups[number], i)
	}
	return groups
}

// hasEnded reports whether no decision follows on a node: at the end of the hand, and where a
// player is all-in and only cards are dealt.
func hasEnded(t *betting.Tree, node int32) bool {
	return t.Nodes[t.AfterDeal(node)].Kind == betting.Terminal
}

// potAt returns the pot of a node on which no decision follows.
func potAt(t *betting.Tree, node int32) *acpc.Pot {
	return &t.Terminals[t.Nodes[t.AfterDeal(node)].First]
}

// appendShape appends what the nodes of a segment from one on are. It is the same for segments of
// one part.
func appendShape(shape []byte, t *betting.Tree, node int32) []byte {
	n := &t.Nodes[node]
	switch {
	case hasEnded(t, node) && potAt(t, node).Showdown():
		return append(shape, 's')
	case hasEnded(t, node):
		return append(shape, 'f')
	case n.Kind == betting.Deal:
		return append(shape, 'd')
	}
	shape = binary.AppendUvarint(append(shape, 'a', byte(n.Actor)), uint64(n.NumActions))
	for a := range int32(n.NumActions) {
		shape = appendShape(shape, t, n.First+a)
	}
	return shape
}
