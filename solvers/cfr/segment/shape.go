package segment

import (
	"encoding/binary"

	"gamebots/acpc"
	"gamebots/solvers/cfr/betting"
)

// shaper tells which segments of a tree have the same decisions.
type shaper struct {
	tree    *betting.Tree
	runouts bool // see New
}

// groups returns the places in a list of segments of those that are a part, in the order in which
// they come. Those without a lane are left out.
func (s shaper) groups(list []betting.Segment) (groups [][]int) {
	numbers := map[string]int{}
	for i := range list {
		if !s.runouts && s.ended(list[i].First) {
			continue
		}
		shape := string(s.appendShape(nil, list[i].First))
		number, ok := numbers[shape]
		if !ok {
			number = len(groups)
			numbers[shape] = number
			groups = append(groups, nil)
		}
		groups[number] = append(groups[number], i)
	}
	return groups
}

// ended reports whether a node is an end of the hand, or is treated as one because a player is
// all-in and only cards are dealt.
func (s shaper) ended(node int32) bool {
	if !s.runouts {
		node = s.tree.AfterDeal(node)
	}
	return s.tree.Nodes[node].Kind == betting.Terminal
}

// potAt returns the pot of a node on which no decision follows.
func (s shaper) potAt(node int32) *acpc.Pot {
	return &s.tree.Terminals[s.tree.Nodes[s.tree.AfterDeal(node)].First]
}

// appendShape appends what the nodes of a segment from one on are. It is the same for segments of
// one part. Deals after which no decision follows are told apart from others, so that with runouts and
// without the same segments with decisions are a part: a training may start from the tables of another one.
func (s shaper) appendShape(shape []byte, node int32) []byte {
	n := &s.tree.Nodes[node]
	switch {
	case s.ended(node) && s.potAt(node).Showdown():
		return append(shape, 's')
	case s.ended(node):
		return append(shape, 'f')
	case n.Kind == betting.Deal && s.tree.Nodes[s.tree.AfterDeal(node)].Kind == betting.Terminal:
		return append(shape, 'r')
	case n.Kind == betting.Deal:
		return append(shape, 'd')
	}
	shape = binary.AppendUvarint(append(shape, 'a', byte(n.Actor)), uint64(n.NumActions))
	for a := range int32(n.NumActions) {
		shape = s.appendShape(shape, n.First+a)
	}
	return shape
}
