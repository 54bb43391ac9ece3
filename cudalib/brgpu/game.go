package brgpu

import (
	"fmt"
	"slices"
)

// Game is what the kernels of boards.cu need of a game and of the strategy that
// is answered.
type Game struct {
	Hands    int
	Cards    [][2]uint8 // the positions of each hand's cards in the deck
	Deck     int        // cards
	TwoCards bool       // a hand
	// Rounds is how many rounds come before the last.
	Rounds int
	// Orders has the hands of each canonical board of the last round, in the order of
	// their ranks, RiverHands of them. An entry of a hand is its number (11 bits), the
	// positions of its two cards (6 bits each), in the first of the hands of a rank how many
	// there are (11 bits), and its bucket (30 bits).
	Orders     []uint64
	RiverHands int
	// Renamed has the number that each hand of a canonical board has on a river, by
	// renaming and hand.
	Renamed []uint32
	// Scale makes the mean of the last round's values of their sum over boards.
	Scale   float64
	Players [2]Player
}

// Player is what the kernels need to answer the strategy as one player.
type Player struct {
	// Tables are the opponent's probabilities in the rounds before the last, one table
	// after the other.
	Tables []float32
	Last   Round
	// Before is the round before the last, in games of three rounds and more. Otherwise
	// units are boards of the last round, and their values are those at its start.
	Before *Round
}

// Round is a betting round, see package bestresponse.
type Round struct {
	Width int // lanes
	Parts []Part
	// Reach has the factors of the opponent's reach at the start of the round, by lane.
	Reach [][]Factor
}

// Part is a part of a round.
type Part struct {
	First, Width, Columns, Slots int // First is its first lane
	Table, Pays                  []float32
	Ops                          []Op
	Next                         []uint32 // lane of the next round by deal and lane, see segmentgpu.Part
}

// slots returns how many vectors of values an evaluation of the round keeps.
func (r *Round) slots() (slots int) {
	for i := range r.Parts {
		slots = max(slots, r.Parts[i].Slots)
	}
	return slots
}

// Op is an operation. Its kind and mode are those of the kernel's enumerations.
type Op struct {
	Kind, Mode, Slot, Arg, Fold uint32
	// Way and Path are how the opponent comes there: its reach starts Way times the part's width behind the
	// part's lanes.
	Way  uint32
	Path []uint32
}

// Factor is a probability: Index is its place in Player.Tables for bucket 0 of the round,
// Stride the distance to the next bucket's.
type Factor struct{ Round, Index, Stride uint32 }

// Unit is a board, with those of the last round after it.
type Unit struct {
	Count   uint32     // how many boards it stands for
	Buckets [][]uint32 // buckets by round before the last, and hand
	Hands   []uint32
	Classes [][]int32 // hands that are joined
	// Rivers are boards of the last round: the number of a canonical board, of the renaming of the
	// suits that turns its hands into those of the river, and of the boards that it stands for.
	Rivers [][3]uint32
}

// maxPath is how many actions of an opponent in a betting round the kernels follow.
const maxPath = 8

const (
	passSums = 2  // sums by card that a pass has in shared memory
	stashed  = 16 // hands of a rank whose reach at the ends of a pass is there, too
)

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
// at once: a fold and a showdown, or one operation. An operation's path is that of the pass, or one
// action longer. Join, if not nil, joins the slot that is complete with another one afterwards; there may be
// no operation before that.
type pass struct {
	path []uint32
	ops  []Op
	join *Op
}

// passes joins operations that follow each other, so that hands are gone through as seldom
// as possible.
func passes(ops []Op) (list []pass) {
	for _, o := range ops {
		n := len(list)
		switch {
		case o.Kind == opJoin:
			if list[n-1].join != nil { // what that has completed
				list = append(list, pass{})
				n++
			}
			list[n-1].join = &o
		case n > 0 && list[n-1].takes(o):
			list[n-1].add(o)
		default:
			list = append(list, pass{path: o.Path, ops: []Op{o}})
		}
	}
	return list
}

// takes reports whether there is room for one operation more: a showdown after a fold.
func (p *pass) takes(o Op) bool {
	if p.join != nil || len(p.ops) != 1 {
		return false
	}
	first := &p.ops[0]
	if first.Kind != opFold || o.Kind != opShowdown || first.Slot != o.Slot || first.Way != o.Way {
		return false
	}
	n := len(common(p.path, o.Path))
	return len(p.path) <= n+1 && len(o.Path) <= n+1
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
	end := [2][]uint32{{modeNone, 0, 0, noColumn}, {modeNone, 0, 0, noColumn}} // a fold, and a showdown or a call
	ends, slot, to, toMode, way := uint32(0), uint32(0), uint32(0), uint32(modeNone), uint32(0)
	for _, o := range p.ops {
		column := noColumn
		if len(o.Path) > len(p.path) {
			column = o.Path[len(p.path)]
		}
		ends, slot, way = ends|1<<o.Kind, o.Slot, o.Way
		end[min(o.Kind, 1)] = []uint32{o.Mode, o.Arg, o.Fold, column}
	}
	if p.join != nil {
		slot, to, toMode = p.join.Arg, p.join.Slot, p.join.Mode
	}
	path := make([]uint32, maxPath+2)
	copy(path, p.path)
	return slices.Concat([]uint32{ends, slot, to, toMode, way, uint32(len(p.path))}, path, end[0], end[1])
}
