package bestresponse

import (
	"encoding/binary"
	"slices"

	"gamebots/acpc"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/vectors"
)

// round is a round of a responder. Its lanes are the segments that the opponent may play to: all
// values in others are 0. Segments with the same decisions are a part.
type round struct {
	parts []*part
	width int   // lanes, with padding and ways
	at    []int // lanes without padding, of the first ways
}

// part is a part of a round.
type part struct {
	Part
	tree    *answers
	nodes   segment.Nodes
	columns []column // the opponent's, and then, or between them, the responder's where it follows the strategy
	follows bool
	own     []uint32 // where the responder's columns are in columns, by its program's numbers
	ends    [][]Way
}

// column is where the probabilities of a column are: those with which the opponent comes to a child of a node of the
// segment in one of its ways.
type column struct {
	node       int32
	child, way int
}

// answers is the tree of a responder.
type answers struct {
	*betting.Tree
	ways [][]betting.Way // nil where it is the strategy's tree
}

// at returns the ways of a node.
func (x *answers) at(node int32) []betting.Way {
	if x.ways != nil {
		return x.ways[node]
	}
	return []betting.Way{{Part: 1, Node: node, From: node, To: node + 1}}
}

// newRounds returns the rounds for a responder, in their order.
func newRounds(s *Strategy, tree *answers, responder int, follow [acpc.MaxRounds]bool) []*round {
	rounds, list := make([]*round, tree.Game.NumRounds), tree.Segments[:1]
	for r := range rounds {
		x, lanes, widths := &round{}, make([]uint32, len(list)), make([]uint32, len(list))
		for _, alike := range tree.alike(list) {
			var some []betting.Segment
			for _, place := range alike {
				some = append(some, list[place])
			}
			parts, nodes, of := segment.New(tree.Tree, some, true)
			for i := range parts {
				p := &part{Part: Part{Part: parts[i], Opponent: 1 - responder}, tree: tree, nodes: nodes[i],
					follows: follow[r]}
				from := uint32(p.First)
				p.First = x.width
				for k, place := range alike {
					if lane := of[k] - from; int(lane) < p.Lanes {
						lanes[place], widths[place] = uint32(p.First)+lane, uint32(p.Width)
					}
				}
				p.number()
				p.fill(s)
				b := opBuilder{part: p, program: &p.Programs[responder]}
				b.sum(b.program.Root, 0)
				for lane := range p.Lanes {
					x.at = append(x.at, p.First+lane)
				}
				x.width += p.Width * p.Ways
				x.parts = append(x.parts, p)
			}
		}
		if r > 0 {
			rounds[r-1].link(lanes, widths)
		}
		rounds[r], list = x, x.deal(tree.Tree)
	}
	return rounds
}

// alike returns the places of the segments of a list that have the same ways.
func (x *answers) alike(list []betting.Segment) (groups [][]int) {
	numbers := map[string]int{}
	for place, s := range list {
		var key []byte
		if x.ways != nil {
			for node := s.First; node < s.Last; node++ {
				key = binary.AppendUvarint(key, uint64(len(x.ways[node])))
				for _, w := range x.ways[node] {
					key = binary.AppendUvarint(key, uint64(w.Before)<<1)
					if w.Part < 1 {
						key[len(key)-1] |= 1
					}
				}
			}
		}
		number, ok := numbers[string(key)]
		if !ok {
			number = len(groups)
			numbers[string(key)] = number
			groups = append(groups, nil)
		}
		groups[number] = append(groups[number], place)
	}
	return groups
}

// number numbers the opponent's columns, and lists how it comes to ends and deals.
func (p *part) number() {
	root := p.nodes.Lanes[0].First
	var visit func(node int32, ways []Way)
	visit = func(node int32, ways []Way) {
		n := &p.tree.Nodes[node]
		switch n.Kind {
		case betting.Terminal:
			p.ends = append(p.ends, ways)
			return
		case betting.Deal:
			p.After = append(p.After, ways)
			return
		}
		next := make([][]Way, n.NumActions)
		for a := range next {
			if p.follows && int(n.Actor) != p.Opponent {
				p.own = append(p.own, uint32(len(p.columns)))
				p.columns = append(p.columns, column{node - root, a, 0})
			}
			for i, w := range p.tree.at(n.First + int32(a)) {
				y := ways[w.Before]
				if int(n.Actor) == p.Opponent || w.Part < 1 {
					y.Path = append(slices.Clip(y.Path), uint32(len(p.columns)))
					p.columns = append(p.columns, column{node - root, a, i})
				}
				next[a] = append(next[a], y)
			}
		}
		for a, ways := range next {
			visit(n.First+int32(a), ways)
		}
	}
	var start []Way
	for i := range p.tree.at(root) {
		start = append(start, Way{Before: uint32(i)})
	}
	p.Ways = len(start)
	visit(root, start)
	p.Columns[p.Opponent] = len(p.columns)
}

