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
}

// Kind returns "snake" or "coil".
func (r Rules) Kind() string {
	if r.Coil {
		return "coil"
	}
	return "snake"
}

// checkDimension returns an error if a dimension is out of range.
func checkDimension(dimension int) error {
	if dimension < MinDimension || dimension > MaxDimension {
		return fmt.Errorf("dimension %d is not one of %d to %d", dimension, MinDimension, MaxDimension)
	}
	return nil
}
