package parallel_test

import (
	"sync/atomic"
	"testing"

	"gamebots/internal/parallel"
)

func TestTasks(t *testing.T) {
	const workers, perWorker = 5, 7
	tasks := parallel.NewTasks(workers, perWorker)
	for range 20 {
		tasks.Restart()
		var taken [workers * perWorker]atomic.Int32
		parallel.Each(workers, func(worker int) {
			for k, ok := tasks.Take(worker); ok; k, ok = tasks.Take(worker) {
				taken[k].Add(1)
			}
		})
		for k := range taken {
			if n := taken[k].Load(); n != 1 {
				t.Fatalf("task %d was taken %d times", k, n)
			}
		}
	}
}

func TestTasksAreTheWorkersOwnAtFirst(t *testing.T) {
	tasks := parallel.NewTasks(3, 2)
	for range 2 {
		for _, want := range []int{2, 3, 4, 5, 0, 1} {
			if k, ok := tasks.Take(1); k != want || !ok {
				t.Fatalf("worker 1 takes task %d, %v, want %d", k, ok, want)
			}
		}
		if k, ok := tasks.Take(0); ok {
			t.Fatalf("worker 0 takes task %d when all are taken", k)
		}
		tasks.Restart()
	}
}
