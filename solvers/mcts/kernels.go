package mcts

// Conversions keep products and sums apart, which compilers may fuse otherwise, so
// that every machine has the same bits.

// valueOf is the mean of both counts' means, weighted rave to visits, and a bonus.
func valueOf(visits, score, raveVisits, raveScore, bonus, rave float32) float32 {
	both := float32(rave*raveScore) + float32(score*raveVisits)
	return both/float32(raveVisits*(rave+visits)) + bonus
}

// addRAVEGo adds what was taken (see Leaf), with a weight for each playout, to the
// numbers of a node, and values its edges anew.
func addRAVEGo(numbers []float32, taken []uint32, weight, rave float32) {
	n, half := len(taken), float32(weight*0.5)
	values, seen, scores := numbers[value*n:][:n], numbers[visits*n:][:n], numbers[score*n:][:n]
	tried, wins, left := numbers[raveVisits*n:][:n], numbers[raveScore*n:][:n], numbers[bonus*n:][:n]
	for m, t := range taken {
		tried[m] += float32(float32(t&0xffff) * weight)
		wins[m] += float32(float32(t>>16) * half)
		values[m] = valueOf(seen[m], scores[m], tried[m], wins[m], left[m], rave)
	}
}

// highestGo returns the first place of the highest value.
func highestGo(values []float32) (best int) {
	highest := values[0]
	for k, v := range values {
		if v > highest {
			best, highest = k, v
		}
	}
	return best
}

// addToGo adds numbers to others.
func addToGo(to, from []uint32) {
	for i, x := range from[:len(to)] {
		to[i] += x
	}
}

// packGo rounds what was taken in some playouts to bytes: the 255ths of them in which
// a move was made, and those of the points there are for it.
func packGo(playouts, points []uint8, taken []uint32, scale float32) {
	half := float32(scale * 0.5)
	for i, t := range taken {
		playouts[i] = uint8(float32(float32(t&0xffff)*scale) + 0.5)
		points[i] = uint8(float32(float32(t>>16)*half) + 0.5)
	}
}

// unpackGo turns them back: what was taken in 255 playouts.
func unpackGo(taken []uint32, playouts, points []uint8) {
	for i := range taken {
		taken[i] = uint32(playouts[i]) | uint32(points[i])<<17
	}
}
