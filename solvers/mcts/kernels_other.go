//go:build !amd64

package mcts

func addRAVE(numbers, played, won []float32, share, rave float32) {
	addRAVEGo(numbers, played, won, share, rave)
}

func highest(values []float32) int { return highestGo(values) }

func addTo(to, from []float32) { addToGo(to, from) }
