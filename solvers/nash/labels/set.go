package labels

// A Set has a bit for each label: those of rows, then those of columns.
type Set [2]uint64

// Has reports whether a label is in the set.
func (s Set) Has(label uint8) bool { return s[label>>6]>>(label&63)&1 != 0 }

// Add adds a label.
func (s *Set) Add(label uint8) { s[label>>6] |= 1 << (label & 63) }

// Remove removes a label.
func (s *Set) Remove(label uint8) { s[label>>6] &^= 1 << (label & 63) }

// Toggle adds a label, or removes it if it is in the set.
func (s *Set) Toggle(label uint8) { s[label>>6] ^= 1 << (label & 63) }

// slice returns the n bits from bit from on.
func (s Set) slice(from, n int) uint64 {
	x := s[from>>6] >> (from & 63)
	if from&63 != 0 && from>>6 == 0 {
		x |= s[1] << (64 - from&63)
	}
	return x & (^uint64(0) >> (64 - n))
}

// A decision gives a label to a side.
type decision uint8

const decisionQ decision = 0x80

func (d decision) label() uint8 { return uint8(d &^ decisionQ) }
func (d decision) side() int    { return int(d >> 7) }
