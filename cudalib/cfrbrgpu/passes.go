package cfrbrgpu

import (
	"slices"

	"gamebots/cudalib/pcsgpu"
)

// The kinds of ends: what the opponent does before them.
const (
	fold  = iota
	raise // and the player folds or calls
	call  // or check
	kinds
)

// pass has the layout of the kernels' struct Pass.
type pass struct {
	length                                  uint32
	path                                    [pcsgpu.MaxPath]uint32
	column, bits, choices, folds, showdowns [kinds]uint32
}

// passesOf puts ends into passes: those that follow a decision of the opponent, of whose decisions
// in the round a list is given.
func passesOf(ends []pcsgpu.End, opponent []pcsgpu.Decision) (passes []pass) {
	for _, e := range ends {
		kind := raise
		if e.Fold == pcsgpu.None {
			kind = call
		} else if e.Showdown == pcsgpu.None {
			kind = fold
		}
		before, column := e.Path[:e.Length], pcsgpu.None
		if e.Length > 0 {
			before, column = e.Path[:e.Length-1], e.Path[e.Length-1]
		}
		i := slices.IndexFunc(passes, func(p pass) bool {
			return slices.Equal(p.path[:p.length], before) && column != pcsgpu.None && p.folds[kind] == pcsgpu.None && p.showdowns[kind] == pcsgpu.None
		})
		if i < 0 {
			i = len(passes)
			passes = append(passes, newPass(before))
		}
		p := &passes[i]
		p.column[kind], p.folds[kind], p.showdowns[kind] = column, e.Fold, e.Showdown
		p.bits[kind], p.choices[kind] = choicesOf(e.Path[:e.Length], opponent)
	}
	return passes
}

// newPass returns a pass without ends.
func newPass(path []uint32) (p pass) {
	p.length = uint32(copy(p.path[:], path))
	for kind := range kinds {
		p.column[kind], p.folds[kind], p.showdowns[kind] = pcsgpu.None, pcsgpu.None, pcsgpu.None
	}
	return p
}

// choicesOf returns the choices of a player that plays a path, and their bits: two for each
// decision.
func choicesOf(path []uint32, decisions []pcsgpu.Decision) (bits, choices uint32) {
	for _, column := range path {
		for i, d := range decisions {
			if action := column - d.Column; column >= d.Column && action < d.Actions {
				bits |= 3 << (2 * i)
				choices |= action << (2 * i)
			}
		}
	}
	return bits, choices
}
