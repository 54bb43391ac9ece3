package buckets

import "math"

// numbers is an array of numbers up to a largest one, in as few bytes as that allows.
type numbers struct {
	narrow []uint8
	medium []uint16
	wide   []uint32
}

// numberBytes returns the bytes that a number up to a largest one takes.
func numberBytes(largest uint32) int {
	switch {
	case largest <= math.MaxUint8:
		return 1
	case largest <= math.MaxUint16:
		return 2
	}
	return 4
}

func newNumbers(n int, largest uint32) *numbers {
	x := &numbers{}
	switch numberBytes(largest) {
	case 1:
		x.narrow = make([]uint8, n)
	case 2:
		x.medium = make([]uint16, n)
	default:
		x.wide = make([]uint32, n)
	}
	return x
}

func (x *numbers) at(i int) uint32 {
	switch {
	case x.narrow != nil:
		return uint32(x.narrow[i])
	case x.medium != nil:
		return uint32(x.medium[i])
	}
	return x.wide[i]
}

func (x *numbers) set(i int, v uint32) {
	switch {
	case x.narrow != nil:
		x.narrow[i] = uint8(v)
	case x.medium != nil:
		x.medium[i] = uint16(v)
	default:
		x.wide[i] = v
	}
}
