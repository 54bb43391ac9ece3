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
	var all []WernerTime
	for _, row := range table("werner_times.csv") {
		all = append(all,
			WernerTime{Playouts: integer(row[0]), Device: row[1], Threads: integer(row[2]), Seconds: float(row[3])})
	}
	return all
}

// WernerOpeningPlayouts is the number of playouts after each move for the openings of
// Werner (2012), too few to distinguish the moves.
const WernerOpeningPlayouts = 20_000

// WernerOpening is the best and the worst move of a position on side 10 in tables 3 and 4 of
// Werner (2012), on the GTX 260.
type WernerOpening struct {
	Position         string // "first move" or "reply to 222", the best first move
	Best, BestWins   int    // cell, and wins of WernerOpeningPlayouts
	Worst, WorstWins int
}

// WernerOpenings returns both positions.
func WernerOpenings() []WernerOpening {
	var all []WernerOpening
	for _, row := range table("werner_openings.csv") {
		all = append(all, WernerOpening{Position: row[0], Best: integer(row[1]), BestWins: integer(row[2]),
			Worst: integer(row[3]), WorstWins: integer(row[4])})
	}
	return all
}
