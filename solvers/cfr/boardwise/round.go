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
	sums   int         // the sums of a pass's vectors, at most
	pays   [][]float32 // chips of an end, by lane: of a showdown if the player has the better hand
}

// pass values one decision of the player, or at the end of a program the root of the
// segment: by sums of the opponent's reach at the ends that follow the decision. If that is not
// in slots yet, its steps compute it, and the reach at all ends along the same way.
type pass struct {
	steps   []step
	vectors []vector
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
// and stores it in the slots of some actions, -1 for none. The next step goes on from the
// choice's action, unless it is fresh: then it starts from the root of the segment. A choice
// with no actions stores the reach at the root itself.
type step struct {
	choice
	fresh bool
	slots [maxActions]int
}

// vector is the opponent's reach at an end, or at two: a fold and a showdown after the same
// choices of the opponent.
type vector struct {
	slot     int
	showdown bool // or folds only
	sums     int  // where the sums of it are
	path     []choice
}

// source is a part of a value. Index is of a slot, a deal or a vector of the pass, and pay
// that of an end. While a program is built, that of a slot is the number of another pass.
type source struct {
	kind       boardwisegpu.Kind
	index, pay int
}

// maxActions is how many actions a decision has: fold, call and raise.
const maxActions = boardwisegpu.MaxActions

// errUnusual is the error for a game in which more is possible than programs have room for.
var errUnusual = errors.New("its betting rounds have unusual sequences of actions")

// newRounds returns the rounds of a game whose segments are alike, and that has some boards.
func newRounds(tree *betting.Tree, boards []*boards) ([]*round, error) {
	rounds := make([]*round, tree.Game.NumRounds)
	firstSegment := make([]int32, len(rounds)+1)
	for i, s := range tree.Segments {
		firstSegment[s.Round+1] = int32(i + 1)
	}
	for r := range rounds {
		first, lanes := firstSegment[r], int(firstSegment[r+1]-firstSegment[r])
		b := &roundBuilder{tree: tree, round: &round{
			segment: int(first), first: tree.Segments[first], lanes: lanes, width: (lanes + tileLanes - 1) / tileLanes * tileLanes,
		}, segments: tree.Segments[first:firstSegment[r+1]], following: firstSegment[r+1], numSums: boards[r].numSums}
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
	segments  []betting.Segment       // by lane
	following int32                   // the first segment of the next round
	numSums   func(showdown bool) int // of a vector
	deal      map[int32]int           // the number of a deal, by node

	// Of the program that is built.
	player int
	to     *program
	used   []bool // by slot
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
	b.player, b.to, b.used = player, &b.programs[player], nil
	root := &pass{sources: make([][]source, 1)}
	b.follow(root, 0, 0, nil)
	b.to.passes = append(b.to.passes, *root)
	for i := range b.to.passes {
		b.place(i)
	}
	b.to.slots = len(b.used)
	unusual := false
	for _, p := range b.to.passes {
		unusual = unusual || len(p.path) > boardwisegpu.MaxPath || len(p.steps) > boardwisegpu.MaxSteps || len(p.vectors) > boardwisegpu.MaxVectors
		for _, list := range p.sources {
			unusual = unusual || len(list) > boardwisegpu.MaxSources
		}
	}
	for _, paths := range b.paths {
		for _, path := range paths {
			unusual = unusual || len(path) > boardwisegpu.MaxPath
		}
	}
	if unusual {
		return errUnusual
	}
	return nil
}

// slot returns a slot that is not in use.
func (b *roundBuilder) slot() int {
	i := slices.Index(b.used, false)
	if i < 0 {
		i = len(b.used)
		b.used = append(b.used, true)
	}
	b.used[i] = true
	return i
}

// decide adds the passes of a decision of the player and returns the number of its own.
func (b *roundBuilder) decide(node int32, opponent, own []choice) int {
	p := &pass{own: b.choice(node, 0), path: own, sources: make([][]source, b.node(node).NumActions)}
	for a := range p.sources {
		b.follow(p, b.child(node, a), a, opponent)
	}
	b.to.passes = append(b.to.passes, *p)
	return len(b.to.passes) - 1
}

// follow adds what comes after a node to the sources of an action of a pass, up to the
// player's next decisions.
func (b *roundBuilder) follow(p *pass, node int32, action int, opponent []choice) {
	n, sources := b.node(node), &p.sources[action]
	switch {
	case n.Kind == betting.Terminal:
		kind := boardwisegpu.Fold
		if b.tree.Terminals[n.First].Showdown() {
			kind = boardwisegpu.Showdown
		}
		*sources = append(*sources, source{kind, p.vector(opponent, kind), b.pay(node)})
	case n.Kind == betting.Deal:
		*sources = append(*sources, source{kind: boardwisegpu.Deal, index: b.deal[node]})
	case int(n.Actor) == b.player:
		own := p.path
		if p.own.actions > 0 {
			chosen := p.own
			chosen.action = action
			own = append(own[:len(own):len(own)], chosen)
		}
		*sources = append(*sources, source{kind: boardwisegpu.Joined, index: b.decide(node, opponent, own)})
	default:
		for a := range int(n.NumActions) {
			b.follow(p, b.child(node, a), action, append(opponent[:len(opponent):len(opponent)], b.choice(node, a)))
		}
	}
}

// vector returns the number of the vector after some choices of the opponent.
func (p *pass) vector(path []choice, kind boardwisegpu.Kind) int {
	i := slices.IndexFunc(p.vectors, func(v vector) bool { return slices.Equal(v.path, path) })
	if i < 0 {
		i = len(p.vectors)
		p.vectors = append(p.vectors, vector{slot: -1, path: path})
	}
	v := &p.vectors[i]
	v.showdown = v.showdown || kind == boardwisegpu.Showdown
	return i
}

// place gives a pass its slots, sums and steps.
func (b *roundBuilder) place(number int) {
	p, sums := &b.to.passes[number], 0
	for {
		var path []choice // the longest, which others may be on
		missing := false
		for _, v := range p.vectors {
			if v.slot < 0 && (!missing || len(v.path) > len(path)) {
				path, missing = v.path, true
			}
		}
		if !missing {
			break
		}
		b.reach(p, path)
	}
	for i := range p.vectors {
		v := &p.vectors[i]
		v.sums = sums
		sums += b.numSums(v.showdown)
	}
	b.to.sums = max(b.to.sums, sums)
	for _, v := range p.vectors {
		b.used[v.slot] = false
	}
	for _, list := range p.sources {
		for i := range list {
			if from := &list[i]; from.kind == boardwisegpu.Joined {
				from.index = b.to.passes[from.index].result
				b.used[from.index] = false
			}
		}
	}
	p.result = -1
	if p.own.actions > 0 {
		p.result = b.slot()
	}
}

// reach adds the steps along a path to a pass, which give slots to all vectors that they come
// to.
func (b *roundBuilder) reach(p *pass, path []choice) {
	if len(path) == 0 {
		p.steps = append(p.steps, step{fresh: true, slots: b.slotsOf(nil, 1)})
	}
	for k, c := range path {
		p.steps = append(p.steps, step{choice: c, fresh: k == 0, slots: b.slotsOf(path[:k+1], c.actions)})
	}
}

// slotsOf gives slots to the vectors after the actions of the last decision of a path, or at
// its root, and returns them by action.
func (b *roundBuilder) slotsOf(path []choice, actions int) (slots [maxActions]int) {
	path = slices.Clone(path)
	for a := range slots {
		slots[a] = -1
		if a >= actions {
			continue
		}
		if len(path) > 0 {
			path[len(path)-1].action = a
		}
		for i := range b.to.passes {
			for j := range b.to.passes[i].vectors {
				if v := &b.to.passes[i].vectors[j]; v.slot < 0 && slices.Equal(v.path, path) {
					v.slot = b.slot()
					slots[a] = v.slot
				}
			}
		}
	}
	return slots
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
