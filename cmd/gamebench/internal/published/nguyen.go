package published

// NguyenSizes are the numbers of strategies of each player for which Nguyen gives
// times.
var NguyenSizes = []int{10, 11, 12, 13, 14, 15, 16}

// NguyenProgram is a program in P. Nguyen, "Parallelization of support enumeration
// methods for computing Nash equilibria", Yale University, 2015, table 1: on an Intel
// Xeon E5-2650 (2 GHz) and on an NVIDIA Tesla M2090.
type NguyenProgram struct {
	Threads int // 0 for the GPU
	// Seconds are mean times for all equilibria of a game, by NguyenSizes.
	Seconds []float64
}

// Nguyen returns the programs, the one with a single thread first.
func Nguyen() []NguyenProgram {
	return read("nguyen.csv", func(row []string) NguyenProgram {
		p := NguyenProgram{Threads: integer(row[0])}
		for _, text := range row[1:] {
			p.Seconds = append(p.Seconds, float(text))
		}
		return p
	})
}
