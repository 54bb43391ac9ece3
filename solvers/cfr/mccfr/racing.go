package mccfr

import (
	"math"
	"sync/atomic"
	"unsafe"
)

// race does a worker's share of a batch of a racing method. Nothing is in order: a
// traversal sees some of the updates of those that other workers are doing. No update is
// lost.
func (s *Sampler) race(worker int) {
	w := s.workers[worker]
	w.weight = s.Method.weight(s.Done)
	for k, ok := s.takePiece(0); ok; k, ok = s.takePiece(0) {
		for i := k * pieceSize; i < (k+1)*pieceSize; i++ {
			for player := range s.Rules.NumPlayers {
				w.traverse(s.stream(i, player), player)
			}
		}
	}
}

// raceRegrets adds to the regrets of an information set while others do.
func (w *worker) raceRegrets(entry int, change []float32) {
	for a, x := range change {
		update(&w.Regret[entry+a], func(regret float32) float32 { return regret + x })
	}
}

// raceStrategy adds to the strategy sums of an information set while others do.
func (w *worker) raceStrategy(entry int, change []float32) {
	for a, x := range change {
		update(&w.StrategySum[entry+a], func(sum float32) float32 { return w.sumOf(sum, x, entry+a) })
	}
}

// racedRegrets reads the regrets of an information set while others change them.
func (w *worker) racedRegrets(dst []float32, entry int) {
	for a := range dst {
		dst[a] = math.Float32frombits(atomic.LoadUint32(bitsOf(&w.Regret[entry+a])))
	}
}

// update replaces a number by a function of it, atomically.
func update(x *float32, f func(float32) float32) {
	for {
		old := atomic.LoadUint32(bitsOf(x))
		if atomic.CompareAndSwapUint32(bitsOf(x), old, math.Float32bits(f(math.Float32frombits(old)))) {
			return
		}
	}
}

// bitsOf returns the bits of a number, for atomic access.
func bitsOf(x *float32) *uint32 { return (*uint32)(unsafe.Pointer(x)) }
