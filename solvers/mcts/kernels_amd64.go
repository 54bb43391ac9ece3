package mcts

import "golang.org/x/sys/cpu"

// useAVX2 is a variable so that tests can hold both versions side by side.
var useAVX2 = cpu.X86.HasAVX2

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
