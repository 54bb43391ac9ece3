package cube

import "fmt"

// The range of dimensions.
const (
	MinDimension = 3
	MaxDimension = 16
)

// Rules are the cube and the kind of path.
type Rules struct {
	Dimension int
	Coil      bool // a cycle, rather than a path
	Free      bool // moves need not be canonical
}

// Check returns an error if the dimension is out of range.
func (r Rules) Check() error {
	if r.Dimension < MinDimension || r.Dimension > MaxDimension {
		return fmt.Errorf("dimension %d is not one of %d to %d", r.Dimension, MinDimension, MaxDimension)
	}
	return nil
}

// Kind returns "snake" or "coil".
func (r Rules) Kind() string {
	if r.Coil {
		return "coil"
	}
	return "snake"
}

// Vertices returns the number of vertices.
func (r Rules) Vertices() int { return 1 << r.Dimension }

// Words returns the number of 64-bit words of a set of vertices. It is at least four, the
// least that playouts are written for.
func (r Rules) Words() int { return max(4, r.Vertices()/64) }

// Allowed returns the dimensions that a path may use next after it has used the first used ones, as
// bits.
func (r Rules) Allowed(used int) uint32 {
	if r.Free {
		used = r.Dimension
	}
	return 1<<min(used+1, r.Dimension) - 1
}
