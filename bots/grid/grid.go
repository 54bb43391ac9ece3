package grid

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
)

// Job is a piece of a run.
type Job struct {
	Run   string // which run it belongs to; all jobs of a call of Grid.Run have the same
	Shard int    // which piece it is: no two jobs of a run have the same
	Seed  uint64 // of all that is random in it
	Kind  string // what is to be done
	Spec  []byte // with what: the kind's own encoding

	// Shared is the part of the spec that all jobs of a run have in common. It
	// may be large: each worker is sent it once. The kind must not change it.
	Shared []byte
}

func (j Job) String() string { return fmt.Sprintf("%s/%d", j.Run, j.Shard) }

// Func does a job and returns its result, the same bytes for the same job. It
// may be called from any goroutine, and more than once for a job. When the
// context ends it returns soon, with an error.
type Func func(ctx context.Context, job Job) ([]byte, error)

// Kinds are the kinds of jobs that a program knows, by their names. It is not
// changed while jobs are done.
type Kinds map[string]Func

// Grid does jobs.
type Grid interface {
	// Run does jobs and calls done with the result of each, once. Both jobs and
	// done run on the goroutine of Run. The result belongs to done.
	//
	// It returns nil when all are done, a *Dead when some were given up, the
	// error of done after which it did not go on, or the context's cause.
	Run(ctx context.Context, jobs iter.Seq[Job], done func(job Job, result []byte) error) error
}

// Do does a job. A panic is an error of the job, not the end of the program.
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
