package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Barrier lets threads wait for each other. The work between two barriers takes
// microseconds, so a thread spins at first. On a machine with other work the thread
// waited for may not be running; then the waiting thread sleeps.
type Barrier struct {
	threads           int32
	spins             int // 0 where the threads cannot all run at once
	arrived, released atomic.Int32
	wake              *sync.Cond // wakes the threads that sleep
}

// barrierSpins is how often a thread looks before it sleeps: about as long as it
// takes to wake it up, some ten microseconds.
const barrierSpins = 50_000

// NewBarrier returns a barrier for the given threads.
func NewBarrier(threads int) *Barrier {
	b := &Barrier{threads: int32(threads), wake: sync.NewCond(new(sync.Mutex))}
	if threads <= runtime.GOMAXPROCS(0) {
		b.spins = barrierSpins
	}
	return b
}

// Wait returns when all threads have called it.
func (b *Barrier) Wait() {
	released := b.released.Load()
	if b.arrived.Add(1) == b.threads {
		b.arrived.Store(0)
		b.wake.L.Lock()
		b.released.Add(1)
		b.wake.L.Unlock()
		b.wake.Broadcast()
		return
	}
	for range b.spins {
		if b.released.Load() != released {
			return
		}
	}
	b.wake.L.Lock()
	for b.released.Load() == released {
		b.wake.Wait()
	}
	b.wake.L.Unlock()
}
