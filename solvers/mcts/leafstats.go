package mcts

// leafStats stores the AMAF counts of leaves, by which their nodes are initialised if
// they are expanded later. It has a fixed number of slots, and a new entry replaces the
// oldest: a leaf that was seen long ago and not again is seldom missed.
//
// Entries are numbered in the order of their leaves. An edge that leads to a leaf holds
// leafBit and the lower bits of the entry's number in place of a node.
type leafStats struct {
	width, slots int     // edges of a node; entries
	next         uint64  // number of the next entry
	counts       []uint8 // a slot has the share of playouts with each move, then the points won in those, in 255ths
}

// leafBit distinguishes leaves from nodes.
const leafBit = 1 << 31

// storedPlayouts is the number of playouts that stored counts are scaled to.
const storedPlayouts = 255

// newLeafStats allocates about some bytes, but at least minSlots slots, for nodes of a
// width that is a multiple of lanes.
func newLeafStats(width, bytes, minSlots int) *leafStats {
	slots := min(max(bytes/(2*width), minSlots), leafBit/2)
	return &leafStats{width: width, slots: slots, counts: make([]uint8, 2*width*slots)}
}

// slot returns the counts in the slot of an entry.
func (s *leafStats) slot(id uint64) (playouts, points []uint8) {
	counts := s.counts[2*s.width*int(id%uint64(s.slots)):][:2*s.width]
	return counts[:s.width], counts[s.width:]
}

// store stores the AMAF counts of n playouts from a leaf as an entry, and returns the
// value for the edge that leads to the leaf.
func (s *leafStats) store(id uint64, amaf []uint32, n float32) uint32 {
	playouts, points := s.slot(id)
	pack(playouts, points, amaf, storedPlayouts/n)
	return leafBit | uint32(id)
}

// load sets the AMAF counts of the leaf behind an edge, scaled to storedPlayouts
// playouts. It reports whether they are still stored.
func (s *leafStats) load(edge uint32, amaf []uint32) bool {
	age := (uint32(s.next) - edge) &^ leafBit // modulo the lower bits
	if edge < leafBit || age == 0 || int(age) > s.slots {
		return false
	}
	playouts, points := s.slot(s.next - uint64(age))
	unpack(amaf, playouts, points)
	return true
}
