package snake

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

// Fault is the first edge that keeps a sequence from being a snake or a coil.
type Fault struct {
	Edge   int    // from 1
	Vertex uint32 // vertex that the edge leads to
	Reason string
}

func (f *Fault) Error() string {
	return fmt.Sprintf("edge %d leads to vertex %d, which %s", f.Edge, f.Vertex, f.Reason)
}

// Check returns nil if a sequence is a snake, or a coil, in the cube of the rules, and
// otherwise a [*Fault]. It shares no code with the searches whose results it verifies.
func Check(r Rules, s Sequence) error {
	if err := checkDimension(r.Dimension); err != nil {
		return err
	}
	return check(r, s)
}

func check(r Rules, s Sequence) error {
	at := map[uint32]int{0: 0} // number of edges before each vertex
	v := uint32(0)
	for i, m := range s {
		edge := i + 1
		if int(m) >= r.Dimension {
			return &Fault{edge, v ^ 1<<m, fmt.Sprintf("is outside of the cube of dimension %d", r.Dimension)}
		}
		v ^= 1 << m
		last := edge == len(s)
		if earlier, ok := at[v]; ok {
			if r.Coil && last && v == 0 && len(s) >= 4 {
				return nil
			}
			return &Fault{edge, v, fmt.Sprintf("is on the path already, after edge %d", earlier)}
		}
		for dimension := range r.Dimension {
			earlier, ok := at[v^1<<dimension]
			switch {
			case !ok || earlier == edge-1:
			case r.Coil && earlier == 0 && edge == len(s)-1:
			default:
				return &Fault{edge, v,
					fmt.Sprintf("touches the path at vertex %d, after edge %d", v^1<<dimension, earlier)}
			}
		}
		at[v] = edge
	}
	if r.Coil {
		return &Fault{len(s), v, "is not vertex 0, where a coil ends"}
	}
	return nil
}
