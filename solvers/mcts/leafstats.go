package mcts

// seeds keep, for moves that have no node yet, what the random games after them
// said of the moves that come next. A node that is added later begins with that.
// There is a fixed number of places, and a newer seed takes that of the oldest:
// what was seen long ago and not again is seldom missed.
//
// Seeds have numbers, in the order in which they came. An edge that has one leads
// to seedBit and the lower bits of its number.
type seeds struct {
	numMoves, places int
	next             uint64  // number of the next
	counts           []uint8 // of each move the share of games with it, in 255ths, then of each that of points won in those
}

// seedBit tells seeds from nodes.
const seedBit = 1 << 31

// newSeeds returns room for seeds in about so many bytes, but for some at least.
// The number of moves is a multiple of lanes.
func newSeeds(numMoves, bytes, some int) *seeds {
	places := min(max(bytes/(2*numMoves), some), seedBit/2)
	return &seeds{numMoves: numMoves, places: places, counts: make([]uint8, 2*numMoves*places)}
}

// at returns the counts of a place.
func (s *seeds) at(number uint64) (visits, scores []uint8) {
	counts := s.counts[2*s.numMoves*int(number%uint64(s.places)):][:2*s.numMoves]
	return counts[:s.numMoves], counts[s.numMoves:]
}

// keep keeps what was taken in n games from the position after an edge, and returns
// what the edge leads to.
func (s *seeds) keep(number uint64, taken []uint32, n float32) uint32 {
	visits, scores := s.at(number)
	pack(visits, scores, taken, seedGames/n)
	return seedBit | uint32(number)
}

// seedGames is how many games a seed is of, as it is kept.
const seedGames = 255

// sow sets what a seed says was taken after its edge, in seedGames games, and says
// whether it is still there.
func (s *seeds) sow(child uint32, taken []uint32) bool {
	age := (uint32(s.next) - child) &^ seedBit // modulo its lower bits
	if child < seedBit || age == 0 || int(age) > s.places {
		return false
	}
	visits, scores := s.at(s.next - uint64(age))
	unpack(taken, visits, scores)
	return true
}
