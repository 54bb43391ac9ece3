package published

// FiorellaTime is the time of a first move in F. Fiorella, "Parallel MinMax for Nim",
// Politecnico di Torino: in C on a CPU (version 0) or on a Jetson Nano's GPU (1 to 4).
type FiorellaTime struct {
	Version, Depth, Rows int
	Milliseconds         float64 // 0 if it was too short for the clock
}

// Fiorella returns the times, in ascending order of rows for each version and depth.
// There is none for more rows where a version was too slow.
func Fiorella() []FiorellaTime {
	return read("fiorella.csv", func(row []string) FiorellaTime {
		return FiorellaTime{integer(row[0]), integer(row[1]), integer(row[2]), float(row[3])}
	})
}

// FiorellaSaving is the percentage of memory accesses of version 1 that version 2
// saves from 5 rows: the two figures that the text gives for figure 12.
type FiorellaSaving struct {
	Memory  string // "global" or "shared"
	Percent float64
}

// FiorellaSavings returns the savings.
func FiorellaSavings() []FiorellaSaving {
	return read("fiorella_memory.csv", func(row []string) FiorellaSaving {
		return FiorellaSaving{row[0], float(row[1])}
	})
}
