package published

// ReisPoints is the number of times that Reis gives for a program.
const ReisPoints = 10

// ReisProgram is a program on a game in M. Reis, "A GPU implementation of
// counterfactual regret minimization", Universidade do Porto, 2015, tables 3 to 18.
// The machine is not named there.
type ReisProgram struct {
	Game    string // "reis-a" to "reis-d"
	Name    string // "recursive", "iterative" or "GPU"
	Threads int    // 0 for the GPU
	KiB     float64
	Step    int // iterations between two times
	// Seconds are the times of Step iterations, of twice as many, and so on.
	Seconds [ReisPoints]float64
}

// Reis returns the programs in the order of their games.
func Reis() []ReisProgram {
	return read("reis.csv", func(row []string) ReisProgram {
		p := ReisProgram{Game: row[0], Name: row[1], Threads: integer(row[2]),
			KiB: float(row[3]), Step: integer(row[4])}
		for k := range p.Seconds {
			p.Seconds[k] = float(row[5+k])
		}
		return p
	})
}
