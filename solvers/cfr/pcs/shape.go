package pcs

import (
	"encoding/binary"

	"gamebots/acpc"
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr/betting"
)

// partNodes is where the lanes and the columns of a part are in the betting tree.
type partNodes struct {
	first   int // its first lane in its round
	lanes   []betting.Segment
	columns [2][]place // by player: of each decision, in the order of its columns
}

// place is a decision: its node in the first segment, counted from the root, and its first
// column.
type place struct{ node, column int32 }

// round returns the betting round of a part.
func (p *partNodes) round() int { return p.lanes[0].Round }

// width returns the lanes of a part with padding.
func (p *partNodes) width() int { return (len(p.lanes) + tileLanes - 1) / tileLanes * tileLanes }

// findParts returns the parts of all rounds in their order, without columns, and by segment the
// lane in its round, or none where nobody can act because a player is all-in.
func findParts(t *betting.Tree) (parts []partNodes, lanes []uint32) {
	type key struct {
		round int
		shape string
	}
	numbers := map[key]int{}
	segments := [][]int{} // of each part
	for i, s := range t.Segments {
		if hasEnded(t, s.First) {
			continue
		}
		k := key{s.Round, string(appendShape(nil, t, s.First))}
		number, ok := numbers[k]
		if !ok {
			number = len(parts)
			numbers[k] = number
			parts, segments = append(parts, partNodes{}), append(segments, nil)
		}
		parts[number].lanes, segments[number] = append(parts[number].lanes, s), append(segments[number], i)
	}
	lanes = make([]uint32, len(t.Segments))
	for i := range lanes {
		lanes[i] = pcsgpu.None
	}
	for i := range parts {
		if i > 0 && parts[i].round() == parts[i-1].round() {
			parts[i].first = parts[i-1].first + parts[i-1].width()
		}
		for l, segment := range segments[i] {
			lanes[segment] = uint32(parts[i].first + l)
		}
	}
	return parts, lanes
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
