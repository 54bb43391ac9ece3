package snake

// A playout is one loop: read the neighbours of the head (the six in the lowest
// dimensions are in the head's word, the others at the same bit of other words); block all
// of them, as the head is about to move on; draw one that was free. There is a copy of the
// loop for each number of words, because indices with constant masks need no bounds checks,
// which doubles the speed.

// choices has an entry for each set of moves in the lowest dimensions: the moves in ascending
// order, four bits each, and in the highest four bits their number.
var choices = func() (table [1 << tableDimensions]uint64) {
	for set := range table {
		n := 0
		for m := range tableDimensions {
			if set>>m&1 != 0 {
				table[set] |= uint64(m) << (4 * n)
				n++
			}
		}
		table[set] |= uint64(n) << 60
	}
	return table
}()

const tableDimensions = 11

// near has the neighbours of a vertex in the six lowest dimensions.
var near = func() (table [64]uint64) {
	for v := range table {
		for i := range 6 {
			table[v] |= 1 << (v ^ 1<<i)
		}
	}
	return table
}()

// lowest returns the bits of the neighbours in the six lowest dimensions, in the order of the
// dimensions.
func lowest(word uint64, v uint32) uint32 {
	return uint32(word>>((v^1)&63)&1 | word>>((v^2)&63)&1<<1 | word>>((v^4)&63)&1<<2 |
		word>>((v^8)&63)&1<<3 | word>>((v^16)&63)&1<<4 | word>>((v^32)&63)&1<<5)
}

// Playout plays to the end and appends its moves. Only the score of the board is valid then.
func (b *Board) Playout(s *Stream, played []Move) []Move {
	before := len(played)
	switch {
	case b.dimension <= 8:
		played = b.playout8(s, played)
	case b.dimension == 9:
		played = b.playout9(s, played)
	case b.dimension == 10:
		played = b.playout10(s, played)
	case b.dimension == 11:
		played = b.playout11(s, played)
	default:
		return b.playoutByMoves(s, played)
	}
	b.length += len(played) - before
	return played
}

// playoutByMoves is for dimensions without a loop of their own.
func (b *Board) playoutByMoves(s *Stream, played []Move) []Move {
	for {
		var moves [MaxDimension]Move
		legal := b.AppendMoves(moves[:0])
		if len(legal) == 0 {
			return played
		}
		m := legal[s.Below(len(legal))]
		b.Play(m)
		played = append(played, m)
	}
}

// draw draws a move of an entry of choices.
func draw(s *Stream, entry uint64) Move {
	return Move(entry >> (uint64(s.Uint32()) * (entry >> 60) >> 32 * 4 & 63) & 15)
}

func (b *Board) playout8(s *Stream, played []Move) []Move {
	p, v, allowed, full := (*[4]uint64)(b.blocked), b.head, b.allowed, uint32(1<<b.dimension-1)
	stream := *s
	for {
		w, index := v>>6&3, v&63
		word, word6, word7 := p[w], p[w^1], p[w^2]
		blocked := lowest(word, v) | uint32(word6>>index&1<<6|word7>>index&1<<7)
		bit := uint64(1) << index
		p[w], p[w^1], p[w^2] = word|near[index], word6|bit, word7|bit
		entry := choices[allowed&^blocked&(1<<8-1)]
		if entry == 0 {
			*s = stream
			return played
		}
		m := draw(&stream, entry)
		played = append(played, m)
		v ^= 1 << m
		allowed |= 2 << m & full
	}
}

func (b *Board) playout9(s *Stream, played []Move) []Move {
	p, v, allowed := (*[8]uint64)(b.blocked), b.head, b.allowed
	stream := *s
	for {
		w, index := v>>6&7, v&63
		word, word6, word7, word8 := p[w], p[w^1], p[w^2], p[w^4]
		blocked := lowest(word, v) | uint32(word6>>index&1<<6|word7>>index&1<<7|word8>>index&1<<8)
		bit := uint64(1) << index
		p[w], p[w^1], p[w^2], p[w^4] = word|near[index], word6|bit, word7|bit, word8|bit
		entry := choices[allowed&^blocked&(1<<9-1)]
		if entry == 0 {
			*s = stream
			return played
		}
		m := draw(&stream, entry)
		played = append(played, m)
		v ^= 1 << m
		allowed |= 2 << m & (1<<9 - 1)
	}
}

func (b *Board) playout10(s *Stream, played []Move) []Move {
	p, v, allowed := (*[16]uint64)(b.blocked), b.head, b.allowed
	stream := *s
	for {
		w, index := v>>6&15, v&63
		word, word6, word7, word8, word9 := p[w], p[w^1], p[w^2], p[w^4], p[w^8]
		blocked := lowest(word, v) | uint32(word6>>index&1<<6|word7>>index&1<<7|word8>>index&1<<8|word9>>index&1<<9)
		bit := uint64(1) << index
		p[w], p[w^1], p[w^2], p[w^4], p[w^8] = word|near[index], word6|bit, word7|bit, word8|bit, word9|bit
		entry := choices[allowed&^blocked&(1<<10-1)]
		if entry == 0 {
			*s = stream
			return played
		}
		m := draw(&stream, entry)
		played = append(played, m)
		v ^= 1 << m
		allowed |= 2 << m & (1<<10 - 1)
	}
}

func (b *Board) playout11(s *Stream, played []Move) []Move {
	p, v, allowed := (*[32]uint64)(b.blocked), b.head, b.allowed
	stream := *s
	for {
		w, index := v>>6&31, v&63
		word, word6, word7, word8, word9, word10 := p[w], p[w^1], p[w^2], p[w^4], p[w^8], p[w^16]
		blocked := lowest(word, v) |
			uint32(word6>>index&1<<6|word7>>index&1<<7|word8>>index&1<<8|word9>>index&1<<9|word10>>index&1<<10)
		bit := uint64(1) << index
		p[w], p[w^1], p[w^2] = word|near[index], word6|bit, word7|bit
		p[w^4], p[w^8], p[w^16] = word8|bit, word9|bit, word10|bit
		entry := choices[allowed&^blocked&(1<<11-1)]
		if entry == 0 {
			*s = stream
			return played
		}
		m := draw(&stream, entry)
		played = append(played, m)
		v ^= 1 << m
		allowed |= 2 << m & (1<<11 - 1)
	}
}
