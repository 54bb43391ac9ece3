package kmeans

import "slices"

// Set is vectors with weights.
type Set struct {
	Dim     int
	Values  []uint16 // the vectors, one after the other
	Weights []uint64 // weight of each vector, at least 1
}

// Add appends a vector.
func (s *Set) Add(x []uint16, weight uint64) {
	s.Values, s.Weights = append(s.Values, x...), append(s.Weights, weight)
}

// Len returns the number of vectors.
func (s *Set) Len() int { return len(s.Weights) }

// At returns a vector.
func (s *Set) At(i int) []uint16 { return s.Values[i*s.Dim:][:s.Dim] }

// join returns the distinct vectors in ascending order, with the sums of their weights.
func (s *Set) join() *Set {
	order := make([]int32, s.Len())
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return slices.Compare(s.At(int(a)), s.At(int(b))) })
	out := &Set{Dim: s.Dim}
	for _, i := range order {
		x := s.At(int(i))
		if n := out.Len(); n > 0 && slices.Equal(out.At(n-1), x) {
			out.Weights[n-1] += s.Weights[i]
			continue
		}
		out.Add(x, s.Weights[i])
	}
	return out
}
