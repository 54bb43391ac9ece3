package published

import "strconv"

// BuzerCazenave returns a figure of L. Buzer and T. Cazenave, "GPU for Monte Carlo Search",
// LION 2023, table 6, and whether the paper has it: the speed of a GeForce GTX 3080 at nested search of a level
// in a dimension, of that of one core of a Ryzen 9 3900X.
func BuzerCazenave(level, dimension int) (value float64, ok bool) {
	for _, row := range table("buzer_cazenave.csv") {
		if row[0] == strconv.Itoa(level) && row[1] == strconv.Itoa(dimension) {
			return float(row[2]), true
		}
	}
	return 0, false
}
