package snake

import (
	"fmt"
	"strings"
)

// Sequence is the dimensions of the edges of a path from vertex 0.
type Sequence []uint8

const digits = "0123456789abcdefghijklmnopqrstuvwxyz"

// String returns a base-36 digit per edge.
func (s Sequence) String() string {
	var b strings.Builder
	for _, m := range s {
		b.WriteByte(digits[m])
	}
	return b.String()
}

// ParseSequence parses the text of String.
func ParseSequence(text string) (Sequence, error) {
	s := make(Sequence, 0, len(text))
	for i, c := range text {
		m := strings.IndexRune(digits, c)
		if m < 0 {
			return nil, fmt.Errorf("edge %d: %q is not a digit of 0 to 9 and a to z", i+1, c)
		}
		s = append(s, uint8(m))
	}
	return s, nil
}
