package mcts

// Conversions keep products and sums apart, which compilers may fuse otherwise, so
// that every machine has the same bits.

// valueOf is the mean of both counts' means, weighted rave to visits, and a bonus.
func valueOf(visits, score, raveVisits, raveScore, bonus, rave float32) float32 {
	both := float32(rave*raveScore) + float32(score*raveVisits)
	return both/float32(raveVisits*(rave+visits)) + bonus
}

// addRAVEGo adds the share that is wanted of playouts in which moves were made to
// the numbers of a node and values its edges anew.
func addRAVEGo(numbers, played, won []float32, share, rave float32) {
	n := len(played)
	values, seen, scores := numbers[value*n:][:n], numbers[visits*n:][:n], numbers[score*n:][:n]
	tried, wins, left := numbers[raveVisits*n:][:n], numbers[raveScore*n:][:n], numbers[bonus*n:][:n]
	won = won[:n]
	for m := range played {
		tried[m] += float32(played[m] * share)
		wins[m] += float32(won[m] * share)
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
func addToGo(to, from []float32) {
	for i, x := range from[:len(to)] {
		to[i] += x
	}
}

// setCountsGo splits counts of a device: see Leaf.Set.
func setCountsGo(played, won []float32, counts []uint32) {
	for m, x := range counts {
		played[m], won[m] = float32(x&0xffff), float32(x>>16)*0.5
	}
}

// packGo rounds shares, which are x·scale, to bytes.
func packGo(to []uint8, from []float32, scale float32) {
	for i, x := range from[:len(to)] {
		to[i] = uint8(float32(x*scale) + 0.5)
	}
}

// unpackGo turns bytes to shares.
func unpackGo(to []float32, from []uint8) {
	for i, x := range from[:len(to)] {
		to[i] = float32(x) * (1.0 / 255)
	}
}
