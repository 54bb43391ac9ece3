package minimax

// bound says what a table's score is of the true one.
type bound uint8

const (
	none bound = iota
	exact
	atLeast
	atMost
)

// entry is what is known of a position at a depth.
type entry struct {
	key   uint64
	score Score
	depth int16
	best  uint16 // the index of the move that the score comes from
	bound bound
	open  bool // some score is one of the limit of the depth
}

// table keeps one entry a slot. The newest always stays, which depends on
// nothing but the search.
type table struct {
	slots []entry
	shift uint
}

func newTable(bits int) *table {
	return &table{make([]entry, 1<<bits), uint(64 - bits)}
}

// slot returns where a position at a depth has its entry. Depths have slots of
// their own, so that a shallow search does not wipe out what a deep one found.
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
