package mcts

import "golang.org/x/sys/cpu"

// useAVX2 is a variable, so that tests can compare both versions.
var useAVX2 = cpu.X86.HasAVX2

// pause yields the core to its other hardware thread for some tens of nanoseconds.
func pause()

//go:noescape
func prefetchLines(first *float32, n int)

// prefetch loads statistics that will be written soon into this core's cache, from that
// of another core or from memory.
func prefetch(stats []float32) { prefetchLines(&stats[0], len(stats)) }

//go:noescape
func addRAVEAVX2(stats *float32, amaf *uint32, n int, weight, rave float32)

func addRAVE(stats []float32, amaf []uint32, weight, rave float32) {
	if !useAVX2 {
		addRAVEGo(stats, amaf, weight, rave)
		return
	}
	addRAVEAVX2(&stats[0], &amaf[0], len(amaf), weight, rave)
}

//go:noescape
func argmaxAVX2(values *float32, n int) int

func argmax(values []float32) int {
	if !useAVX2 {
		return argmaxGo(values)
	}
	return argmaxAVX2(&values[0], len(values))
}

//go:noescape
func addCountsAVX2(to, from *uint32, n int)

func addCounts(to, from []uint32) {
	if !useAVX2 {
		addCountsGo(to, from)
		return
	}
	addCountsAVX2(&to[0], &from[0], len(to))
}

//go:noescape
func packAVX2(playouts, points *uint8, amaf *uint32, n int, scale float32)

func pack(playouts, points []uint8, amaf []uint32, scale float32) {
	if !useAVX2 {
		packGo(playouts, points, amaf, scale)
		return
	}
	packAVX2(&playouts[0], &points[0], &amaf[0], len(amaf), scale)
}

//go:noescape
func unpackAVX2(amaf *uint32, playouts, points *uint8, n int)

func unpack(amaf []uint32, playouts, points []uint8) {
	if !useAVX2 {
		unpackGo(amaf, playouts, points)
		return
	}
	unpackAVX2(&amaf[0], &playouts[0], &points[0], len(amaf))
}
