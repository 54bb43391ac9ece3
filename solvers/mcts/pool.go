package mcts

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// workerPool runs the tasks of a search while Run is active. The first worker runs on
// the calling goroutine, the others have their own. Work comes in jobs of tenths of
// milliseconds, one after another, so idle workers spin, and sleep only if the next job
// is long in coming.
type workerPool struct {
	workers []*worker
	current atomic.Pointer[job]
	mutex   sync.Mutex // protects posted
	posted  sync.Cond  // current has changed
	running sync.WaitGroup
}

// job is a set of independent tasks. Each worker takes the next one.
type job struct {
	do         func(w *worker, task int) // nil stops the workers
	tasks      int64
	next, done atomic.Int64
}

// spinLimit is how often a worker looks for a job before it sleeps, with a pause after
// each look: some tenths of milliseconds, about as long as it waits for a device. To wake
// up, or to yield the processor in between, would take longer than the job.
const spinLimit = 6000

// startWorkers starts up to one worker per processor.
func startWorkers(workers []*worker) *workerPool {
	workers = workers[:min(len(workers), runtime.GOMAXPROCS(0))]
	p := &workerPool{workers: workers}
	p.posted.L = &p.mutex
	for _, w := range workers[1:] {
		p.running.Go(func() {
			for last := (*job)(nil); ; {
				if last = p.await(last); last.do == nil {
					return
				}
				last.run(w)
			}
		})
	}
	return p
}

// await returns the job after the last one.
func (p *workerPool) await(last *job) *job {
	for range spinLimit {
		if j := p.current.Load(); j != last {
			return j
		}
		pause()
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for p.current.Load() == last {
		p.posted.Wait()
	}
	return p.current.Load()
}

// run does tasks of the job until none is left.
func (j *job) run(w *worker) {
	for i := j.next.Add(1) - 1; i < j.tasks; i = j.next.Add(1) - 1 {
		j.do(w, int(i))
		j.done.Add(1)
	}
}

// post makes a job the current one.
func (p *workerPool) post(j *job) {
	p.mutex.Lock()
	p.current.Store(j)
	p.mutex.Unlock()
	p.posted.Broadcast()
}

// run does tasks on all workers and returns when all are done.
func (p *workerPool) run(tasks int, do func(w *worker, task int)) {
	j := &job{do: do, tasks: int64(tasks)}
	p.post(j)
	j.run(p.workers[0])
	for spins := 0; j.done.Load() < j.tasks; spins++ {
		if pause(); spins > spinLimit {
			runtime.Gosched()
		}
	}
}

// stop ends the workers' goroutines.
func (p *workerPool) stop() {
	p.post(new(job))
	p.running.Wait()
}