// fill writes the table.
func (p *part) fill(s *Strategy) {
	buckets := s.Buckets.NumBuckets(p.Round)
	p.Table = make([]float32, buckets*len(p.columns)*p.Width)
	for lane, at := range p.nodes.Lanes {
		for i, c := range p.columns {
			node := at.First + c.node
			w := p.tree.at(p.tree.Nodes[node].First + int32(c.child))[c.way]
			to := func(bucket int) *float32 { return &p.Table[(bucket*len(p.columns)+i)*p.Width+lane] }
			if w.From == w.To { // chance, or a call without a decision
				for bucket := range buckets {
					*to(bucket) = float32(w.Part)
				}
				continue
			}
			from := p.tree.at(node)[w.Before].Node
			for k := w.From; k < w.To; k++ {
				for bucket, x := range s.of(from, int(k-s.Tree.Nodes[from].First)) {
					*to(bucket) += x
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
				played := func(w Way) bool { return p.played(w.Path, lane) }
				if slices.ContainsFunc(p.After[deal], played) {
					p.Next[deal*p.Width+lane] = uint32(len(list))
					list = append(list, tree.Segments[tree.Nodes[at.First+node].First])
				}
			}
		}
	}
	return list
}

// link makes Next lanes of the next round, of which the segments of deal have these, in parts with these widths.
func (r *round) link(lanes, widths []uint32) {
	for _, p := range r.parts {
		p.Behind = make([]uint32, len(p.Next))
		for i, place := range p.Next {
			if place != segment.None {
				p.Next[i], p.Behind[i] = lanes[place], widths[place]
			}
		}
	}
}

// played reports whether the opponent takes every action of a path in some bucket.
func (p *part) played(path []uint32, lane int) bool {
	for _, column := range path {
		some := false
		for at := int(column)*p.Width + lane; at < len(p.Table); at += len(p.columns) * p.Width {
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
	mode, decisions := vectors.Set, uint32(b.Values+b.Deals)
	for _, value := range from {
		if value >= decisions {
			b.join(mode, slot, func(slot uint32) { b.decide(&b.program.Decisions[value-decisions], slot) })
			mode = vectors.Sum
		}
	}
	for _, value := range from {
		if value < decisions {
			b.value(value, mode, slot)
			mode = vectors.Sum
		}
	}
}

// decide adds the operations that leave the value of a decision in a slot.
func (b *opBuilder) decide(d *segment.Decision, slot uint32) {
	if b.follows {
		b.mean(d, slot)
		return
	}
	mode, columns := vectors.Set, b.program.Columns[d.Column:][:d.Actions]
	leads := func(from []uint32) bool { return len(from) > 1 || int(from[0]) >= b.Values+b.Deals }
	for _, from := range columns {
		if leads(from) {
			b.join(mode, slot, func(slot uint32) { b.sum(from, slot) })
			mode = vectors.Max
		}
	}
	for _, from := range columns {
		if !leads(from) {
			b.value(from[0], mode, slot)
			mode = vectors.Max
		}
	}
}

// mean adds the operations that leave the value of a decision at which the responder follows the strategy.
func (b *opBuilder) mean(d *segment.Decision, slot uint32) {
	mode := vectors.Set
	for a, from := range b.program.Columns[d.Column:][:d.Actions] {
		b.sum(from, slot+1)
		path := b.own[int(d.Column)+a:][:1]
		b.Ops = append(b.Ops, Op{Kind: Join, Mode: mode, Slot: slot, Way: Way{Path: path}, Arg: slot + 1})
		mode = vectors.Sum
	}
}

// join adds values to a slot. If the slot has values, they are made in the next slot and then joined.
func (b *opBuilder) join(mode vectors.Mode, slot uint32, add func(slot uint32)) {
	if mode == vectors.Set {
		add(slot)
		return
	}
	add(slot + 1)
	b.Ops = append(b.Ops, Op{Kind: Join, Mode: mode, Slot: slot, Arg: slot + 1})
}

// value adds the operations of a value at an end or of a deal. Where the opponent comes to an end in several ways, the
// value is a sum.
func (b *opBuilder) value(value uint32, mode vectors.Mode, slot uint32) {
	b.Slots = max(b.Slots, int(slot)+1)
	if deal := int(value) - b.Values; deal >= 0 {
		b.Ops = append(b.Ops, Op{Kind: Deal, Mode: mode, Slot: slot, Arg: uint32(deal)})
		return
	}
	e, ways := b.program.EndOf(value), b.ends[value]
	if len(ways) > 1 && mode == vectors.Max {
		b.join(mode, slot, func(slot uint32) { b.value(value, vectors.Set, slot) })
		return
	}
	for _, w := range ways {
		last := len(b.Ops) - 1
		x := Op{Kind: Showdown, Mode: mode, Slot: slot, Way: w, Arg: value}
		switch {
		case value == e.Fold:
			x.Kind = Fold
		case len(ways) == 1 && last >= 0 && b.Ops[last].Kind == Fold && b.Ops[last].Arg == e.Fold:
			// the responder's fold
			x.Kind, x.Mode, x.Fold = Call, b.Ops[last].Mode, e.Fold
			b.Ops = b.Ops[:last]
		}
		b.Ops = append(b.Ops, x)
		mode = vectors.Sum
	}
}
