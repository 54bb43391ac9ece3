package pcs

import (
	"slices"

	"gamebots/acpc"
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/bestresponse"
	"gamebots/solvers/cfr/betting"
)

// tileLanes is how many lanes are treated together, and what the lanes of a round are padded
// to.
const tileLanes = 32

// roundBuilder lays a round out. All of its segments have the nodes of the first one.
type roundBuilder struct {
	tree   *betting.Tree
	to     pcsgpu.Round
	places roundNodes
	next   int32           // the first segment of the next round
	column map[int32]int32 // by decision, counted from the root of a segment
	deal   map[int32]int   // by node

	// Of the program that is built.
	player  int
	program *pcsgpu.Program
	parts   [][]source // by column of the player
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

func newRoundBuilder(x *cfr.Index, r int) *roundBuilder {
	b := &roundBuilder{tree: x.Tree, column: map[int32]int32{}, deal: map[int32]int{}}
	for i, s := range x.Tree.Segments {
		if s.Round == r {
			b.places.lanes = append(b.places.lanes, s)
			b.next = int32(i + 1)
		}
	}
	b.to.Width = (len(b.places.lanes) + tileLanes - 1) / tileLanes * tileLanes
	b.to.Buckets = x.Buckets.NumBuckets(r)
	return b
}

// node returns a node of the first segment.
func (b *roundBuilder) node(i int32) *betting.Node {
	return &b.tree.Nodes[b.places.lanes[0].First+i]
}

// child returns a child of a node of the first segment.
func (b *roundBuilder) child(i int32, action int) int32 {
	return b.node(i).First - b.places.lanes[0].First + int32(action)
}

func (b *roundBuilder) build() error {
	b.number(0, [2][]uint32{})
	for p := range b.to.Programs {
		b.player, b.program = p, &b.to.Programs[p]
		b.parts = make([][]source, b.to.Columns[p])
		root := b.visit(0, [2][]uint32{})
		for _, parts := range b.parts {
			b.program.Columns = append(b.program.Columns, b.sources(parts))
		}
		b.program.Root = b.sources(root)
	}
	for p := range b.to.Programs {
		program := &b.to.Programs[p]
		b.unusual = b.unusual || max(b.to.Columns[p], program.Values+b.to.Deals+len(program.Decisions)) > pcsgpu.MaxNumber
	}
	if b.unusual || b.to.Width > pcsgpu.MaxLanes {
		return &bestresponse.GameError{Game: b.tree.Game.Name, Reason: "its betting rounds have too many actions"}
	}
	return nil
}

// number numbers the columns and the deals from a node on. Path has the columns of the
// players before it.
func (b *roundBuilder) number(node int32, path [2][]uint32) {
	switch n := b.node(node); n.Kind {
	case betting.Decision:
		p := n.Actor
		first := uint32(b.to.Columns[p])
		b.column[node] = int32(first)
		b.places.columns[p] = append(b.places.columns[p], place{node, int32(first)})
		b.to.Columns[p] += int(n.NumActions)
		before := path[p]
		for a := range uint32(n.NumActions) {
			path[p] = with(before, first+a)
			b.number(b.child(node, int(a)), path)
		}
	case betting.Deal:
		b.deal[node] = b.to.Deals
		b.to.Deals++
		next := make([]uint32, b.to.Width)
		for lane := range next {
			next[lane] = pcsgpu.None
			if lane < len(b.places.lanes) {
				next[lane] = uint32(b.tree.Nodes[b.places.lanes[lane].First+node].First - b.next)
			}
		}
		b.to.Next = append(b.to.Next, next...)
		for p := range path {
			b.to.Paths[p] = append(b.to.Paths[p], path[p])
			b.unusual = b.unusual || len(path[p]) > pcsgpu.MaxPath
		}
	}
}

// with returns a path with a column more.
func with(path []uint32, column uint32) []uint32 { return append(slices.Clip(path), column) }

// visit adds what the program computes from a node on, and returns what the value there is
// the sum of.
func (b *roundBuilder) visit(node int32, path [2][]uint32) (parts []source) {
	n := b.node(node)
	own := int(n.Actor) == b.player
	switch {
	case n.Kind == betting.Terminal:
		return []source{{atEnd, b.end(node, path[1-b.player])}}
	case n.Kind == betting.Deal:
		return []source{{atDeal, b.deal[node]}}
	}
	before := path
	for a := range int(n.NumActions) {
		column := uint32(b.column[node]) + uint32(a)
		path[n.Actor] = with(before[n.Actor], column)
		child := b.visit(b.child(node, a), path)
		if own {
			b.parts[column] = child
		} else {
			parts = append(parts, child...)
		}
	}
	if !own {
		return parts
	}
	d := pcsgpu.Decision{Column: uint32(b.column[node]), Actions: uint32(n.NumActions), Length: uint32(len(before[b.player]))}
	b.unusual = b.unusual || copy(d.Path[:], before[b.player]) < len(before[b.player])
	b.program.Decisions = append(b.program.Decisions, d)
	return []source{{atDecision, len(b.program.Decisions) - 1}}
}

// end returns the number of the value at an end, which the opponent reaches by a path.
func (b *roundBuilder) end(node int32, path []uint32) int {
	p := b.program
	i := slices.IndexFunc(p.Ends, func(e pcsgpu.End) bool { return slices.Equal(e.Path[:e.Length], path) })
	if i < 0 {
		i = len(p.Ends)
		e := pcsgpu.End{Length: uint32(len(path)), Fold: pcsgpu.None, Showdown: pcsgpu.None}
		b.unusual = b.unusual || copy(e.Path[:], path) < len(path)
		p.Ends = append(p.Ends, e)
	}
	value := &p.Ends[i].Fold
	if b.tree.Terminals[b.node(node).First].Showdown() {
		value = &p.Ends[i].Showdown
	}
	b.unusual = b.unusual || *value != pcsgpu.None
	*value = uint32(p.Values)
	p.Values++
	for lane := range b.to.Width {
		pay := float32(0)
		if lane < len(b.places.lanes) {
			pot := &b.tree.Terminals[b.tree.Nodes[b.places.lanes[lane].First+node].First]
			var ranks [acpc.MaxPlayers]int
			ranks[b.player] = 1
			pay = float32(pot.Value(b.player, &ranks))
		}
		p.Pays = append(p.Pays, pay)
	}
	return p.Values - 1
}

// sources returns the numbers of the values in a sum, once all values are counted.
func (b *roundBuilder) sources(parts []source) (to pcsgpu.Sources) {
	b.unusual = b.unusual || len(parts) > len(to.From)
	to.N = uint32(min(len(parts), len(to.From)))
	for i, s := range parts[:to.N] {
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
