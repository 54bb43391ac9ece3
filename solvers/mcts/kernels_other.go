//go:build !amd64

package mcts

func pause() {}

func prefetch([]float32) {}

func addRAVE(numbers, played, won []float32, share, rave float32) {
	addRAVEGo(numbers, played, won, share, rave)
}

func highest(values []float32) int { return highestGo(values) }

func addTo(to, from []float32) { addToGo(to, from) }

func setCounts(played, won []float32, counts []uint32) { setCountsGo(played, won, counts) }

func pack(to []uint8, from []float32, scale float32) { packGo(to, from, scale) }

func unpack(to []float32, from []uint8) { unpackGo(to, from) }
