package minimax

// A bound is the relation of an entry's score to the true one.
type bound uint8

const (
	none bound = iota
	exact
	lowerBound
	upperBound
)

// An entry is the score of a position at a depth.
type entry struct {
	key   uint64
	score Score
	depth int16
	best  uint16 // the index of the best move
	bound bound
	open  bool // some score depends on the depth limit
}

// A table has one entry per slot. The newest always stays, so that the content depends
// on the search only.
type table struct {
	slots []entry
	shift uint
}

func newTable(bits int) *table {
	return &table{make([]entry, 1<<bits), uint(64 - bits)}
}

// slot returns the slot of a position at a depth. Each depth has other slots, so that
// the result of a shallow search does not replace that of a deep one.
func (t *table) slot(key uint64, depth int16) *entry {
	const golden = 0x9e3779b97f4a7c15
	return &t.slots[(key^uint64(depth)<<58)*golden>>t.shift]
}

// find returns the entry of a position at a depth, or nil.
func (t *table) find(key uint64, depth int16) *entry {
	if e := t.slot(key, depth); e.bound != none && e.key == key && e.depth == depth {
		return e
	}
	return nil
}
