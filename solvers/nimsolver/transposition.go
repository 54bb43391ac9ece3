package nimsolver

import "unsafe"

// sizesKey returns the number of heaps of each size, four bits a size, so that the
// order of heaps does not matter. Sixteen heaps of a size overflow into the next;
// only a root position has them, and that is never looked up.
func sizesKey(heaps uint64) (key uint64) {
	for ; heaps != 0; heaps >>= 4 {
		key = moveKey(key, 0, uint8(-(heaps & 15)))
	}
	return key
}

// moveKey returns the key after sticks are taken from a heap.
func moveKey(key uint64, size, take uint8) uint64 {
	return key - sizeUnit[size&15] + sizeUnit[(size-take)&15]
}

// sizeUnit has the key of a heap of each size. A position's key is their sum.
var sizeUnit = func() (unit [16]uint64) {
	for size := 1; size < len(unit); size++ {
		unit[size] = 1 << (4 * (size - 1))
	}
	return unit
}()

// TableBits returns a good size of Search's transposition table for a depth: large
// enough to lose little, and quick to allocate.
func TableBits(depth int) int { return min(max(12+depth, 16), 24) }

// SearchBytes returns the size of Search's transposition table in bytes.
func SearchBytes(bits int) int64 { return int64(unsafe.Sizeof(entry{})) << bits }

// transpositions is a table of values, in which the newest entry always stays.
type transpositions struct {
	slots []entry
	shift uint
}

type entry struct {
	key   uint64
	depth uint8 // 0: empty
	low   int8  // bounds of the value
	high  int8
}

func newTranspositions(bits int) *transpositions {
	return &transpositions{make([]entry, 1<<bits), uint(64 - bits)}
}

func (t *transpositions) slot(key uint64, depth int) *entry {
	const golden, other = 0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9
	return &t.slots[(key^uint64(depth)*other)*golden>>t.shift]
}

// find returns a value that is as good as the true one for a window.
func (t *transpositions) find(key uint64, depth int, alpha, beta int8) (int8, bool) {
	e := t.slot(key, depth)
	if e.key != key || int(e.depth) != depth {
		return 0, false
	}
	switch {
	case e.low >= beta || e.low == e.high:
		return e.low, true
	case e.high <= alpha:
		return e.high, true
	}
	return 0, false
}

// put stores the result of the search of a position.
func (t *transpositions) put(f *frame, depth int) {
	e := entry{f.key, uint8(depth), f.best, f.best}
	switch {
	case f.best <= f.floor:
		e.low = -infinite
	case f.best >= f.beta:
		e.high = infinite
	}
	*t.slot(f.key, depth) = e
}
