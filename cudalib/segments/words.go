package segments

import "slices"

// Padded returns a path with the room that kernels have for one, and its length.
func Padded(path []uint32) (padded [MaxPath]uint32, length uint32) {
	length = uint32(copy(padded[:], path))
	return padded, length
}

// Sums returns what the values of the actions are sums of, by column, and then that of the
// segment.
func (p *Program) Sums() [][]uint32 { return append(slices.Clip(p.Columns), p.Root) }

// EndWords returns the ends as the kernels' struct End.
func (p *Program) EndWords() (words []uint32) {
	for _, e := range p.Ends {
		path, length := Padded(e.Path)
		words = append(append(append(words, length), path[:]...), e.Fold, e.Showdown)
	}
	return words
}

// DecisionWords returns the decisions as the kernels' struct Decision.
func (p *Program) DecisionWords() (words []uint32) {
	for _, d := range p.Decisions {
		path, length := Padded(d.Path)
		words = append(append(words, d.Column, d.Actions, length), path[:]...)
	}
	return words
}
