package bench

import (
	"embed"
	"encoding/csv"
	"fmt"
	"strconv"
)

// Figures of the publications whose programs this module implements, as they print them: data to set beside
// measurements. Each table is a CSV file, whose first line names the columns, and has a type for its rows.
//
//go:embed published
var published embed.FS

// table returns the rows of a file without the line that names the columns. It
// panics if the file is malformed, as the files are part of the program.
func table(name string) [][]string {
	file, err := published.Open("published/" + name)
	if err != nil {
		panic(err)
	}
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		panic(fmt.Errorf("%s: %w", name, err))
	}
	return rows[1:]
}

// readTable returns the rows of a file by a function for one of them.
func readTable[T any](name string, of func(row []string) T) (all []T) {
	for _, row := range table(name) {
		all = append(all, of(row))
	}
	return all
}

// integer and float read a number from a table.
func integer(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

func float(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return x
}

// nguyenSizes are the numbers of strategies of each player for which Nguyen gives
// times.
var nguyenSizes = []int{10, 11, 12, 13, 14, 15, 16}

// nguyenProgram is a program in P. Nguyen, "Parallelization of support enumeration
// methods for computing Nash equilibria", Yale University, 2015, table 1: on an Intel
// Xeon E5-2650 (2 GHz) and on an NVIDIA Tesla M2090.
type nguyenProgram struct {
	Threads int // 0 for the GPU
	// Seconds are mean times for all equilibria of a game, by nguyenSizes.
	Seconds []float64
}

// nguyenPrograms returns the programs, the one with a single thread first.
func nguyenPrograms() []nguyenProgram {
	return readTable("nguyen.csv", func(row []string) nguyenProgram {
		p := nguyenProgram{Threads: integer(row[0])}
		for _, text := range row[1:] {
			p.Seconds = append(p.Seconds, float(text))
		}
		return p
	})
}

// reisPoints is the number of times that Reis gives for a program.
const reisPoints = 10

// reisProgram is a program on a game in M. Reis, "A GPU implementation of
// counterfactual regret minimization", Universidade do Porto, 2015, tables 3 to 18.
// The machine is not named there.
type reisProgram struct {
	Game    string // "reis-a" to "reis-d"
	Name    string // "recursive", "iterative" or "GPU"
	Threads int    // 0 for the GPU
	KiB     float64
	Step    int // iterations between two times
	// Seconds are the times of Step iterations, of twice as many, and so on.
	Seconds [reisPoints]float64
}

// reisPrograms returns the programs in the order of their games.
func reisPrograms() []reisProgram {
	return readTable("reis.csv", func(row []string) reisProgram {
		p := reisProgram{Game: row[0], Name: row[1], Threads: integer(row[2]),
			KiB: float(row[3]), Step: integer(row[4])}
		for k := range p.Seconds {
			p.Seconds[k] = float(row[5+k])
		}
		return p
	})
}

// buzerGain returns the speed of the GPU, of that of one core of the CPU, of a level and a dimension in L. Buzer and
// T. Cazenave, "GPU for Monte Carlo Search", LION 2023, table 6, and whether the paper has it. They measured on a
// GeForce GTX 3080 and a Ryzen 9 3900X.
func buzerGain(level, dimension int) (gain float64, ok bool) {
	for _, row := range table("buzer_cazenave.csv") {
		if integer(row[0]) == level && integer(row[1]) == dimension {
			return float(row[2]), true
		}
	}
	return 0, false
}

// fiorellaTime is the time of a first move in F. Fiorella, "Parallel MinMax for Nim",
// Politecnico di Torino: in C on a CPU (version 0) or on a Jetson Nano's GPU (1 to 4).
type fiorellaTime struct {
	Version, Depth, Rows int
	Milliseconds         float64 // 0 if it was too short for the clock
}

// fiorellaTimes returns the times, in ascending order of rows for each version and depth.
// There is none for more rows where a version was too slow.
func fiorellaTimes() []fiorellaTime {
	return readTable("fiorella.csv", func(row []string) fiorellaTime {
		return fiorellaTime{integer(row[0]), integer(row[1]), integer(row[2]), float(row[3])}
	})
}

// fiorellaSaving is the percentage of memory accesses of version 1 that version 2
// saves from 5 rows: the two figures that the text gives for figure 12.
type fiorellaSaving struct {
	Memory  string // "global" or "shared"
	Percent float64
}

// fiorellaSavings returns the savings.
func fiorellaSavings() []fiorellaSaving {
	return readTable("fiorella_memory.csv", func(row []string) fiorellaSaving {
		return fiorellaSaving{row[0], float(row[1])}
	})
}

// wernerTime is the time to rate all first moves of side 10 by HavannahCUDA: P. Werner,
// "Hochparallele Monte-Carlo-Evaluation auf CUDA", HTWK Leipzig, 2012, tables 1 and 2.
type wernerTime struct {
	Playouts int    // after each of the 271 moves
	Device   string // a GeForce GTX 260 or a Core 2 Duo E8400
	Threads  int    // threads of the card in blocks of one thread each, or of the CPU
	Seconds  float64
}

// wernerTimes returns the times in the order of the tables.
func wernerTimes() []wernerTime {
	return readTable("werner_times.csv", func(row []string) wernerTime {
		return wernerTime{Playouts: integer(row[0]), Device: row[1], Threads: integer(row[2]), Seconds: float(row[3])}
	})
}
