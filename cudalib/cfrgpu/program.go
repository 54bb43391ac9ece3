package cfrgpu

import (
	"gamebots/cudalib/launch"
	"iter"
	"slices"
)

// Operations of a segment's program, as kernels/walk.cuh has them.
const (
	walkDown   = 0 << 30
	walkUp     = 1 << 30
	walkSumOne = 2 << 30
	walkSumTwo = 3 << 30

	walkNewLevel = 1 << 29
)

// walkWriter writes the program of a segment's walk for a player: at which
// decisions it goes down and up, and between them the sums over the other
// player's reach that ends need, two at a time if possible.
type walkWriter struct {
	g       *Game
	s       Segment
	player  int
	valuing bool
	nodes   []walkNode // of the segment

	ops  []walkOp
	sums map[int]*walkSumOf // by the Slot of the other player's reach
	wait []int              // Slots with ends that were not summed up yet
}

// walkOp is at a decision, or of sums.
type walkOp struct {
	code  uint32
	node  int
	level uint32 // walkNewLevel for the first decision of a level
	sums  []int  // Slots
}

// walkSumOf is what a sum is for.
type walkSumOf struct {
	kinds uint32
	ends  []int // nodes
}

func newWalkWriter(g *Game, s Segment, player int, valuing bool) *walkWriter {
	w := &walkWriter{g: g, s: s, player: player, valuing: valuing, sums: map[int]*walkSumOf{}}
	for i := range s.Last - s.First {
		w.nodes = append(w.nodes, g.Nodes[s.First+i].walked(s.First))
		if w.kind(i) != Terminal {
			continue
		}
		slot := w.slot(i, 1-player)
		if w.sums[slot] == nil {
			w.sums[slot] = &walkSumOf{}
		}
		sum, kind := w.sums[slot], uint32(walkForFolds)
		if w.nodes[i].showdown != 0 {
			kind = walkForShowdowns
		}
		sum.kinds |= kind
		sum.ends = append(sum.ends, i)
	}
	return w
}

func (w *walkWriter) kind(node int) Kind { return w.g.Nodes[w.s.First+node].Kind }

// slot is which vector is a player's reach at a node: one is made at the root or
// at a child of the player's decision, and seen by all nodes below.
func (w *walkWriter) slot(node, player int) int { return w.g.Nodes[w.s.First+node].Slot[player] }

func (w *walkWriter) children(node int) []int {
	var list []int
	for child := w.nodes[node].first; child < w.nodes[node].first+w.nodes[node].actions; child++ {
		list = append(list, int(child))
	}
	return list
}

// byLevel goes all the way down first, a level of the betting after the other, and
// returns how many operations that are.
func (w *walkWriter) byLevel() (before int) {
	levels := [][]int{{0}}
	for len(levels[len(levels)-1]) > 0 {
		var next []int
		for _, node := range levels[len(levels)-1] {
			if w.kind(node) == Decision {
				next = append(next, w.children(node)...)
			}
		}
		levels = append(levels, next)
	}
	decisions := func(code uint32, levels iter.Seq2[int, []int]) {
		for _, level := range levels {
			mark := uint32(walkNewLevel)
			for _, node := range level {
				if w.kind(node) == Decision {
					w.ops = append(w.ops, walkOp{code: code, node: node, level: mark})
					mark = 0
				}
			}
		}
	}
	decisions(walkDown, slices.All(levels))
	before = len(w.ops)
	for i := range w.nodes {
		if slot := w.slot(i, 1-w.player); w.sums[slot] != nil && !slices.Contains(w.wait, slot) {
			w.wait = append(w.wait, slot)
		}
	}
	for len(w.wait) > 0 {
		w.sum(w.wait[0])
	}
	decisions(walkUp, slices.Backward(levels))
	return before
}

// byDepth goes down and up one branch after the other, so that few vectors are
// needed at the same time.
func (w *walkWriter) byDepth(node int) {
	if node == 0 && w.sums[w.slot(0, 1-w.player)] != nil {
		w.wait = append(w.wait, w.slot(0, 1-w.player))
	}
	if w.kind(node) != Decision {
		if node == 0 { // all are all-in
			w.sum(w.wait[0])
		}
		return
	}
	w.ops = append(w.ops, walkOp{code: walkDown, node: node})
	if int(w.nodes[node].actor) != w.player {
		for _, child := range w.children(node) {
			if slot := w.slot(child, 1-w.player); w.sums[slot] != nil {
				w.wait = append(w.wait, slot)
			}
		}
	}
	for _, child := range w.children(node) {
		w.byDepth(child)
	}
	for _, child := range w.children(node) {
		if slot := w.slot(child, 1-w.player); w.kind(child) == Terminal && slices.Contains(w.wait, slot) {
			w.sum(slot)
		}
	}
	w.ops = append(w.ops, walkOp{code: walkUp, node: node})
}

