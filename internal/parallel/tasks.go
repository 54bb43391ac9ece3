package parallel

import "sync/atomic"

// Tasks shares out tasks among workers that run at the same time. A worker takes its own
// tasks first, the same ones in every round, because its caches have what it used for them
// before. When they are gone it takes those of others.
type Tasks struct {
	perWorker int
	taken     []takenTasks // tasks by worker
}

// takenTasks is how many of a worker's tasks are taken.
type takenTasks struct {
	atomic.Int32
	_ [128 - 4]byte // others are on other cache lines
}

// NewTasks returns the tasks 0 to workers × perWorker - 1, none of which is taken.
func NewTasks(workers, perWorker int) *Tasks {
	return &Tasks{perWorker, make([]takenTasks, workers)}
}

// Take returns a task that was not taken, or false if all were.
func (t *Tasks) Take(worker int) (task int, ok bool) {
	for i := range t.taken {
		owner := (worker + i) % len(t.taken)
		taken := &t.taken[owner]
		if int(taken.Load()) >= t.perWorker {
			continue
		}
		if k := int(taken.Add(1)) - 1; k < t.perWorker {
			return owner*t.perWorker + k, true
		}
	}
	return 0, false
}

// Restart begins a round, in which no task is taken. No worker may call Take meanwhile.
func (t *Tasks) Restart() {
	for i := range t.taken {
		t.taken[i].Store(0)
	}
}
