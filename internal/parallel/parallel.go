package parallel

import (
	"math"
	"sync"
	"sync/atomic"
)

// For calls f once for every task in [0, n), on at most threads goroutines, in
// ascending order on each. No two calls with the same worker, a number in
// [0, threads), overlap. Less than one thread counts as one.
func For(threads, n int, f func(worker, task int)) {
	threads = min(threads, n)
	if threads <= 1 {
		for task := range n {
			f(0, task)
		}
		return
	}
	var next atomic.Int64
	Each(threads, func(worker int) {
		for task := int(next.Add(1)) - 1; task < n; task = int(next.Add(1)) - 1 {
			f(worker, task)
		}
	})
}

// Try is For for tasks that can fail. After a failure no further task is started,
// and Try returns the error of the first task in order that failed.
func Try(threads, n int, f func(task int) error) error {
	var mu sync.Mutex
	var first error
	var failed atomic.Int64 // the least task that failed
	failed.Store(math.MaxInt64)
	For(threads, n, func(_, task int) {
		if int64(task) > failed.Load() {
			return
		}
		if err := f(task); err != nil {
			mu.Lock()
			defer mu.Unlock()
			if int64(task) < failed.Load() {
				failed.Store(int64(task))
				first = err
			}
		}
	})
	return first
}

// Each calls f once for every worker in [0, workers), all at the same time. Less
// than one worker counts as one.
func Each(workers int, f func(worker int)) {
	if workers <= 1 {
		f(0)
		return
	}
	var group sync.WaitGroup
	for worker := 1; worker < workers; worker++ {
		group.Go(func() { f(worker) })
	}
	f(0)
	group.Wait()
}
