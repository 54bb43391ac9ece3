package mcts

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// crew is the hands of a search while it runs: the first is the caller's, the
// others have goroutines. Work comes in parts of tenths of milliseconds, one after
// another, so those wait for it awake, and fall asleep only when it is long in
// coming.
type crew struct {
	hands []*hand
	work  atomic.Pointer[work]
	mutex sync.Mutex
	woken sync.Cond
	gone  sync.WaitGroup
}

// work is tasks that do not depend on one another. A hand takes the next one.
type work struct {
	do         func(h *hand, task int) // nil sends the hands home
	tasks      int64
	next, done atomic.Int64
}

// patience is how often a hand looks for work before it falls asleep, with a pause
// after each look: some tenths of milliseconds, which is what it waits for a device.
// To be woken, or to let others have the processor in between, would take longer than
// the work does.
const patience = 6000

// gather calls hands to work, as many as there are processors for.
func gather(hands []*hand) *crew {
	hands = hands[:min(len(hands), runtime.GOMAXPROCS(0))]
	c := &crew{hands: hands}
	c.woken.L = &c.mutex
	for _, h := range hands[1:] {
		c.gone.Go(func() {
			for last := (*work)(nil); ; {
				if last = c.await(last); last.do == nil {
					return
				}
				last.run(h)
			}
		})
	}
	return c
}

// await returns the work that comes after the last.
func (c *crew) await(last *work) *work {
	for range patience {
		if w := c.work.Load(); w != last {
			return w
		}
		pause()
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for c.work.Load() == last {
		c.woken.Wait()
	}
	return c.work.Load()
}

func (w *work) run(h *hand) {
	for i := w.next.Add(1) - 1; i < w.tasks; i = w.next.Add(1) - 1 {
		w.do(h, int(i))
		w.done.Add(1)
	}
}

// give tells all hands of work.
func (c *crew) give(w *work) {
	c.mutex.Lock()
	c.work.Store(w)
	c.mutex.Unlock()
	c.woken.Broadcast()
}

// do does tasks on all hands.
func (c *crew) do(tasks int, do func(h *hand, task int)) {
	w := &work{do: do, tasks: int64(tasks)}
	c.give(w)
	w.run(c.hands[0])
	for looks := 0; w.done.Load() < w.tasks; looks++ {
		if pause(); looks > patience {
			runtime.Gosched()
		}
	}
}

// part sends the hands home.
func (c *crew) part() {
	c.give(new(work))
	c.gone.Wait()
}
