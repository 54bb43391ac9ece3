package pcsgpu

import "slices"

// The kinds of ends: what the opponent does before them.
const (
	fold  = iota
	raise // and the player folds or calls
	call  // or check
	kinds
)

// Pass has the layout of the struct Pass of kernels/ends.cuh: ends that are valued at once.
type Pass struct {
	Length                                  uint32
	Path                                    [MaxPath]uint32
	Column, Bits, Choices, Folds, Showdowns [kinds]uint32
}

// SumBytes is the shared memory for the sums of a card in a lane, in a block that values a pass.
const SumBytes = 16

// PassesOf puts ends into passes: those that follow a decision of the opponent, of whose decisions
// in the round a list is given.
func PassesOf(ends []End, opponent []Decision) (passes []Pass) {
	for _, e := range ends {
		kind := raise
		if e.Fold == None {
			kind = call
		} else if e.Showdown == None {
			kind = fold
		}
		before, column := e.Path[:e.Length], None
		if e.Length > 0 {
			before, column = e.Path[:e.Length-1], e.Path[e.Length-1]
		}
		has := func(p *Pass, kind int) bool { return p.Folds[kind] != None || p.Showdowns[kind] != None }
		i := slices.IndexFunc(passes, func(p Pass) bool {
			return slices.Equal(p.Path[:p.Length], before) && column != None && (!has(&p, kind) || kind == fold && !has(&p, raise))
		})
		if i < 0 {
			i = len(passes)
			passes = append(passes, newPass(before))
		}
		p := &passes[i]
		if has(p, kind) {
			kind = raise // a second fold
		}
		p.Column[kind], p.Folds[kind], p.Showdowns[kind] = column, e.Fold, e.Showdown
		p.Bits[kind], p.Choices[kind] = choicesOf(e.Path[:e.Length], opponent)
	}
	return passes
}

// newPass returns a pass without ends.
func newPass(path []uint32) (p Pass) {
	p.Length = uint32(copy(p.Path[:], path))
	for kind := range kinds {
		p.Column[kind], p.Folds[kind], p.Showdowns[kind] = None, None, None
	}
	return p
}

// choicesOf returns the choices of a player that plays a path, and their bits: two for each
// decision.
func choicesOf(path []uint32, decisions []Decision) (bits, choices uint32) {
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
