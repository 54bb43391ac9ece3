package bestresponse

import (
	"slices"

	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/tiles"
)

// round is what a responder needs of one betting round. Its lanes are the segments that the
// opponent may play to: all values in others are 0.
type round struct {
	segment.Part
	nodes    segment.Nodes
	opponent int
	columns  int // the opponent's columns
	// table has the opponent's probabilities by bucket, column and lane.
	table []float32
	ops   []op
	// slots is how many vectors of values an evaluation keeps.
	slots int
}

// opKind is what an operation computes.
type opKind uint32

const (
	opFold     opKind = iota // a fold of either player
	opShowdown               // a showdown
	opCall                   // the better one of folding and a showdown
	opDeal                   // the value of the next round
	opJoin                   // the values of another slot
)

// op computes a vector of values, by hand and lane, and stores it in a slot, or joins it
// with what is there. Path has the columns of the opponent's actions since the start of the
// round. Arg is the number of a value at an end, a deal, or the other slot; Fold that of the value
// of folding in an opCall.
type op struct {
	kind opKind
	mode tiles.Mode
	slot uint32
	path []uint32
	arg  uint32
	fold uint32
}

// newRounds returns the rounds for a responder, in their order.
func newRounds(s *Strategy, responder int) []*round {
	tree := s.Tree
	rounds, lanes := make([]*round, tree.Game.NumRounds), tree.Segments[:1]
	for r := range rounds {
		like := slices.IndexFunc(tree.Segments, func(s betting.Segment) bool { return s.Round == r })
		x := &round{opponent: 1 - responder}
		x.Part, x.nodes = segment.New(tree, tree.Segments[like], lanes)
		x.columns = x.Columns[x.opponent]
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
	r.table = make([]float32, s.Buckets.NumBuckets(r.Round)*r.columns*r.Width)
	for lane, at := range r.nodes.Lanes {
		for i, d := range r.Programs[r.opponent].Decisions {
			for a := range int(d.Actions) {
				for bucket, p := range s.of(at.First+r.nodes.Decisions[r.opponent][i], a) {
					r.table[(bucket*r.columns+int(d.Column)+a)*r.Width+lane] = p
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
			if r.played(r.Paths[r.opponent][deal], lane) {
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
		for at := int(column)*r.Width + lane; at < len(r.table); at += r.columns * r.Width {
			some = some || r.table[at] > 0
		}
		if !some {
			return false
		}
	}
	return true
}

// pays returns the chips of a value at an end, by lane.
func (r *round) pays(value uint32) []float32 {
	return r.Programs[1-r.opponent].Pays[int(value)*r.Width:][:r.Width]
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

// join adds what others add to a slot, or, if values are there, to the next one that is then joined.
func (b *opBuilder) join(mode tiles.Mode, slot uint32, add func(slot uint32)) {
	if mode == tiles.Set {
		add(slot)
		return
	}
	add(slot + 1)
	b.ops = append(b.ops, op{kind: opJoin, mode: mode, slot: slot, arg: slot + 1})
}

// value adds the operation of a value at an end or of a deal.
func (b *opBuilder) value(value uint32, mode tiles.Mode, slot uint32) {
	b.slots = max(b.slots, int(slot)+1)
	if deal := int(value) - b.Values; deal >= 0 {
		b.ops = append(b.ops, op{kind: opDeal, mode: mode, slot: slot, arg: uint32(deal)})
		return
	}
	e, last := b.program.EndOf(value), len(b.ops)-1
	x := op{kind: opShowdown, mode: mode, slot: slot, path: e.Path, arg: value}
	switch {
	case value == e.Fold:
		x.kind = opFold
	case last >= 0 && b.ops[last].kind == opFold && b.ops[last].arg == e.Fold: // the responder's
		x.kind, x.mode, x.fold = opCall, b.ops[last].mode, e.Fold
		b.ops = b.ops[:last]
	}
	b.ops = append(b.ops, x)
}
