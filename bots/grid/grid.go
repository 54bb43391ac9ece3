package grid

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
)

// Job is a piece of a run.
type Job struct {
	Run   string // name of the run, the same for all jobs of a call of Grid.Run
	Shard int    // number of the piece, unique in its run
	Seed  uint64 // seed of everything random in the job
	Kind  string // a key of Kinds
	Spec  []byte // parameters, in an encoding of the kind

	// Shared is the part of the parameters that all jobs of a run have in common. It
	// may be large: each worker receives it once. Funcs must not change it.
	Shared []byte
}

func (j Job) String() string { return fmt.Sprintf("%s/%d", j.Run, j.Shard) }

// Func does a job and returns its result, the same bytes for the same job. It may be
// called from any goroutine, and more than once for a job. When the context ends it
// soon returns an error.
type Func func(ctx context.Context, job Job) ([]byte, error)

// UnwillingError is the error of a Func that does not do a job in this process, although
// it could be done elsewhere. It is no failure of the job.
type UnwillingError struct{ Err error }

func (e *UnwillingError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *UnwillingError) Unwrap() error { return e.Err }

// Kinds has the kinds of jobs that a program can do, by name. It must not change while
// jobs are done.
type Kinds map[string]Func

// Grid does jobs.
type Grid interface {
	// Run does jobs and calls done once with the result of each. Both jobs and done
	// run on the goroutine of Run. The result belongs to done.
	//
	// It returns nil when all jobs are done, a *FailedJobsError when some were given
	// up, the error of done, which ends the run, or the context's cause.
	Run(ctx context.Context, jobs iter.Seq[Job], done func(job Job, result []byte) error) error
}

// Do does a job. A panic becomes an error of the job.
func (k Kinds) Do(ctx context.Context, job Job) (result []byte, err error) {
	f, ok := k[job.Kind]
	if !ok {
		return nil, fmt.Errorf("no kind of jobs is called %q", job.Kind)
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return f(ctx, job)
}
