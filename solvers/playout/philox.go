package playout

// stream identifies the random numbers of one playout. They are those of the
// counter-based generator Philox4x32-10 (J. K. Salmon et al., Parallel random numbers: as
// easy as 1, 2, 3, SC 2011): playouts share no state, and a GPU computes the same numbers
// with 32-bit multiplications.
type stream struct {
	seed    uint64
	move    uint32
	playout uint64
}

// words returns the two words of a block of the stream.
func (s *stream) words(block uint32) (uint64, uint64) {
	a, b, c, d := philox(block, uint32(s.playout), uint32(s.playout>>32), s.move, uint32(s.seed), uint32(s.seed>>32))
	return uint64(b)<<32 | uint64(a), uint64(d)<<32 | uint64(c)
}

// philox returns Philox4x32-10 of a counter under a key.
func philox(a, b, c, d, key0, key1 uint32) (uint32, uint32, uint32, uint32) {
	for range 10 {
		x, y := uint64(a)*0xD2511F53, uint64(c)*0xCD9E8D57
		a, b, c, d = uint32(y>>32)^b^key0, uint32(y), uint32(x>>32)^d^key1, uint32(x)
		key0 += 0x9E3779B9
		key1 += 0xBB67AE85
	}
	return a, b, c, d
}
