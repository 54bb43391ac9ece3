package spot

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// kind is the kind of a node of the betting tree.
type kind uint8

const (
	decision kind = iota
	fold
	showdown
	deal   // the end of a street before the river
	choice // between the ways to go on after the first street, see Leaves
)

// A node is a betting sequence. The tree has each once, whatever the cards.
type node struct {
	kind    kind
	actor   uint8 // of a decision; who folded at a fold
	actions uint16
	// first is the first child of a decision or a choice, which the others follow; of a deal,
	// the segment of the next street.
	first  int32
	row    int32    // of a decision: the rows of entries of its actor before it on the street
	order  int32    // of a decision: the decisions of its actor before it on the street
	slot   [2]int32 // of the players' reach, from the start of the batch
	put    int32    // at an end: what each player has put in since the root, as far as it was matched
	action Action   // that led here
}

// acts reports whether a player acts or chooses at a node.
func (n *node) acts() bool { return n.kind == decision || n.kind == choice }

// Action is what a player does at a decision.
type Action struct {
	Kind ActionKind
	// To is what the player has put in on the street after a bet or raise, in chips.
	To int
}

// ActionKind is a kind of Action.
type ActionKind uint8

const (
	Fold ActionKind = iota
	Check
	Call
	Bet
	Raise
	goOn // after the first street, in the way with the number To
)

// String returns the action as [Solver.At] reads it: f, x, c, or b or r and the chips that
// the player has then put in on the street.
func (a Action) String() string {
	switch a.Kind {
	case Fold:
		return "f"
	case Check:
		return "x"
	case Call:
		return "c"
	case Bet:
		return fmt.Sprint("b", a.To)
	}
	return fmt.Sprint("r", a.To)
}

// street is all betting of a street: a segment for every way to reach it.
type street struct {
	nodes     []node // segment by segment, each level by level
	batches   []batch
	rows      [2]int // of entries, by actor
	decisions [2]int // by actor
}

// A batch is a run of segments that are traversed together: their vectors stay in a cache,
// and their ends are valued side by side.
type batch struct {
	first, last int32       // its nodes
	segment     int32       // the first
	roots       []int32     // where its segments begin
	deals       []int32     // their segments are adjacent
	next        [2]int32    // the batches of the next street that follow its deals
	slots       [2]int32    // vectors of reach, by player
	ends        [2][]ending // showdowns first, by the player whose hands are valued
}

// An ending is an end of a batch as its values are computed for a player: a node and, where
// the node is a call of the player at the end of the hand, the fold beside it. The other player
// has the same reach at both.
type ending struct{ node, fold int32 }

// noFold is the fold of an ending without one.
const noFold = -1

// batchNodes is the number of nodes from which on no segment is added to a batch. The
// vectors of so many nodes and hands fit a second-level cache.
const batchNodes = 64

// MaxNodes bounds the betting trees that are built.
const MaxNodes = 8_000_000

// ErrTooManyNodes is the error for a menu with too many betting sequences.
var ErrTooManyNodes = errors.New("the bets allow too many betting sequences")

// standing is what the betting depends on at a decision.
type standing struct {
	put    [2]int // by player, since the root of the spot
	base   int    // of it, what each had put in at the start of the street
	step   int    // by how much the last bet or raise was larger than the one before
	bets   int    // and raises on the street
	player uint8  // to act
	acted  bool   // whether the other player has acted on the street
	donk   bool   // whether the player in position bet last on the street before
	over   bool   // whether the street is over, and the player chooses how to go on
}

// builder lists the betting sequences of a spot.
type builder struct {
	*Spot
	streets [numStreets]street
	roots   []standing // of the next street
	nodes   int
}

// newTree lists the betting sequences of a spot, by street.
func newTree(s *Spot) ([numStreets]street, error) {
	b := &builder{Spot: s, roots: []standing{{}}}
	var segments [numStreets][]int32 // the roots by street
	last := river
	if s.Leaves != nil {
		last = s.first()
	}
	for k := s.first(); k <= last; k++ {
		roots := b.roots
		b.roots = nil
		for _, root := range roots {
			segments[k] = append(segments[k], int32(len(b.streets[k].nodes)))
			if err := b.segment(k, root); err != nil {
				return b.streets, err
			}
		}
	}
	b.batch(s.first(), segments, 0, len(segments[s.first()]))
	return b.streets, nil
}

// segment adds the nodes of a segment.
func (b *builder) segment(k int, root standing) error {
	st := &b.streets[k]
	start := len(st.nodes)
	standings := []standing{root}
	lines := map[int][][]Action{} // what is left of those that lead to a node
	if k == b.first() {
		lines[start] = b.Lines
	}
	st.nodes = append(st.nodes, node{})
	if root.base == b.Stack {
		b.end(&st.nodes[start], k, root)
	}
	for i := start; i < len(st.nodes); i++ {
		if b.nodes++; b.nodes > MaxNodes {
			return ErrTooManyNodes
		}
		if !st.nodes[i].acts() {
			continue
		}
		s := standings[i-start]
		actions, err := b.actionsWith(k, s, lines[i])
		if err != nil {
			return err
		}
		n := &st.nodes[i]
		n.actor, n.actions, n.first = s.player, uint16(len(actions)), int32(len(st.nodes))
		n.row, n.order = int32(st.rows[s.player]), int32(st.decisions[s.player])
		st.rows[s.player] += len(actions)
		st.decisions[s.player]++
		for _, a := range actions {
			child := node{action: a}
			next := b.play(&child, k, s)
			if rest := following(lines[i], a); rest != nil {
				lines[len(st.nodes)] = rest
			}
			st.nodes, standings = append(st.nodes, child), append(standings, next)
		}
	}
	return nil
}

