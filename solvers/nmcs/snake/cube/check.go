package cube

import "fmt"

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
