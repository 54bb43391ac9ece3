package nimsolver

// tableKey counts the heaps of each size, four bits a size, so that it is the
// same for heaps in any order. Sixteen heaps of a size are taken for one of the
// next; only a first position has them, and that is never looked up.
func tableKey(heaps uint64) (key uint64) {
	for ; heaps != 0; heaps >>= 4 {
		key = moveKey(key, 0, uint8(-(heaps & 15)))
	}
	return key
}

// moveKey returns the key after sticks are taken from a heap.
func moveKey(key uint64, size, take uint8) uint64 { return key - unit[size&15] + unit[(size-take)&15] }

// unit is what a heap of each size adds to a key.
var unit = func() (unit [16]uint64) {
	for size := 1; size < len(unit); size++ {
		unit[size] = 1 << (4 * (size - 1))
	}
	return unit
}()

// TableBits is how large a table Search does well with at a depth: it forgets
// little, and takes no time to be made.
func TableBits(depth int) int { return min(max(12+depth, 16), 24) }

// table remembers values. The newest always stays, which depends on nothing but
// the search.
type table struct {
	slots []entry
	shift uint
}

type entry struct {
	key   uint64
	depth uint8 // 0: empty
	low   int8  // the value is from here
	high  int8  // to here
}

func newTable(bits int) *table { return &table{make([]entry, 1<<bits), uint(64 - bits)} }

func (t *table) slot(key uint64, depth int) *entry {
	const golden, other = 0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9
	return &t.slots[(key^uint64(depth)*other)*golden>>t.shift]
}

// find returns a value that is as good as the true one for a window.
func (t *table) find(key uint64, depth int, alpha, beta int8) (int8, bool) {
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

// put remembers what a search of a position has found.
func (t *table) put(f *frame, depth int) {
	e := entry{f.key, uint8(depth), f.best, f.best}
	switch {
	case f.best <= f.floor:
		e.low = -infinite
	case f.best >= f.beta:
		e.high = infinite
	}
	*t.slot(f.key, depth) = e
}
