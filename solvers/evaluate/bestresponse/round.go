package bestresponse

import (
	"slices"

	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/evaluate/bestresponse/internal/layout"
	"gamebots/solvers/internal/tiles"
)

// round is a round of a responder. Its lanes are the segments that the opponent may play to: all
// values in others are 0. Segments with the same decisions are a part.
type round struct {
	parts []*part
	width int   // lanes, with padding
	at    []int // lanes without padding
}

// part is a part of a round.
type part struct {
	layout.Part
	nodes   segment.Nodes
	columns int // the opponent's columns
}

// newRounds returns the rounds for a responder, in their order.
func newRounds(s *Strategy, responder int) []*round {
	tree := s.Tree
	rounds, list := make([]*round, tree.Game.NumRounds), tree.Segments[:1]
	for r := range rounds {
		parts, nodes, lanes := segment.New(tree, list, true)
		if r > 0 {
			rounds[r-1].link(lanes)
		}
		x := &round{}
		for i := range parts {
			p := &part{layout.Part{Part: parts[i], Opponent: 1 - responder}, nodes[i], parts[i].Columns[1-responder]}
			p.fill(s)
			b := opBuilder{part: p, program: &p.Programs[responder]}
			b.sum(b.program.Root, 0)
			for lane := range p.Lanes {
				x.at = append(x.at, p.First+lane)
			}
			x.width += p.Width
			x.parts = append(x.parts, p)
		}
		rounds[r], list = x, x.deal(tree)
	}
	return rounds
}

// fill writes the table.
func (p *part) fill(s *Strategy) {
	p.Table = make([]float32, s.Buckets.NumBuckets(p.Round)*p.columns*p.Width)
	for lane, at := range p.nodes.Lanes {
		for i, d := range p.Programs[p.Opponent].Decisions {
			for a := range int(d.Actions) {
				for bucket, x := range s.of(at.First+p.nodes.Decisions[p.Opponent][i], a) {
					p.Table[(bucket*p.columns+int(d.Column)+a)*p.Width+lane] = x
				}
			}
		}
	}
}

// deal returns the segments of the next round, in the order in which the betting tree has the deals of
// a segment. Next has their places in this list, until link.
func (r *round) deal(tree *betting.Tree) (list []betting.Segment) {
	for _, p := range r.parts {
		deals := slices.Clone(p.nodes.Deals)
		slices.Sort(deals)
		for _, node := range deals {
			deal := slices.Index(p.nodes.Deals, node)
			for lane, at := range p.nodes.Lanes {
				if p.played(p.Paths[p.Opponent][deal], lane) {
					p.Next[deal*p.Width+lane] = uint32(len(list))
					list = append(list, tree.Segments[tree.Nodes[at.First+node].First])
				}
			}
		}
	}
	return list
}

// link makes Next lanes of the next round, of which the segments of deal have these.
func (r *round) link(lanes []uint32) {
	for _, p := range r.parts {
		for i, place := range p.Next {
			if place != segment.None {
				p.Next[i] = lanes[place]
			}
		}
	}
}

// played reports whether the opponent takes every action of a path in some bucket.
func (p *part) played(path []uint32, lane int) bool {
	for _, column := range path {
		some := false
		for at := int(column)*p.Width + lane; at < len(p.Table); at += p.columns * p.Width {
			some = some || p.Table[at] > 0
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
	*part
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
