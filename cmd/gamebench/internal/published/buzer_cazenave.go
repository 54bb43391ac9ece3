package published

import "strconv"

// BuzerCazenave returns a figure of L. Buzer and T. Cazenave, "GPU for Monte Carlo Search",
// LION 2023, tables 1, 2, 4 and 6, and whether the paper has it. They measured on a GeForce GTX 3080
// and a Ryzen 9 3900X. The series of the tables are:
//
//   - 1, "warp loss": x is the standard deviation of the lengths of playouts, of their mean;
//     the value is the time of a warp, of the mean time of its playouts.
//   - 2, "CPU int", "CPU float", "GPU int" and "GPU float": x is the number of threads per
//     core; the value is the time to add up subsets, of that of one CPU thread with integers.
//   - 4, "global memory, 1 thread a core, read" and so on: x is the number of places; the
//     value is the latency of the GPU's memory, in nanoseconds.
//   - 6, "level 1" and "level 2": x is a dimension; the value is the speed of the GPU, of that
//     of one core of the CPU.
func BuzerCazenave(tableNumber int, series string, x float64) (value float64, ok bool) {
	number := strconv.Itoa(tableNumber)
	for _, row := range table("buzer_cazenave.csv") {
		if row[0] == number && row[1] == series && float(row[2]) == x {
			return float(row[3]), true
		}
	}
	return 0, false
}
