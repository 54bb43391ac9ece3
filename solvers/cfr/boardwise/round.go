package boardwise

import (
	"errors"
	"slices"

	"gamebots/acpc"
	"gamebots/cudalib/boardwisegpu"
	"gamebots/solvers/cfr/betting"
)

// tileLanes is how many lanes are treated together, and what the lanes of a round are
// padded to.
const tileLanes = 32

// round is a betting round. Its segments are lanes, in their order in the tree.
type round struct {
	segment int             // of the first lane
	first   betting.Segment // which has the nodes that all have
	lanes   int
	width   int    // the lanes, padded
	column  []int  // by node of a segment: the first of a decision's columns
	counts  [2]int // the columns of each player, which are the actions of its decisions
	// next is, by deal of a segment and lane, the lane of the next round, or -1 in padding;
	// deals are their nodes in the segment, and paths what each player does on the way there.
	next  [][]int32
	deals []int32
	paths [2][][]choice
	// programs are by the player whose values are computed.
	programs [2]program
}

// choice is an action at a decision of a segment.
type choice struct{ column, actions, action int }

// A program values a segment for a player, decision by decision, the last one first. Values
// and reach are vectors over the hands of a board, in slots.
type program struct {
	passes []pass
	slots  int
	pays   [][]float32 // chips of an end, by lane: of a showdown if the player has the better hand
}

// pass values one decision of the player, or at the end of a program the root of the
// segment. It puts the opponent's reach at the ends that follow the decision into slots,
// replaces it by the values there, and then joins these.
type pass struct {
	steps []step
	ends  []end
	// own is the decision, with no action at the root, and path the player's choices before
	// it.
	own  choice
	path []choice
	// sources are, by action, what its value is the sum of.
	sources [][]source
	// result is the slot for the value. At the root it has no slot, but is the segment's.
	result int
}

// step multiplies the opponent's reach by the probabilities of a decision of the opponent,
// and stores it in the slots of some actions. The next step goes on from the choice's action,
// unless it is fresh: then it starts from the root of the segment. A choice with no actions
// stores the reach at the root itself.
type step struct {
	choice
	fresh bool
	slots [maxActions][]int
}

// end is a fold or a showdown. Its slot has the opponent's reach, and then the values.
type end struct {
	slot, pay int
	showdown  bool
}

// source is a slot with values, or a deal.
type source struct {
	deal  bool
	index int
}

// maxActions is how many actions a decision has: fold, call and raise.
const maxActions = boardwisegpu.MaxActions

// errUnusual is the error for a game in which more is possible than programs have room for.
var errUnusual = errors.New("its betting rounds have unusual sequences of actions")

// newRounds returns the rounds of a game whose segments are alike.
func newRounds(tree *betting.Tree) ([]*round, error) {
	rounds := make([]*round, tree.Game.NumRounds)
	firstSegment := make([]int32, len(rounds)+1)
	for i, s := range tree.Segments {
		firstSegment[s.Round+1] = int32(i + 1)
	}
	for r := range rounds {
		first, lanes := firstSegment[r], int(firstSegment[r+1]-firstSegment[r])
		b := &roundBuilder{tree: tree, round: &round{
			segment: int(first), first: tree.Segments[first], lanes: lanes, width: (lanes + tileLanes - 1) / tileLanes * tileLanes,
		}, segments: tree.Segments[first:firstSegment[r+1]], following: firstSegment[r+1]}
		b.number()
		for p := range b.programs {
			if err := b.program(p); err != nil {
				return nil, err
			}
		}
		rounds[r] = b.round
	}
	return rounds, nil
}

type roundBuilder struct {
	*round
	tree      *betting.Tree
	segments  []betting.Segment // by lane
	following int32             // the first segment of the next round
	deal      map[int32]int     // the number of a deal, by node

	// Of the program that is built.
	player  int
	to      *program
	free    []bool // by slot
	unusual bool
}

// node returns a node of the first segment.
func (b *roundBuilder) node(i int32) *betting.Node { return &b.tree.Nodes[b.first.First+i] }

// child returns a child of a node of the first segment.
func (b *roundBuilder) child(i int32, action int) int32 {
	return b.node(i).First - b.first.First + int32(action)
}

// number numbers the columns and the deals.
func (b *roundBuilder) number() {
	n := b.first.Last - b.first.First
	b.column, b.deal = make([]int, n), map[int32]int{}
	paths := make([][2][]choice, n)
	for i := range n {
		switch x := b.node(i); x.Kind {
		case betting.Decision:
			b.column[i] = b.counts[x.Actor]
			b.counts[x.Actor] += int(x.NumActions)
			for a := range int(x.NumActions) {
				path := paths[i]
				path[x.Actor] = append(path[x.Actor][:len(path[x.Actor]):len(path[x.Actor])], b.choice(i, a))
				paths[b.child(i, a)] = path
			}
		case betting.Deal:
			b.deal[i] = len(b.deals)
			b.deals = append(b.deals, i)
			next := make([]int32, b.width)
			for lane := range next {
				next[lane] = -1
				if lane < b.lanes {
					next[lane] = b.tree.Nodes[b.segments[lane].First+i].First - b.following
				}
			}
			b.next = append(b.next, next)
			for p := range b.paths {
				b.paths[p] = append(b.paths[p], paths[i][p])
			}
		}
	}
}

func (b *roundBuilder) choice(node int32, action int) choice {
	return choice{b.column[node], int(b.node(node).NumActions), action}
}

