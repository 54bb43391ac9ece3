package nimsolver

import "slices"

// Equal reports whether two tables have the same board, rules and bits.
func (t *Table) Equal(other *Table) bool {
	return t.rules == other.rules && t.board == other.board && t.total == other.total &&
		slices.Equal(t.lost, other.lost)
}
