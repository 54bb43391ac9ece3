package game

import "math/bits"

// SetOf returns the set of strategies in a list, with a bit for each. They are below [MaxStrategies].
func SetOf(list []int) (set uint64) {
	for _, i := range list {
		if i >= MaxStrategies {
			panic("game: a set has no bit for a strategy of this number")
		}
		set |= 1 << i
	}
	return set
}

// AppendMembers appends the members of a set of strategies to a list, in ascending
// order.
func AppendMembers(list []int, set uint64) []int {
	for ; set != 0; set &= set - 1 {
		list = append(list, bits.TrailingZeros64(set))
	}
	return list
}
