//go:build !amd64

package mcts

func pause() {}

func prefetch([]float32) {}

func addRAVE(numbers []float32, taken []uint32, weight, rave float32) {
	addRAVEGo(numbers, taken, weight, rave)
}

func highest(values []float32) int { return highestGo(values) }

func addTo(to, from []uint32) { addToGo(to, from) }

func pack(playouts, points []uint8, taken []uint32, scale float32) {
	packGo(playouts, points, taken, scale)
}

func unpack(taken []uint32, playouts, points []uint8) { unpackGo(taken, playouts, points) }
