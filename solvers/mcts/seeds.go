package mcts

import "math/bits"

// seeds keep, for moves that have no node yet, what the random games after them
// said of the moves that come next. A node that is added later begins with that.
// There is a fixed number of places, and a newer seed takes the place of an older
// one: what was seen long ago and not again is seldom missed.
type seeds struct {
	numMoves int
	owners   []uint32 // of places: 1 + the edge's place in the tree, 0 for none
	counts   []uint8  // of each move the share of games with it, in 255ths, then of each that of points won in those
}

// newSeeds returns room for seeds in about so many bytes.
func newSeeds(numMoves, bytes int) *seeds {
	places := 1 << (bits.Len(uint(bytes/(4+2*numMoves))|1) - 1)
	return &seeds{numMoves, make([]uint32, places), make([]uint8, 2*numMoves*places)}
}

// place returns where an edge's seed is, if it has one.
func (s *seeds) place(edge uint32) int {
	return int(edge * 0x9E3779B1 >> (32 - bits.Len(uint(len(s.owners)-1)))) // multiplicative hashing (Knuth)
}

// at returns the counts of a place.
func (s *seeds) at(place int) (visits, scores []uint8) {
	counts := s.counts[2*s.numMoves*place:][:2*s.numMoves]
	return counts[:s.numMoves], counts[s.numMoves:]
}

// keep keeps what n games from the position after an edge said.
func (s *seeds) keep(edge uint32, played, won []float32, n float32) {
	at := s.place(edge)
	s.owners[at] = edge + 1
	visits, scores := s.at(at)
	scale := 255 / n
	for m, x := range played[:len(visits)] {
		visits[m] = uint8(x*scale + 0.5)
	}
	for m, x := range won[:len(scores)] {
		scores[m] = uint8(x*scale + 0.5)
	}
}

// sow sets what an edge's seed says of the moves after it, for one game, and says
// whether there is a seed.
func (s *seeds) sow(edge uint32, played, won []float32) bool {
	at := s.place(edge)
	if s.owners[at] != edge+1 {
		return false
	}
	visits, scores := s.at(at)
	for m, x := range visits {
		played[m] = float32(x) / 255
	}
	for m, x := range scores {
		won[m] = float32(x) / 255
	}
	return true
}

// forget drops all: edges have new places.
func (s *seeds) forget() { clear(s.owners) }