// sum adds the sum of a vector, and that of one more that waits: the latest of the
// same kind, which is needed next.
func (w *walkWriter) sum(slot int) {
	take := func(slot int) {
		w.wait = slices.DeleteFunc(w.wait, func(s int) bool { return s == slot })
	}
	take(slot)
	op := walkOp{code: walkSumOne, sums: []int{slot}}
	for _, other := range slices.Backward(w.wait) {
		if (w.sums[other].kinds^w.sums[slot].kinds)&walkForShowdowns == 0 {
			op = walkOp{code: walkSumTwo, sums: []int{slot, other}}
			take(other)
			break
		}
	}
	w.ops = append(w.ops, op)
}

// keepAll gives each vector of a segment a place of its own, and returns how many
// there are.
func (w *walkWriter) keepAll() int {
	num := len(w.nodes)
	for i := range w.nodes {
		x := &w.nodes[i].slots
		*x = walkSlots{uint16(w.slot(i, w.player)), uint16(w.slot(i, 1-w.player)), uint16(2 + num + i), uint16(2 + num + i)}
		if w.valuing {
			x.own = walkNone
			if w.kind(i) != Terminal {
				x.best = uint16(2 + 2*num + i)
			}
		}
	}
	if w.valuing {
		return 2 + 3*num
	}
	return 2 + 2*num
}

// write adds the script to a plan when all vectors have their places: nodes, the
// program, and the lists of sums and of ends that it refers to.
func (w *walkWriter) write(p *walkPlan, to *walkSegment) {
	var program, ends, words []uint32
	var sums []walkSum
	for _, op := range w.ops {
		which := uint32(op.node)
		if op.sums != nil {
			which = uint32(len(sums))
		}
		for _, slot := range op.sums {
			of := w.sums[slot]
			sums = append(sums, walkSum{uint32(w.nodes[of.ends[0]].slots.other), of.kinds, uint32(len(ends)), uint32(len(of.ends))})
			for _, i := range of.ends {
				ends = append(ends, uint32(i))
			}
		}
		program = append(program, op.code|op.level|which)
	}
	add := func(list []uint32) uint32 {
		at := uint32(len(words))
		words = append(words, list...)
		for len(words)%4 != 0 {
			words = append(words, 0)
		}
		return at
	}
	add(launch.Words(w.nodes))
	to.program[w.player], to.length[w.player] = add(program), uint32(len(program))
	to.sums[w.player], to.ends[w.player] = add(launch.Words(sums)), add(ends)
	to.script[w.player], to.words[w.player] = p.put(words), uint32(len(words))
}

// places are vectors' places, of which those that are free are taken again.
type places struct {
	free []uint16
	num  int
}

func (p *places) take() uint16 {
	if n := len(p.free); n > 0 {
		slot := p.free[n-1]
		p.free = p.free[:n-1]
		return slot
	}
	p.num++
	return uint16(p.num - 1)
}

func (p *places) give(slot uint16) {
	if slot != walkNone {
		p.free = append(p.free, slot)
	}
}

// share gives vectors places in the order of the program, so that one may take
// the place of another that nobody needs any more, and returns how many that
// takes.
func (w *walkWriter) share() int {
	last := [2]map[int]int{{}, {}} // by player and Slot: the last operation that needs it
	for k, op := range w.ops {
		if op.code == walkDown {
			actor := int(w.nodes[op.node].actor)
			last[actor][w.slot(op.node, actor)] = k
		}
		for _, slot := range op.sums {
			last[1-w.player][slot] = k
		}
	}
	var p places
	taken := [2]map[int]uint16{{}, {}}
	enter := func(player, slot int) {
		taken[player][slot] = walkNone
		if _, needed := last[player][slot]; needed && (player != w.player || !w.valuing) {
			taken[player][slot] = p.take()
		}
	}
	leave := func(player, slot, k int) {
		if last[player][slot] == k {
			p.give(taken[player][slot])
		}
	}
	reach := func(node int) { // as it is known when the walk comes there
		x := &w.nodes[node].slots
		x.own, x.other = taken[w.player][w.slot(node, w.player)], taken[1-w.player][w.slot(node, 1-w.player)]
	}
	for q := range 2 {
		enter(q, w.slot(0, q))
	}
	reach(0)
	for k, op := range w.ops {
		switch op.code {
		case walkDown:
			actor := int(w.nodes[op.node].actor)
			leave(actor, w.slot(op.node, actor), k)
			for _, child := range w.children(op.node) {
				enter(actor, w.slot(child, actor))
				reach(child)
			}
		case walkUp:
			x := &w.nodes[op.node].slots
			for _, child := range w.children(op.node) {
				below := w.nodes[child].slots
				p.give(below.value)
				if below.best != below.value {
					p.give(below.best)
				}
			}
			x.value = p.take()
			if x.best = x.value; w.valuing {
				x.best = p.take()
			}
		default:
			for _, slot := range op.sums {
				leave(1-w.player, slot, k)
			}
			for _, slot := range op.sums {
				for _, i := range w.sums[slot].ends {
					x := &w.nodes[i].slots
					x.value = p.take()
					x.best = x.value
				}
			}
		}
	}
	return p.num
}
