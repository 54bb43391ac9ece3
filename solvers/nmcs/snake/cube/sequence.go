package cube

import (
	"fmt"
	"strings"

	"gamebots/solvers/nmcs"
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

// Sequence returns a prime, followed by moves, as a sequence. A closed coil gets the edge
// back to vertex 0.
func (r Rules) Sequence(prime Sequence, moves []nmcs.Move) Sequence {
	s := append(Sequence{}, prime...)
	for _, m := range moves {
		s = append(s, uint8(m))
	}
	if r.Coil {
		head := uint32(0)
		for _, m := range s {
			head ^= 1 << m
		}
		if head != 0 && head&(head-1) == 0 && len(s) > 2 {
			for i := uint8(0); ; i++ {
				if head>>i == 1 {
					return append(s, i)
				}
			}
		}
	}
	return s
}
