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
func addRAVEAVX2(numbers, played, won *float32, n int, share, rave float32)

//go:noescape
func highestAVX2(values *float32, n int) int

//go:noescape
func addToAVX2(to, from *float32, n int)

func addTo(to, from []float32) {
	if !useAVX2 {
		addToGo(to, from)
		return
	}
	addToAVX2(&to[0], &from[0], len(to))
}

func addRAVE(numbers, played, won []float32, share, rave float32) {
	if !useAVX2 {
		addRAVEGo(numbers, played, won, share, rave)
		return
	}
	addRAVEAVX2(&numbers[0], &played[0], &won[0], len(played), share, rave)
}

func highest(values []float32) int {
	if !useAVX2 {
		return highestGo(values)
	}
	return highestAVX2(&values[0], len(values))
}

//go:noescape
func setCountsAVX2(played, won *float32, counts *uint32, n int)

func setCounts(played, won []float32, counts []uint32) {
	n := len(counts) &^ 7
	if !useAVX2 || n == 0 {
		n = 0
	} else {
		setCountsAVX2(&played[0], &won[0], &counts[0], n)
	}
	setCountsGo(played[n:], won[n:], counts[n:])
}

//go:noescape
func packAVX2(to *uint8, from *float32, n int, scale float32)

func pack(to []uint8, from []float32, scale float32) {
	if !useAVX2 {
		packGo(to, from, scale)
		return
	}
	packAVX2(&to[0], &from[0], len(to), scale)
}

//go:noescape
func unpackAVX2(to *float32, from *uint8, n int)

func unpack(to []float32, from []uint8) {
	if !useAVX2 {
		unpackGo(to, from)
		return
	}
	unpackAVX2(&to[0], &from[0], len(to))
}