// program builds the program of a player.
func (b *roundBuilder) program(player int) error {
	b.player, b.to, b.free, b.unusual = player, &b.programs[player], nil, false
	root := &pass{sources: make([][]source, 1)}
	f := follower{roundBuilder: b, pass: root}
	f.follow(0, 0, nil)
	f.finish()
	for _, p := range b.to.passes {
		b.unusual = b.unusual || len(p.path) > boardwisegpu.MaxPath ||
			len(p.steps) > boardwisegpu.MaxSteps || len(p.ends) > boardwisegpu.MaxEnds
		for _, list := range p.sources {
			b.unusual = b.unusual || len(list) > boardwisegpu.MaxSources
		}
		for _, s := range p.steps {
			for _, list := range s.slots {
				b.unusual = b.unusual || len(list) > boardwisegpu.MaxActionSlots
			}
		}
	}
	for _, paths := range b.paths {
		for _, path := range paths {
			b.unusual = b.unusual || len(path) > boardwisegpu.MaxPath
		}
	}
	if b.unusual {
		return errUnusual
	}
	return nil
}

// slot returns a slot that is not in use.
func (b *roundBuilder) slot() int {
	for i, free := range b.free {
		if free {
			b.free[i] = false
			return i
		}
	}
	b.free = append(b.free, false)
	b.to.slots = len(b.free)
	return len(b.free) - 1
}

// follower builds a pass: it follows the actions of a decision up to the player's next
// decisions.
type follower struct {
	*roundBuilder
	pass *pass
	ends []reachedEnd
}

// reachedEnd is an end with the opponent's choices since the root.
type reachedEnd struct {
	slot int
	path []choice
}

// decide adds the passes of a decision of the player and returns the slot of its value.
func (b *roundBuilder) decide(node int32, opponent, own []choice) (slot int) {
	p := &pass{own: b.choice(node, 0), path: own, sources: make([][]source, b.node(node).NumActions)}
	f := follower{roundBuilder: b, pass: p}
	for a := range p.sources {
		f.follow(b.child(node, a), a, opponent)
	}
	f.finish()
	return p.result
}

// follow adds what comes after a node to the sources of an action.
func (f *follower) follow(node int32, action int, opponent []choice) {
	n, sources := f.node(node), &f.pass.sources[action]
	switch {
	case n.Kind == betting.Terminal:
		slot, pot := -1, &f.tree.Terminals[n.First]
		f.pass.ends = append(f.pass.ends, end{slot, f.pay(node), pot.Showdown()})
		f.ends = append(f.ends, reachedEnd{slot, opponent})
		*sources = append(*sources, source{index: -len(f.ends)}) // until it has a slot
	case n.Kind == betting.Deal:
		*sources = append(*sources, source{deal: true, index: f.deal[node]})
	case int(n.Actor) == f.player:
		own := f.pass.path
		if f.pass.own.actions > 0 {
			chosen := f.pass.own
			chosen.action = action
			own = append(own[:len(own):len(own)], chosen)
		}
		*sources = append(*sources, source{index: f.decide(node, opponent, own)})
	default:
		for a := range int(n.NumActions) {
			f.follow(f.child(node, a), action, append(opponent[:len(opponent):len(opponent)], f.choice(node, a)))
		}
	}
}

// finish gives the ends slots, adds the steps that lead to them, and adds the pass.
func (f *follower) finish() {
	for i := range f.ends {
		f.ends[i].slot = f.slot()
		f.pass.ends[i].slot = f.ends[i].slot
	}
	f.steps()
	f.pass.result = -1
	for _, list := range f.pass.sources {
		for i := range list {
			s := &list[i]
			if s.deal {
				continue
			}
			if s.index < 0 {
				s.index = f.ends[-s.index-1].slot
			}
			f.free[s.index] = true
		}
	}
	if f.pass.own.actions > 0 {
		f.pass.result = f.slot()
	}
	f.to.passes = append(f.to.passes, *f.pass)
}

// steps adds the steps. One goes on from the step before if the path to its end does.
func (f *follower) steps() {
	var at []choice // where the last step goes on from
	for i, e := range f.ends {
		switch {
		case f.stored(e.slot):
		case len(e.path) == 0:
			s := step{fresh: true}
			for _, x := range f.ends {
				if len(x.path) == 0 {
					s.slots[0] = append(s.slots[0], x.slot)
				}
			}
			f.pass.steps, at = append(f.pass.steps, s), nil
		default:
			from := 0
			if len(at) > 0 && len(at) < len(e.path) && slices.Equal(at, e.path[:len(at)]) {
				from = len(at)
			}
			for k := from; k < len(e.path); k++ {
				s := step{choice: e.path[k], fresh: k == 0}
				for _, x := range f.ends[i:] {
					if len(x.path) == k+1 && slices.Equal(x.path[:k], e.path[:k]) && x.path[k].column == s.column && !f.stored(x.slot) {
						s.slots[x.path[k].action] = append(s.slots[x.path[k].action], x.slot)
					}
				}
				f.pass.steps = append(f.pass.steps, s)
			}
			at = e.path
		}
	}
}

// stored reports whether a step stores into a slot.
func (f *follower) stored(slot int) bool {
	for _, s := range f.pass.steps {
		for _, list := range s.slots {
			for _, x := range list {
				if x == slot {
					return true
				}
			}
		}
	}
	return false
}

// pay returns the index of the pays of an end.
func (b *roundBuilder) pay(node int32) int {
	pays := make([]float32, b.width)
	for lane, s := range b.segments {
		pot := &b.tree.Terminals[b.tree.Nodes[s.First+node].First]
		var ranks [acpc.MaxPlayers]int
		ranks[b.player] = 1
		pays[lane] = float32(pot.Value(b.player, &ranks))
	}
	b.to.pays = append(b.to.pays, pays)
	return len(b.to.pays) - 1
}
