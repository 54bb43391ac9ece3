package brgpu

import (
	"fmt"
	"slices"
)

// maxPath is how many actions of an opponent in a betting round the kernels follow.
const maxPath = 8

// shortPath is the longest path that several operations of a pass may share.
const shortPath = 2

// sharedSums is how many sums by card a pass has in shared memory.
const sharedSums = 4

// ErrPath is the error for a game with more actions in a row than the kernels follow.
var ErrPath = fmt.Errorf("over %d actions of a player in a betting round", maxPath)

// The kinds of operations of the last round, as package bestresponse numbers them.
const (
	opFold = iota
	opShowdown
	opCall
	_ // there is no next round
	opJoin
)

const (
	modeNone = 3 // the kernel's mode of an operation that there is not
	noColumn = ^uint32(0)
)

// pass is some operations of the last round, all with the same slot, that the kernel does
// at once: a fold, a showdown and a call at most, in this order or with the call first. An
// operation's path is that of the pass, or one action longer.
type pass struct {
	path []uint32
	ops  []Op
}

// passes joins operations that follow each other, so that hands are gone through as seldom
// as possible.
func passes(ops []Op) (list []pass) {
	for _, o := range ops {
		if n := len(list); n > 0 && list[n-1].takes(o) {
			list[n-1].add(o)
			continue
		}
		list = append(list, pass{o.Path, []Op{o}})
	}
	return list
}

// takes reports whether there is room for one operation more.
func (p *pass) takes(o Op) bool {
	if o.Slot != p.ops[0].Slot || o.Kind == opJoin || p.ops[0].Kind == opJoin {
		return false
	}
	var kinds []uint32
	path := common(p.path, o.Path)
	for _, o := range append(slices.Clone(p.ops), o) {
		kinds = append(kinds, o.Kind)
		if len(o.Path) > len(path)+1 {
			return false
		}
	}
	if kinds[0] == opCall {
		kinds = append(kinds[1:], opCall)
	}
	ascending := slices.IsSorted(kinds) && len(slices.Compact(slices.Clone(kinds))) == len(kinds)
	return ascending && len(path) <= shortPath
}

func (p *pass) add(o Op) {
	p.path = common(p.path, o.Path)
	p.ops = append(p.ops, o)
}

// common returns the actions that two paths begin with.
func common(a, b []uint32) []uint32 {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// passesWords returns operations as the kernel's structs Pass.
func passesWords(ops []Op) (words []uint32) {
	list := passes(ops)
	for i := range list {
		words = append(words, list[i].words()...)
	}
	return words
}

// words returns a pass as the kernel's struct Pass.
func (p *pass) words() []uint32 {
	ends, callFirst := uint32(0), uint32(0)
	end := [3][]uint32{} // fold, showdown and call
	for i := range end {
		end[i] = []uint32{modeNone, 0, 0, noColumn}
	}
	for i, o := range p.ops {
		if o.Kind == opJoin {
			end[opFold] = []uint32{o.Mode, o.Arg, 0, noColumn}
			continue
		}
		column := noColumn
		if len(o.Path) > len(p.path) {
			column = o.Path[len(p.path)]
		}
		ends |= 1 << o.Kind
		end[o.Kind] = []uint32{o.Mode, o.Arg, o.Fold, column}
		if o.Kind == opCall && i == 0 {
			callFirst = 1
		}
	}
	path := make([]uint32, maxPath)
	copy(path, p.path)
	return slices.Concat([]uint32{ends, p.ops[0].Slot, callFirst, uint32(len(p.path))}, path, end[opFold],
		end[opShowdown], end[opCall])
}
