package layout

import (
	"cmp"
	"slices"
)

// Kind is the kind of a node of the betting tree.
type Kind uint8

const (
	Decision Kind = iota
	Fold
	Showdown
	Deal // the end of a street before the river
)

// A Node is a betting sequence. The tree has each once, whatever the cards.
type Node struct {
	Kind    Kind
	Actor   uint8 // acts at a decision, has folded at a fold
	Actions uint16
	// First is the first child of a decision, which the others follow; of a deal,
	// the segment of the next street.
	First int32
	// Row is the number of rows of entries that the actor of a decision has before it on the street,
	// and Order the number of its decisions.
	Row, Order int32
	Slot       [2]int32 // vectors of the players' reach, from the start of the batch
	Put        int32    // at an end: what each player has put in since the root, as far as it was matched
}

// Ends reports whether a node is a showdown or a fold.
func (n *Node) Ends() bool { return n.Kind == Fold || n.Kind == Showdown }

// Streets is all betting of a spot by street.
type Streets [NumStreets]Street

// Street is all betting of a street: a segment for every way to reach it.
type Street struct {
	Nodes     []Node // segment by segment, each level by level
	Batches   []Batch
	Rows      [2]int // rows of entries, by actor
	Decisions [2]int // number of decisions, by actor
}

// A Batch is a run of segments that are traversed together: their vectors stay in a cache,
// and their ends are valued side by side.
type Batch struct {
	First, Last int32       // its nodes
	Segment     int32       // the first of the run
	Roots       []int32     // where its segments begin
	Deals       []int32     // their segments are adjacent
	Next        [2]int32    // the batches of the next street that follow its deals
	Slots       [2]int32    // vectors of reach, by player
	Ends        [2][]Ending // showdowns first, by the player whose hands are valued
}

// An Ending is an end of a batch as its values are computed for a player: a node and, where
// the node is a call of the player at the end of the hand, the fold beside it. The other player
// has the same reach at both.
type Ending struct{ Node, Fold int32 }

// NoFold is the fold of an ending without one.
const NoFold = -1

// batchNodes is the number of nodes from which on no segment is added to a batch. The
// vectors of so many nodes and hands fit a second-level cache.
const batchNodes = 64

// Divide divides the segments [first, last) of a street into batches, and those that follow
// them on later streets. segments are the roots of all segments, by street.
func (b *Streets) Divide(k int, segments *[NumStreets][]int32, first, last int) {
	st := &b[k]
	end := func(segment int) int32 {
		if segment == len(segments[k]) {
			return int32(len(st.Nodes))
		}
		return segments[k][segment]
	}
	for first < last {
		next := first + 1
		for next < last && end(next+1)-end(first) <= batchNodes {
			next++
		}
		t := Batch{First: end(first), Last: end(next), Segment: int32(first), Roots: segments[k][first:next]}
		st.number(&t)
		if len(t.Deals) > 0 && len(segments[k+1]) > 0 {
			from := len(b[k+1].Batches)
			segment := int(st.Nodes[t.Deals[0]].First)
			b.Divide(k+1, segments, segment, segment+len(t.Deals))
			t.Next = [2]int32{int32(from), int32(len(b[k+1].Batches))}
		}
		st.Batches = append(st.Batches, t)
		first = next
	}
}

// number gives the nodes of a batch their vectors of reach, and lists its ends. A decision
// changes the reach of its actor only: the children share the vector of the other player.
func (st *Street) number(t *Batch) {
	for _, root := range t.Roots {
		st.Nodes[root].Slot = t.Slots
		t.Slots[0]++
		t.Slots[1]++
	}
	for i := t.First; i < t.Last; i++ {
		switch n := &st.Nodes[i]; n.Kind {
		case Decision:
			for a := range int32(n.Actions) {
				child := &st.Nodes[n.First+a]
				child.Slot = n.Slot
				child.Slot[n.Actor] = t.Slots[n.Actor]
				t.Slots[n.Actor]++
			}
		case Deal:
			t.Deals = append(t.Deals, i)
		}
	}
	for p := range t.Ends {
		t.Ends[p] = st.endings(t, p)
	}
}

// endings lists the ends of a batch for a player: those with a fold, the other showdowns, and the
// other folds.
func (st *Street) endings(t *Batch, player int) []Ending {
	var both, showdowns, folds []Ending
	for i := t.First; i < t.Last; i++ {
		switch n := &st.Nodes[i]; {
		case n.Kind == Fold && int(n.Actor) == player && st.Nodes[i+1].Kind == Showdown:
			i++ // the call
			both = append(both, Ending{i, i - 1})
		case n.Kind == Fold:
			folds = append(folds, Ending{i, NoFold})
		case n.Kind == Showdown:
			showdowns = append(showdowns, Ending{i, NoFold})
		}
	}
	return slices.Concat(both, showdowns, folds)
}

// Root returns the node where a segment begins.
func (st *Street) Root(segment int32) int32 {
	i, found := slices.BinarySearchFunc(st.Batches, segment, func(t Batch, segment int32) int {
		return cmp.Compare(t.Segment, segment)
	})
	if !found {
		i--
	}
	t := &st.Batches[i]
	return t.Roots[segment-t.Segment]
}

// LargestBatch returns the most vectors of reach, by player, and nodes of a batch.
func (st *Street) LargestBatch() (slots [2]int, nodes int) {
	for i := range st.Batches {
		t := &st.Batches[i]
		nodes = max(nodes, int(t.Last-t.First))
		for p := range slots {
			slots[p] = max(slots[p], int(t.Slots[p]))
		}
	}
	return slots, nodes
}
