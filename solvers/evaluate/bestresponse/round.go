package bestresponse

import (
	"slices"

	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/evaluate/bestresponse/internal/layout"
	"gamebots/solvers/internal/tiles"
)

// round is a round of a responder.
type round struct {
	layout.Round
	nodes   segment.Nodes
	columns int // the opponent's columns
}

// newRounds returns the rounds for a responder, in their order.
func newRounds(s *Strategy, responder int) []*round {
	tree := s.Tree
	rounds, lanes := make([]*round, tree.Game.NumRounds), tree.Segments[:1]
	for r := range rounds {
		like := slices.IndexFunc(tree.Segments, func(s betting.Segment) bool { return s.Round == r })
		x := &round{Round: layout.Round{Opponent: 1 - responder}}
		x.Part, x.nodes = segment.New(tree, tree.Segments[like], lanes)
		x.columns = x.Columns[x.Opponent]
		x.fill(s)
		b := opBuilder{round: x, program: &x.Programs[responder]}
		b.sum(b.program.Root, 0)
		lanes = x.deal(tree)
		rounds[r] = x
	}
	return rounds
}

// fill writes the table.
func (r *round) fill(s *Strategy) {
	r.Table = make([]float32, s.Buckets.NumBuckets(r.Part.Round)*r.columns*r.Width)
	for lane, at := range r.nodes.Lanes {
		for i, d := range r.Programs[r.Opponent].Decisions {
			for a := range int(d.Actions) {
				for bucket, p := range s.of(at.First+r.nodes.Decisions[r.Opponent][i], a) {
					r.Table[(bucket*r.columns+int(d.Column)+a)*r.Width+lane] = p
				}
			}
		}
	}
}

// deal returns the lanes of the next round, in the order in which the betting tree has the deals of
// a segment.
func (r *round) deal(tree *betting.Tree) (lanes []betting.Segment) {
	deals := slices.Clone(r.nodes.Deals)
	slices.Sort(deals)
	for _, node := range deals {
		deal := slices.Index(r.nodes.Deals, node)
		for lane, at := range r.nodes.Lanes {
			if r.played(r.Paths[r.Opponent][deal], lane) {
				r.Next[deal*r.Width+lane] = uint32(len(lanes))
				lanes = append(lanes, tree.Segments[tree.Nodes[at.First+node].First])
			}
		}
	}
	return lanes
}

// played reports whether the opponent takes every action of a path in some bucket.
func (r *round) played(path []uint32, lane int) bool {
	for _, column := range path {
		some := false
		for at := int(column)*r.Width + lane; at < len(r.Table); at += r.columns * r.Width {
			some = some || r.Table[at] > 0
		}
		if !some {
			return false
		}
	}
	return true
}

// opBuilder turns the sums of a program into operations. What follows on decisions comes first, so
// that a chain of raises needs one slot.
type opBuilder struct {
	*round
	program *segment.Program
}

// sum adds the operations that leave a sum of values in a slot.
func (b *opBuilder) sum(from []uint32, slot uint32) {
	mode, decisions := tiles.Set, uint32(b.Values+b.Deals)
	for _, value := range from {
		if value >= decisions {
			b.join(mode, slot, func(slot uint32) { b.decide(&b.program.Decisions[value-decisions], slot) })
			mode = tiles.Sum
		}
	}
	for _, value := range from {
		if value < decisions {
			b.value(value, mode, slot)
			mode = tiles.Sum
		}
	}
}

// decide adds the operations that leave the value of a decision in a slot.
func (b *opBuilder) decide(d *segment.Decision, slot uint32) {
	mode, columns := tiles.Set, b.program.Columns[d.Column:][:d.Actions]
	leads := func(from []uint32) bool { return len(from) > 1 || int(from[0]) >= b.Values+b.Deals }
	for _, from := range columns {
		if leads(from) {
			b.join(mode, slot, func(slot uint32) { b.sum(from, slot) })
			mode = tiles.Max
		}
	}
	for _, from := range columns {
		if !leads(from) {
			b.value(from[0], mode, slot)
			mode = tiles.Max
		}
	}
}

// join adds values to a slot. If the slot has values, they are made in the next slot and then joined.
func (b *opBuilder) join(mode tiles.Mode, slot uint32, add func(slot uint32)) {
	if mode == tiles.Set {
		add(slot)
		return
	}
	add(slot + 1)
	b.Ops = append(b.Ops, layout.Op{Kind: layout.Join, Mode: mode, Slot: slot, Arg: slot + 1})
}

// value adds the operation of a value at an end or of a deal.
func (b *opBuilder) value(value uint32, mode tiles.Mode, slot uint32) {
	b.Slots = max(b.Slots, int(slot)+1)
	if deal := int(value) - b.Values; deal >= 0 {
		b.Ops = append(b.Ops, layout.Op{Kind: layout.Deal, Mode: mode, Slot: slot, Arg: uint32(deal)})
		return
	}
	e, last := b.program.EndOf(value), len(b.Ops)-1
	x := layout.Op{Kind: layout.Showdown, Mode: mode, Slot: slot, Path: e.Path, Arg: value}
	switch {
	case value == e.Fold:
		x.Kind = layout.Fold
	case last >= 0 && b.Ops[last].Kind == layout.Fold && b.Ops[last].Arg == e.Fold: // the responder's
		x.Kind, x.Mode, x.Fold = layout.Call, b.Ops[last].Mode, e.Fold
		b.Ops = b.Ops[:last]
	}
	b.Ops = append(b.Ops, x)
}
