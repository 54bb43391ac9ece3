package mccfr

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// barrier lets threads wait for each other. What lies between two barriers takes
// microseconds, so a thread waits awake at first; but on a machine with other
// work the one waited for may not be running, and then it sleeps.
type barrier struct {
	threads        int32
	spins          int // 0 where threads cannot all run at once
	arrived, round atomic.Int32
	sleepers       sync.Mutex
	wake           *sync.Cond
}

// barrierSpins is how often a thread looks before it sleeps, about as long as it
// takes to wake it up: some ten microseconds.
const barrierSpins = 50_000

func newBarrier(threads int) *barrier {
	b := &barrier{threads: int32(threads)}
	if threads <= runtime.GOMAXPROCS(0) {
		b.spins = barrierSpins
	}
	b.wake = sync.NewCond(&b.sleepers)
	return b
}

// wait returns when all threads have called it.
func (b *barrier) wait() {
	round := b.round.Load()
	if b.arrived.Add(1) == b.threads {
		b.arrived.Store(0)
		b.sleepers.Lock()
		b.round.Add(1)
		b.sleepers.Unlock()
		b.wake.Broadcast()
		return
	}
	for range b.spins {
		if b.round.Load() != round {
			return
		}
	}
	b.sleepers.Lock()
	for b.round.Load() == round {
		b.wake.Wait()
	}
	b.sleepers.Unlock()
}
