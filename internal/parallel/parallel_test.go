package parallel_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"gamebots/internal/parallel"
)

func TestFor(t *testing.T) {
	for _, threads := range []int{-1, 0, 1, 2, 3, 8, 100} {
		for _, n := range []int{0, 1, 2, 7, 1000} {
			calls := make([]int, n)
			busy := make([]atomic.Bool, max(1, threads))
			parallel.For(threads, n, func(worker, task int) {
				if busy[worker].Swap(true) {
					t.Errorf("%d threads, %d tasks: worker %d does two at a time", threads, n, worker)
				}
				calls[task]++
				busy[worker].Store(false)
			})
			for task, k := range calls {
				if k != 1 {
					t.Errorf("%d threads: task %d of %d was done %d times", threads, task, n, k)
				}
			}
		}
	}
}

func TestForIsInOrderOnOneThread(t *testing.T) {
	var got []int
	parallel.For(1, 4, func(worker, task int) { got = append(got, worker, task) })
	if fmt.Sprint(got) != "[0 0 0 1 0 2 0 3]" {
		t.Errorf("workers and tasks %v", got)
	}
}

func TestTryReturnsTheFirstError(t *testing.T) {
	for _, threads := range []int{1, 2, 7} {
		for range 100 {
			var done [50]atomic.Bool
			err := parallel.Try(threads, len(done), func(task int) error {
				done[task].Store(true)
				if task%10 == 7 {
					return fmt.Errorf("task %d", task)
				}
				return nil
			})
			if err == nil || err.Error() != "task 7" {
				t.Fatalf("%d threads: error %v", threads, err)
			}
			for task := range 8 {
				if !done[task].Load() {
					t.Fatalf("%d threads: task %d was left out", threads, task)
				}
			}
		}
	}
	if err := parallel.Try(3, 20, func(int) error { return nil }); err != nil {
		t.Error(err)
	}
}

func TestTryStops(t *testing.T) {
	calls := 0
	err := parallel.Try(1, 1000, func(int) error { calls++; return errors.New("no") })
	if err == nil || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

// Every worker waits for all others, so none may run after another.
func TestEachRunsAtOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		var all sync.WaitGroup
		all.Add(workers)
		var seen atomic.Int64
		parallel.Each(workers, func(worker int) {
			seen.Add(1 << (8 * worker))
			all.Done()
			all.Wait()
		})
		if want := int64(0x0101010101) & (1<<(8*workers) - 1); seen.Load() != want {
			t.Errorf("%d workers: calls %x", workers, seen.Load())
		}
	}
}

func ExampleFor() {
	squares := make([]int, 5)
	parallel.For(4, len(squares), func(_, i int) { squares[i] = i * i })
	fmt.Println(squares)
	// Output: [0 1 4 9 16]
}

func BenchmarkFor(b *testing.B) {
	var sums [2][8]int
	for b.Loop() {
		parallel.For(2, 64, func(worker, task int) { sums[worker][0] += task })
	}
}
