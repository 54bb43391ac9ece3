package bimatrix

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
