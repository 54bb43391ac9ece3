package boardwise

import (
	"slices"

	"gamebots/cudalib/boardwisegpu"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/tiles"
)

// tileLanes is how many lanes are treated together, and what the lanes of a round are
// padded to.
const tileLanes = tiles.Lanes

// maxActions is how many actions a decision has: fold, call and raise.
const maxActions = boardwisegpu.MaxActions

// round is a betting round: all of its segments are lanes of one part.
type round struct {
	boardwisegpu.Betting
	nodes segment.Nodes
}

// newRound returns a round, or false if more is possible than programs have room for. NumSums is
// the number of sums of reach that a vector needs.
func newRound(p *segment.Part, nodes segment.Nodes, numSums func(showdown bool) int) (r *round, fits bool) {
	r, fits = &round{boardwisegpu.Betting{Part: p}, nodes}, true
	for player := range p.Programs {
		own := p.Programs[player].Decisions
		for _, path := range p.Paths[player] {
			choices := choicesOf(own, path)
			r.Choices[player] = append(r.Choices[player], choices)
			fits = fits && len(choices) <= boardwisegpu.MaxPath
		}
		b := &programBuilder{Part: p, program: &p.Programs[player], own: own, opponent: p.Programs[1-player].Decisions,
			numSums: numSums}
		r.Passes[player] = b.build()
		fits = fits && b.fits
	}
	return r, fits
}

// choicesOf returns the choices at some decisions that columns are.
func choicesOf(decisions []segment.Decision, columns []uint32) (choices []boardwisegpu.Choice) {
	for _, column := range columns {
		for _, d := range decisions {
			if action := column - d.Column; column >= d.Column && action < d.Actions {
				choices = append(choices, boardwisegpu.Choice{Column: d.Column, Actions: d.Actions, Action: action})
			}
		}
	}
	return choices
}

// programBuilder turns a program into passes, one a decision of the player and one for the root of
// the segment. The opponent's reach at the ends that are in a decision's sums is in slots. If it
// is not there yet, the steps of the pass compute it, and the reach at all ends along the same
// way.
type programBuilder struct {
	*segment.Part
	program       *segment.Program
	own, opponent []segment.Decision
	numSums       func(showdown bool) int

	passes []draft
	used   []bool // whether each slot is in use
	fits   bool
}

// draft is a pass that is being built. Sources of decisions have the numbers of their passes.
type draft struct {
	own     boardwisegpu.Choice
	path    []boardwisegpu.Choice
	ends    []*segment.End // whose reach is in vectors
	vectors []boardwisegpu.Vector
	steps   []boardwisegpu.Step
	sources [][]boardwisegpu.Source // sources of each action
	result  uint32
}

func (b *programBuilder) build() (to boardwisegpu.Passes) {
	for _, d := range b.own {
		b.add(draft{own: boardwisegpu.Choice{Column: d.Column, Actions: d.Actions}, path: choicesOf(b.own, d.Path)},
			b.program.Columns[d.Column:][:d.Actions])
	}
	b.add(draft{}, [][]uint32{b.program.Root})
	b.fits = true
	for i := range b.passes {
		to.Sums = max(to.Sums, b.place(&b.passes[i]))
		pass, fits := b.passes[i].pass()
		to.List = append(to.List, pass)
		b.fits = b.fits && fits
	}
	to.Slots = len(b.used)
	return to
}

// add adds a pass, whose actions are worth sums of values.
func (b *programBuilder) add(p draft, sums [][]uint32) {
	for _, sum := range sums {
		var sources []boardwisegpu.Source
		for _, value := range sum {
			sources = append(sources, b.source(&p, value))
		}
		p.sources = append(p.sources, sources)
	}
	b.passes = append(b.passes, p)
}

