package brgpu

import (
	"fmt"
	"slices"
)

// What the kernels have room for.
const (
	maxPath   = 8 // actions of an opponent in a betting round
	maxEnds   = 3 // of a pass
	maxShared = 2 // actions of the path of several ends
	passWords = 32
)

// ErrPath is the error for a game with more actions in a row than the kernels follow.
var ErrPath = fmt.Errorf("over %d actions of a player in a betting round", maxPath)

// The kinds of operations that passes treat differently.
const (
	opCall = 2
	opJoin = 4
)

// pass is some operations of the last round, all with the same slot, that the kernel does
// at once. An operation's path is that of the pass, or one action longer.
type pass struct {
	path []uint32
	ends []Op
}

// passes joins operations that follow each other, so that hands are gone through as seldom
// as possible.
func passes(ops []Op) (list []pass, err error) {
	for _, o := range ops {
		if len(o.Path) > maxPath {
			return nil, ErrPath
		}
		if n := len(list); n > 0 {
			if joined, ok := list[n-1].with(o); ok {
				list[n-1] = joined
				continue
			}
		}
		list = append(list, pass{o.Path, []Op{o}})
	}
	return list, nil
}

// with returns a pass with one operation more, if there is room for it.
func (p pass) with(o Op) (pass, bool) {
	first := &p.ends[0]
	ends := append(slices.Clone(p.ends), o)
	if len(ends) > maxEnds || o.Slot != first.Slot || o.Kind == opJoin || first.Kind == opJoin {
		return p, false
	}
	path, calls := o.Path, 0
	for i := range ends {
		if ends[i].Kind == opCall {
			calls++
		}
		same := 0
		for same < min(len(path), len(ends[i].Path)) && path[same] == ends[i].Path[same] {
			same++
		}
		path = path[:same]
	}
	for i := range ends {
		if len(ends[i].Path) > len(path)+1 {
			return p, false
		}
	}
	return pass{path, ends}, calls <= 1 && len(path) <= maxShared
}

// words returns a pass for the kernel.
func (p pass) words() []uint32 {
	words := make([]uint32, 3, passWords)
	copy(words, []uint32{uint32(len(p.ends)), p.ends[0].Slot, uint32(len(p.path))})
	words = append(append(words, p.path...), make([]uint32, maxPath-len(p.path))...)
	for _, o := range p.ends {
		column := ^uint32(0)
		if len(o.Path) > len(p.path) {
			column = o.Path[len(p.path)]
		}
		words = append(words, o.Kind, o.Mode, o.Arg, o.Fold, column)
	}
	return append(words, make([]uint32, passWords-len(words))...)
}
