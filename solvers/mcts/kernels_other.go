//go:build !amd64

package mcts

func pause() {}

func prefetch([]float32) {}

func addRAVE(stats []float32, amaf []uint32, weight, rave float32) {
	addRAVEGo(stats, amaf, weight, rave)
}

func argmax(values []float32) int { return argmaxGo(values) }

func addCounts(to, from []uint32) { addCountsGo(to, from) }

func pack(playouts, points []uint8, amaf []uint32, scale float32) {
	packGo(playouts, points, amaf, scale)
}

func unpack(amaf []uint32, playouts, points []uint8) { unpackGo(amaf, playouts, points) }
