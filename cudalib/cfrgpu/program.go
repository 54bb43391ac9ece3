package cfrgpu

import (
	"embed"
	"iter"
	"slices"

	"gamebots/cudalib/internal/launch"
)

// A program is a word for each operation: the operation in the highest two bits, a
// mark of a new level in the next, and the number of a decision or of the first sum
// in the others. See Op in traversal.cuh.
const (
	opDown   = 0 << 30
	opUp     = 1 << 30
	opSumOne = 2 << 30
	opSumTwo = 3 << 30

	newLevel = 1 << 29
)

// A programWriter writes the program of a segment's traversal for a player: the
// decisions on the way down and up, and between them the sums over the other
// player's reach that terminal nodes need, two at a time if possible.
type programWriter struct {
	g          *Game
	s          Segment
	player     int
	evaluating bool
	nodes      []planNode // nodes of the segment

	ops     []operation
	sums    map[int]*sumUse // sums by the Slot of the other player's reach
	pending []int           // Slots of sums that are still to be done
}

// An operation is at a decision, or of sums.
type operation struct {
	code  uint32
	node  int
	level uint32 // newLevel for the first decision of a level
	sums  []int  // Slots
}

// A sumUse is the terminal nodes that need a sum.
type sumUse struct {
	kinds     uint32
	terminals []int // nodes
}

func newProgramWriter(g *Game, s Segment, player int, evaluating bool) *programWriter {
	w := &programWriter{g: g, s: s, player: player, evaluating: evaluating, sums: map[int]*sumUse{}}
	for i := range s.Last - s.First {
		w.nodes = append(w.nodes, g.Nodes[s.First+i].planned(s.First))
		if w.kind(i) != Terminal {
			continue
		}
		slot := w.slot(i, 1-player)
		if w.sums[slot] == nil {
			w.sums[slot] = &sumUse{}
		}
		sum, kind := w.sums[slot], uint32(sumForFolds)
		if w.nodes[i].showdown != 0 {
			kind = sumForShowdowns
		}
		sum.kinds |= kind
		sum.terminals = append(sum.terminals, i)
	}
	return w
}

func (w *programWriter) kind(node int) Kind { return w.g.Nodes[w.s.First+node].Kind }

// slot returns which vector is a player's reach at a node. A vector is made at the
// root or at a child of the player's decision, and holds for all nodes below.
func (w *programWriter) slot(node, player int) int { return w.g.Nodes[w.s.First+node].Slot[player] }

func (w *programWriter) children(node int) []int {
	var list []int
	for child := w.nodes[node].first; child < w.nodes[node].first+w.nodes[node].actions; child++ {
		list = append(list, int(child))
	}
	return list
}

// byLevel goes all the way down first, level by level of the betting. It returns how
// many operations lead down.
func (w *programWriter) byLevel() (down int) {
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
			mark := uint32(newLevel)
			for _, node := range level {
				if w.kind(node) == Decision {
					w.ops = append(w.ops, operation{code: code, node: node, level: mark})
					mark = 0
				}
			}
		}
	}
	decisions(opDown, slices.All(levels))
	down = len(w.ops)
	for i := range w.nodes {
		if slot := w.slot(i, 1-w.player); w.sums[slot] != nil && !slices.Contains(w.pending, slot) {
			w.pending = append(w.pending, slot)
		}
	}
	for len(w.pending) > 0 {
		w.sum(w.pending[0])
	}
	decisions(opUp, slices.Backward(levels))
	return down
}

// byDepth goes down and up one branch after the other, so that few vectors are
// needed at the same time.
func (w *programWriter) byDepth(node int) {
	if node == 0 && w.sums[w.slot(0, 1-w.player)] != nil {
		w.pending = append(w.pending, w.slot(0, 1-w.player))
	}
	if w.kind(node) != Decision {
		if node == 0 { // all are all-in
			w.sum(w.pending[0])
		}
		return
	}
	w.ops = append(w.ops, operation{code: opDown, node: node})
	if int(w.nodes[node].actor) != w.player {
		for _, child := range w.children(node) {
			if slot := w.slot(child, 1-w.player); w.sums[slot] != nil {
				w.pending = append(w.pending, slot)
			}
		}
	}
	for _, child := range w.children(node) {
		w.byDepth(child)
	}
	for _, child := range w.children(node) {
		if slot := w.slot(child, 1-w.player); w.kind(child) == Terminal && slices.Contains(w.pending, slot) {
			w.sum(slot)
		}
	}
	w.ops = append(w.ops, operation{code: opUp, node: node})
}

