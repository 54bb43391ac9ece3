package mcts

import "golang.org/x/sys/cpu"

// useAVX2 is a variable so that tests can hold both versions side by side.
var useAVX2 = cpu.X86.HasAVX2

// pause leaves the core to its other thread for some tens of nanoseconds.
func pause()

//go:noescape
func prefetchLines(first *float32, n int)

// prefetch has numbers brought near that will be written soon, from the cache of
// another core or from memory.
func prefetch(numbers []float32) { prefetchLines(&numbers[0], len(numbers)) }

//go:noescape
func addRAVEAVX2(numbers *float32, taken *uint32, n int, weight, rave float32)

func addRAVE(numbers []float32, taken []uint32, weight, rave float32) {
	if !useAVX2 {
		addRAVEGo(numbers, taken, weight, rave)
		return
	}
	addRAVEAVX2(&numbers[0], &taken[0], len(taken), weight, rave)
}

//go:noescape
func highestAVX2(values *float32, n int) int

func highest(values []float32) int {
	if !useAVX2 {
		return highestGo(values)
	}
	return highestAVX2(&values[0], len(values))
}

//go:noescape
func addToAVX2(to, from *uint32, n int)

func addTo(to, from []uint32) {
	if !useAVX2 {
		addToGo(to, from)
		return
	}
	addToAVX2(&to[0], &from[0], len(to))
}

//go:noescape
func packAVX2(playouts, points *uint8, taken *uint32, n int, scale float32)

func pack(playouts, points []uint8, taken []uint32, scale float32) {
	if !useAVX2 {
		packGo(playouts, points, taken, scale)
		return
	}
	packAVX2(&playouts[0], &points[0], &taken[0], len(taken), scale)
}

//go:noescape
func unpackAVX2(taken *uint32, playouts, points *uint8, n int)

func unpack(taken []uint32, playouts, points []uint8) {
	if !useAVX2 {
		unpackGo(taken, playouts, points)
		return
	}
	unpackAVX2(&taken[0], &playouts[0], &points[0], len(taken))
}
