package mcts

// Explicit conversions to float32 keep compilers from fusing products and sums, so that
// every machine computes the same bits.

// valueOf returns the mean of an edge's own and RAVE means, weighted visits to rave,
// plus a bonus.
func valueOf(visits, score, raveVisits, raveScore, bonus, rave float32) float32 {
	both := float32(rave*raveScore) + float32(score*raveVisits)
	return both/float32(raveVisits*(rave+visits)) + bonus
}

// addRAVEGo adds AMAF counts (see Leaf), with a weight per playout, to the statistics of
// a node, and updates the values of its edges.
func addRAVEGo(stats []float32, amaf []uint32, weight, rave float32) {
	n, half := len(amaf), float32(weight*0.5)
	values, counts, scores := stats[value*n:][:n], stats[visits*n:][:n], stats[score*n:][:n]
	raveCounts, raveScores, bonuses := stats[raveVisits*n:][:n], stats[raveScore*n:][:n], stats[bonus*n:][:n]
	for m, x := range amaf {
		raveCounts[m] += float32(float32(x&0xffff) * weight)
		raveScores[m] += float32(float32(x>>16) * half)
		values[m] = valueOf(counts[m], scores[m], raveCounts[m], raveScores[m], bonuses[m], rave)
	}
}

// argmaxGo returns the first index of the highest value.
func argmaxGo(values []float32) (best int) {
	highest := values[0]
	for k, v := range values {
		if v > highest {
			best, highest = k, v
		}
	}
	return best
}

// addCountsGo adds counts to others.
func addCountsGo(to, from []uint32) {
	for i, x := range from[:len(to)] {
		to[i] += x
	}
}

// packGo rounds AMAF counts to bytes: the playouts with each move and the points won in
// those, both multiplied by scale.
func packGo(playouts, points []uint8, amaf []uint32, scale float32) {
	half := float32(scale * 0.5)
	for i, x := range amaf {
		playouts[i] = uint8(float32(float32(x&0xffff)*scale) + 0.5)
		points[i] = uint8(float32(float32(x>>16)*half) + 0.5)
	}
}

// unpackGo is the inverse of packGo, up to the scale.
func unpackGo(amaf []uint32, playouts, points []uint8) {
	for i := range amaf {
		amaf[i] = uint32(playouts[i]) | uint32(points[i])<<17
	}
}