// sum adds the sum of a vector, together with that of one more that is pending: the
// latest of the same kind, which is needed next.
func (w *programWriter) sum(slot int) {
	take := func(slot int) {
		w.pending = slices.DeleteFunc(w.pending, func(s int) bool { return s == slot })
	}
	take(slot)
	op := operation{code: opSumOne, sums: []int{slot}}
	for _, other := range slices.Backward(w.pending) {
		if (w.sums[other].kinds^w.sums[slot].kinds)&sumForShowdowns == 0 {
			op = operation{code: opSumTwo, sums: []int{slot, other}}
			take(other)
			break
		}
	}
	w.ops = append(w.ops, op)
}

// ownSlots gives each vector of a segment a slot of its own, and returns how many
// there are.
func (w *programWriter) ownSlots() int {
	num := len(w.nodes)
	for i := range w.nodes {
		x := &w.nodes[i].slots
		*x = slots{uint16(w.slot(i, w.player)), uint16(w.slot(i, 1-w.player)), uint16(2 + num + i), uint16(2 + num + i)}
		if w.evaluating {
			x.own = noSlot
			if w.kind(i) != Terminal {
				x.best = uint16(2 + 2*num + i)
			}
		}
	}
	if w.evaluating {
		return 2 + 3*num
	}
	return 2 + 2*num
}

// write adds the script to a plan when all vectors have their slots: nodes, the
// program, and the lists of sums and of terminal nodes that it refers to.
func (w *programWriter) write(p *plan, to *planSegment) {
	var program, terminals, words []uint32
	var sums []planSum
	for _, op := range w.ops {
		which := uint32(op.node)
		if op.sums != nil {
			which = uint32(len(sums))
		}
		for _, slot := range op.sums {
			of := w.sums[slot]
			sums = append(sums, planSum{uint32(w.nodes[of.terminals[0]].slots.other), of.kinds, uint32(len(terminals)),
				uint32(len(of.terminals))})
			for _, i := range of.terminals {
				terminals = append(terminals, uint32(i))
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
	to.sums[w.player], to.terminals[w.player] = add(launch.Words(sums)), add(terminals)
	to.script[w.player], to.words[w.player] = p.put(words), uint32(len(words))
}

// A slotPool numbers the slots of vectors, and uses free ones again.
type slotPool struct {
	free []uint16
	num  int
}

func (p *slotPool) take() uint16 {
	if n := len(p.free); n > 0 {
		slot := p.free[n-1]
		p.free = p.free[:n-1]
		return slot
	}
	p.num++
	return uint16(p.num - 1)
}

func (p *slotPool) release(slot uint16) {
	if slot != noSlot {
		p.free = append(p.free, slot)
	}
}

// shareSlots gives vectors slots in the order of the program, so that a vector may
// take the slot of one that is not needed any more. It returns how many slots there
// are.
func (w *programWriter) shareSlots() int {
	last := [2]map[int]int{{}, {}} // the last operation that needs a Slot, by player and Slot
	for k, op := range w.ops {
		if op.code == opDown {
			actor := int(w.nodes[op.node].actor)
			last[actor][w.slot(op.node, actor)] = k
		}
		for _, slot := range op.sums {
			last[1-w.player][slot] = k
		}
	}
	var p slotPool
	taken := [2]map[int]uint16{{}, {}}
	enter := func(player, slot int) {
		taken[player][slot] = noSlot
		if _, needed := last[player][slot]; needed && (player != w.player || !w.evaluating) {
			taken[player][slot] = p.take()
		}
	}
	leave := func(player, slot, k int) {
		if last[player][slot] == k {
			p.release(taken[player][slot])
		}
	}
	reach := func(node int) { // as it is known when the program comes there
		x := &w.nodes[node].slots
		x.own, x.other = taken[w.player][w.slot(node, w.player)], taken[1-w.player][w.slot(node, 1-w.player)]
	}
	for q := range 2 {
		enter(q, w.slot(0, q))
	}
	reach(0)
	for k, op := range w.ops {
		switch op.code {
		case opDown:
			actor := int(w.nodes[op.node].actor)
			leave(actor, w.slot(op.node, actor), k)
			for _, child := range w.children(op.node) {
				enter(actor, w.slot(child, actor))
				reach(child)
			}
		case opUp:
			x := &w.nodes[op.node].slots
			for _, child := range w.children(op.node) {
				below := w.nodes[child].slots
				p.release(below.value)
				if below.best != below.value {
					p.release(below.best)
				}
			}
			x.value = p.take()
			if x.best = x.value; w.evaluating {
				x.best = p.take()
			}
		default:
			for _, slot := range op.sums {
				leave(1-w.player, slot, k)
			}
			for _, slot := range op.sums {
				for _, i := range w.sums[slot].terminals {
					x := &w.nodes[i].slots
					x.value = p.take()
					x.best = x.value
				}
			}
		}
	}
	return p.num
}

// Modules are the compiled kernels, NAME.ptx.gz for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
