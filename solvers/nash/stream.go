package nash

// A stream is the generator splitmix64 (Steele, Lea, Flood 2014).
type stream struct{ state uint64 }

func newStream(seed uint64) *stream { return &stream{seed} }

func (s *stream) next() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := s.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// float returns a number from 0 up to 1.
func (s *stream) float() float64 { return float64(s.next()>>11) / (1 << 53) }

// between returns a whole number from lo to hi.
func (s *stream) between(lo, hi int64) int64 { return lo + int64(s.next()%uint64(hi-lo+1)) }
