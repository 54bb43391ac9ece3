package grid

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"runtime"
	"sync"
)

// Local does jobs on goroutines of this process.
type Local struct {
	Kinds   Kinds
	Threads int // 0 is one for each core
	Tries   int // how often a job may fail; 0 is DefaultTries
}

var _ Grid = (*Local)(nil)

// outcome is the result or the last error of a job.
type outcome struct {
	job    Job
	result []byte
	tries  int
	err    error
}

// Run implements Grid. All its goroutines have ended when it returns.
func (l *Local) Run(ctx context.Context, jobs iter.Seq[Job], done func(Job, []byte) error) error {
	working, stop := context.WithCancel(ctx)
	defer stop()
	threads := cmp.Or(l.Threads, runtime.GOMAXPROCS(0))
	queue, outcomes := make(chan Job), make(chan outcome, threads)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer close(queue)
	for range threads {
		workers.Go(func() {
			for job := range queue {
				outcomes <- l.try(working, job)
			}
		})
	}

	next, end := iter.Pull(jobs)
	defer end()
	var givenUp FailedJobsError
	var failed error
	job, more := next()
	for busy := 0; busy > 0 || more && failed == nil && working.Err() == nil; {
		give, over := queue, working.Done()
		if !more || failed != nil || working.Err() != nil {
			give, over = nil, nil // only wait for the jobs in progress
		}
		select {
		case give <- job:
			busy++
			job, more = next()
		case <-over:
		case o := <-outcomes:
			busy--
			switch {
			case o.err == nil && failed == nil: // even if the context has ended
				if failed = done(o.job, o.result); failed != nil {
					stop()
				}
			case o.err != nil && working.Err() == nil:
				givenUp.Jobs = append(givenUp.Jobs, FailedJob{o.job, o.tries, o.err})
			}
		}
	}
	if failed == nil && ctx.Err() != nil {
		failed = context.Cause(ctx)
	}
	return errors.Join(failed, givenUp.Err())
}

// try tries a job until it succeeds, at most Tries times.
func (l *Local) try(ctx context.Context, job Job) outcome {
	o := outcome{job: job}
	for o.tries < cmp.Or(l.Tries, DefaultTries) && ctx.Err() == nil {
		o.tries++
		if o.result, o.err = l.Kinds.Do(ctx, job); o.err == nil {
			return o
		}
	}
	if o.err == nil {
		o.err = context.Cause(ctx)
	}
	return o
}