// source returns where a pass has a value from.
func (b *programBuilder) source(p *draft, value uint32) boardwisegpu.Source {
	if decision := int(value) - b.Values - b.Deals; decision >= 0 {
		return boardwisegpu.Source{Kind: boardwisegpu.Joined, Index: uint32(decision)}
	}
	if deal := int(value) - b.Values; deal >= 0 {
		return boardwisegpu.Source{Kind: boardwisegpu.Deal, Index: uint32(deal)}
	}
	end := b.program.EndOf(value)
	i := slices.Index(p.ends, end)
	if i < 0 {
		i = len(p.ends)
		p.ends, p.vectors = append(p.ends, end), append(p.vectors, boardwisegpu.Vector{Slot: boardwisegpu.None})
	}
	if value == end.Fold {
		return boardwisegpu.Source{Kind: boardwisegpu.Fold, Index: uint32(i), Pay: value}
	}
	p.vectors[i].Showdown = 1
	return boardwisegpu.Source{Kind: boardwisegpu.Showdown, Index: uint32(i), Pay: value}
}

// place gives a pass its slots, sums and steps, and returns the number of its sums.
func (b *programBuilder) place(p *draft) (sums int) {
	for {
		longest := -1 // the longest path to a vector without a slot: others may be on it
		for i, v := range p.vectors {
			if v.Slot == boardwisegpu.None && (longest < 0 || len(p.ends[i].Path) > len(p.ends[longest].Path)) {
				longest = i
			}
		}
		if longest < 0 {
			break
		}
		b.reach(p, p.ends[longest].Path)
	}
	for i := range p.vectors {
		v := &p.vectors[i]
		v.Sums = uint32(sums)
		sums += b.numSums(v.Showdown == 1)
		b.used[v.Slot] = false
	}
	for _, list := range p.sources {
		for i := range list {
			if from := &list[i]; from.Kind == boardwisegpu.Joined {
				from.Index = b.passes[from.Index].result
				b.used[from.Index] = false
			}
		}
	}
	if p.result = boardwisegpu.None; p.own.Actions > 0 {
		p.result = b.slot()
	}
	return sums
}

// slot returns a slot that is not in use.
func (b *programBuilder) slot() uint32 {
	i := slices.Index(b.used, false)
	if i < 0 {
		i = len(b.used)
		b.used = append(b.used, true)
	}
	b.used[i] = true
	return uint32(i)
}

// reach adds the steps along a path to a pass, which give slots to all vectors that they come
// to.
func (b *programBuilder) reach(p *draft, path []uint32) {
	none := [maxActions]uint32{boardwisegpu.None, boardwisegpu.None, boardwisegpu.None}
	if len(path) == 0 {
		s := boardwisegpu.Step{Fresh: 1, Slots: none}
		s.Slots[0] = b.slotOf(nil)
		p.steps = append(p.steps, s)
	}
	for k, choice := range choicesOf(b.opponent, path) {
		s := boardwisegpu.Step{Choice: choice, Slots: none}
		if k == 0 {
			s.Fresh = 1
		}
		for a := range min(choice.Actions, maxActions) {
			s.Slots[a] = b.slotOf(append(slices.Clip(path[:k]), choice.Column+a))
		}
		p.steps = append(p.steps, s)
	}
}

// slotOf gives a slot to the vector after a path, if there is one, and returns it.
func (b *programBuilder) slotOf(path []uint32) uint32 {
	for i := range b.passes {
		for k := range b.passes[i].vectors {
			if v := &b.passes[i].vectors[k]; v.Slot == boardwisegpu.None &&
				slices.Equal(b.passes[i].ends[k].Path, path) {
				v.Slot = b.slot()
				return v.Slot
			}
		}
	}
	return boardwisegpu.None
}

// pass returns the pass as kernels read it, or false if there is no room.
func (p *draft) pass() (to boardwisegpu.Pass, fits bool) {
	to.NumSteps, to.NumVectors, to.NumPath = uint32(len(p.steps)), uint32(len(p.vectors)), uint32(len(p.path))
	to.Own, to.Result = p.own, p.result
	fits = copy(to.Steps[:], p.steps) == len(p.steps) && copy(to.Vectors[:], p.vectors) == len(p.vectors) &&
		copy(to.Path[:], p.path) == len(p.path) && len(p.sources) <= maxActions
	for a, list := range p.sources[:min(len(p.sources), maxActions)] {
		to.NumSources[a] = uint32(len(list))
		fits = fits && copy(to.Sources[a][:], list) == len(list)
	}
	return to, fits
}
