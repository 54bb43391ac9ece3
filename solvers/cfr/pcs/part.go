package pcs

import (
	"slices"

	"gamebots/acpc"
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/bestresponse"
)

// partBuilder lays a part of a round out. All of its segments have the nodes of the first one.
type partBuilder struct {
	tree   *betting.Tree
	to     pcsgpu.Part
	places partNodes
	lanes  []uint32        // by segment, in their rounds
	column map[int32]int32 // by decision of the first segment
	deal   map[int32]int   // by deal of the first segment

	// Of the program that is built.
	player  int
	program *pcsgpu.Program
	sums    [][]source // by column of the player
	unusual bool       // whether there is no room for something
}

// source is a part of a value: at an end, of a deal or of a decision.
type source struct {
	kind  sourceKind
	index int
}

type sourceKind uint8

const (
	atEnd sourceKind = iota
	atDeal
	atDecision
)

func newPartBuilder(g *Game, places partNodes, lanes []uint32) *partBuilder {
	b := &partBuilder{tree: g.Tree, places: places, lanes: lanes, column: map[int32]int32{}, deal: map[int32]int{}}
	r := places.round()
	b.to = pcsgpu.Part{Round: r, First: places.first, Width: places.width(), Buckets: [2]int{g.cards[0].NumBuckets(r), g.cards[1].NumBuckets(r)}}
	return b
}

// build lays the part out, or returns the reason why it cannot be.
func (b *partBuilder) build() error {
	b.number(b.places.lanes[0].First, [2][]uint32{})
	for p := range b.to.Programs {
		b.player, b.program = p, &b.to.Programs[p]
		b.sums = make([][]source, b.to.Columns[p])
		root := b.visit(b.places.lanes[0].First, [2][]uint32{})
		for _, sum := range b.sums {
			b.program.Columns = append(b.program.Columns, b.sources(sum))
		}
		b.program.Root = b.sources(root)
	}
	if b.unusual || b.to.First+b.to.Width > pcsgpu.MaxLanes {
		return &bestresponse.GameError{Game: b.tree.Game.Name, Reason: "its betting rounds have too many actions"}
	}
	return nil
}

// number numbers the columns and the deals from a node of the first segment on. Path has the
// columns of the players before it.
func (b *partBuilder) number(node int32, path [2][]uint32) {
	switch n := &b.tree.Nodes[node]; {
	case hasEnded(b.tree, node):
	case n.Kind == betting.Deal:
		b.deal[node] = b.to.Deals
		b.to.Deals++
		next := make([]uint32, b.to.Width)
		for lane := range next {
			next[lane] = pcsgpu.None
		}
		for lane, s := range b.places.lanes {
			next[lane] = b.lanes[b.tree.Nodes[s.First+b.offset(node)].First]
		}
		b.to.Next = append(b.to.Next, next...)
		for p := range path {
			b.to.Paths[p] = append(b.to.Paths[p], path[p])
			b.unusual = b.unusual || len(path[p]) > pcsgpu.MaxPath
		}
	default:
		p := n.Actor
		first := uint32(b.to.Columns[p])
		b.column[node] = int32(first)
		b.places.columns[p] = append(b.places.columns[p], place{b.offset(node), int32(first)})
		b.to.Columns[p] += int(n.NumActions)
		before := path[p]
		for a := range int32(n.NumActions) {
			path[p] = with(before, first+uint32(a))
			b.number(n.First+a, path)
		}
	}
}

// offset counts a node of the first segment from its root.
func (b *partBuilder) offset(node int32) int32 { return node - b.places.lanes[0].First }

// with returns a path with a column more.
func with(path []uint32, column uint32) []uint32 { return append(slices.Clip(path), column) }

// visit adds what the program computes from a node of the first segment on, and returns what the
// value there is the sum of.
func (b *partBuilder) visit(node int32, path [2][]uint32) (sum []source) {
	n := &b.tree.Nodes[node]
	switch {
	case hasEnded(b.tree, node):
		return []source{{atEnd, b.end(node, path[1-b.player])}}
	case n.Kind == betting.Deal:
		return []source{{atDeal, b.deal[node]}}
	}
	own, before := int(n.Actor) == b.player, path
	for a := range int32(n.NumActions) {
		column := uint32(b.column[node] + a)
		path[n.Actor] = with(before[n.Actor], column)
		child := b.visit(n.First+a, path)
		if own {
			b.sums[column] = child
		} else {
			sum = append(sum, child...)
		}
	}
	if !own {
		return sum
	}
	d := pcsgpu.Decision{Column: uint32(b.column[node]), Actions: uint32(n.NumActions), Length: uint32(len(before[b.player]))}
	b.unusual = b.unusual || copy(d.Path[:], before[b.player]) < len(before[b.player]) || n.NumActions > pcsgpu.MaxActions
	b.program.Decisions = append(b.program.Decisions, d)
	return []source{{atDecision, len(b.program.Decisions) - 1}}
}

// end returns the number of the value at an end, which the opponent reaches by a path.
func (b *partBuilder) end(node int32, path []uint32) int {
	p := b.program
	i := slices.IndexFunc(p.Ends, func(e pcsgpu.End) bool { return slices.Equal(e.Path[:e.Length], path) })
	if i < 0 {
		i = len(p.Ends)
		e := pcsgpu.End{Length: uint32(len(path)), Fold: pcsgpu.None, Showdown: pcsgpu.None}
		b.unusual = b.unusual || copy(e.Path[:], path) < len(path)
		p.Ends = append(p.Ends, e)
	}
	value := &p.Ends[i].Fold
	if potAt(b.tree, node).Showdown() {
		value = &p.Ends[i].Showdown
	}
	b.unusual = b.unusual || *value != pcsgpu.None
	*value = uint32(p.Values)
	p.Values++
	pays := make([]float32, b.to.Width)
	for lane, s := range b.places.lanes {
		var ranks [acpc.MaxPlayers]int
		ranks[b.player] = 1
		pays[lane] = float32(potAt(b.tree, s.First+b.offset(node)).Value(b.player, &ranks))
	}
	p.Pays = append(p.Pays, pays...)
	return p.Values - 1
}

// sources returns the numbers of the values in a sum, once all values are counted.
func (b *partBuilder) sources(sum []source) (to pcsgpu.Sources) {
	b.unusual = b.unusual || len(sum) > len(to.From)
	to.N = uint32(min(len(sum), len(to.From)))
	for i, s := range sum[:to.N] {
		number := s.index
		switch s.kind {
		case atDeal:
			number += b.program.Values
		case atDecision:
			number += b.program.Values + b.to.Deals
		}
		to.From[i] = uint32(number)
	}
	return to
}
