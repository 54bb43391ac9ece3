package published

// WernerTime is the time to rate all first moves of side 10 by HavannahCUDA: P. Werner,
// "Hochparallele Monte-Carlo-Evaluation auf CUDA", HTWK Leipzig, 2012, tables 1 and 2.
type WernerTime struct {
	Playouts int    // after each of the 271 moves
	Device   string // a GeForce GTX 260 or a Core 2 Duo E8400
	Threads  int    // threads of the card in blocks of one thread each, or of the CPU
	Seconds  float64
}

// WernerTimes returns the times in the order of the tables.
func WernerTimes() []WernerTime {
	return read("werner_times.csv", func(row []string) WernerTime {
		return WernerTime{Playouts: integer(row[0]), Device: row[1], Threads: integer(row[2]), Seconds: float(row[3])}
	})
}