// actions returns what the player to act may do.
func (b *builder) actions(k int, s standing) []Action {
	if s.over {
		return slices.Clone(ways[:])
	}
	own, other := s.put[s.player]-s.base, s.put[1-s.player]-s.base
	actions, kind := []Action{{Kind: Check}}, Bet
	if other > own {
		actions, kind = []Action{{Kind: Fold}, {Kind: Call}}, Raise
	}
	for _, to := range b.Menu.options(bettor{
		street: k, player: int(s.player), pot: b.Pot + 2*(s.base+other), bet: other, step: max(s.step, b.MinBet),
		bets: s.bets, stack: b.Stack - s.base, donk: s.donk && s.player == 0,
	}) {
		actions = append(actions, Action{kind, to})
	}
	return actions
}

// play fills the node that an action leads to, and returns the standing there.
func (b *builder) play(n *node, k int, s standing) standing {
	player, other := s.player, 1-s.player
	switch n.action.Kind {
	case Fold:
		n.kind, n.actor, n.put = fold, player, int32(s.put[player])
		return s
	case Bet, Raise:
		s.step = s.base + n.action.To - s.put[other]
		s.put[player] = s.base + n.action.To
		s.bets++
	case Call:
		s.put[player] = s.put[other]
	case goOn:
		n.kind, n.put = deal, int32(s.put[0])
		return s
	}
	if n.action.Kind == Call || n.action.Kind == Check && s.acted {
		s.donk = n.action.Kind == Call && player == 0
		if b.Leaves != nil && s.put[0] < b.Stack {
			n.kind, s.player, s.over = choice, uint8(1-b.Leaves.Player), true
			return s
		}
		b.end(n, k, s)
		return s
	}
	s.player, s.acted = other, true
	return s
}

// end makes a node the end of a street at which both players have put in the same.
func (b *builder) end(n *node, k int, s standing) {
	n.kind, n.put = showdown, int32(s.put[0])
	if k < river {
		n.kind, n.first = deal, int32(len(b.roots))
		b.roots = append(b.roots, standing{put: s.put, base: s.put[0], donk: s.donk})
	}
}

// batch divides the segments [first, last) of a street into batches, and those that follow
// them on later streets.
func (b *builder) batch(k int, segments [numStreets][]int32, first, last int) {
	st := &b.streets[k]
	end := func(segment int) int32 {
		if segment == len(segments[k]) {
			return int32(len(st.nodes))
		}
		return segments[k][segment]
	}
	for first < last {
		next := first + 1
		for next < last && end(next+1)-end(first) <= batchNodes {
			next++
		}
		t := batch{first: end(first), last: end(next), segment: int32(first), roots: segments[k][first:next]}
		st.number(&t)
		if len(t.deals) > 0 && len(segments[k+1]) > 0 {
			from := len(b.streets[k+1].batches)
			segment := int(st.nodes[t.deals[0]].first)
			b.batch(k+1, segments, segment, segment+len(t.deals))
			t.next = [2]int32{int32(from), int32(len(b.streets[k+1].batches))}
		}
		st.batches = append(st.batches, t)
		first = next
	}
}

// number gives the nodes of a batch their vectors of reach, and lists its ends. A decision
// changes the reach of its actor only: the children share the vector of the other player.
func (st *street) number(t *batch) {
	for _, root := range t.roots {
		st.nodes[root].slot = t.slots
		t.slots[0]++
		t.slots[1]++
	}
	for i := t.first; i < t.last; i++ {
		switch n := &st.nodes[i]; n.kind {
		case decision, choice:
			for a := range int32(n.actions) {
				child := &st.nodes[n.first+a]
				child.slot = n.slot
				child.slot[n.actor] = t.slots[n.actor]
				t.slots[n.actor]++
			}
		case deal:
			t.deals = append(t.deals, i)
		}
	}
	for p := range t.ends {
		t.ends[p] = st.endings(t, p)
	}
}

// endings lists the ends of a batch for a player: those with a fold, the other showdowns, and the
// other folds.
func (st *street) endings(t *batch, player int) []ending {
	var both, showdowns, folds []ending
	for i := t.first; i < t.last; i++ {
		switch n := &st.nodes[i]; {
		case n.kind == fold && int(n.actor) == player && st.nodes[i+1].kind == showdown:
			i++ // the call
			both = append(both, ending{i, i - 1})
		case n.kind == fold:
			folds = append(folds, ending{i, noFold})
		case n.kind == showdown:
			showdowns = append(showdowns, ending{i, noFold})
		}
	}
	return slices.Concat(both, showdowns, folds)
}

// root returns the node where a segment begins.
func (st *street) root(segment int32) int32 {
	i, found := slices.BinarySearchFunc(st.batches, segment, func(t batch, segment int32) int { return cmp.Compare(t.segment, segment) })
	if !found {
		i--
	}
	t := &st.batches[i]
	return t.roots[segment-t.segment]
}
