package verify_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"

	"gamebots/bots/grid"
	"gamebots/bots/grid/internal/farmtest"
	"gamebots/bots/grid/internal/gridtest"
	"gamebots/bots/grid/remote"
	"gamebots/bots/grid/verify"
)

// work starts a worker that changes results as it likes.
func work(f *farmtest.Farm, all *sync.WaitGroup, device string, change func(result []byte)) {
	all.Add(1)
	begin := sync.OnceFunc(all.Done)
	f.Work(&remote.Worker{Slots: 1, Device: device,
		Kinds: grid.Kinds{gridtest.Kind: func(ctx context.Context, job grid.Job) ([]byte, error) {
			begin()
			all.Wait()
			result, err := gridtest.SeedOf(ctx, job)
			change(result)
			return result, err
		}}})
}

// run does jobs with checks, and returns the number of results and the error.
func run(f *farmtest.Farm, jobs int) (int, error) {
	g := &verify.Grid{Grid: f.Owner(), Part: 0.01}
	var c gridtest.Collect
	err := f.Run(g, gridtest.Jobs("run", 0, jobs), c.Done)
	if err == nil {
		c.Check(f.T, jobs)
	}
	return c.Len(), err
}

func honest([]byte) {}

// One wrong worker of four is named within 300 jobs.
func TestWrongWorker(t *testing.T) {
	t.Parallel()
	f, all := farmtest.Serve(t), sync.WaitGroup{}
	for range 3 {
		work(f, &all, "cpu", honest)
	}
	work(f, &all, "cpu", func(result []byte) { result[0]++ })
	_, err := run(f, 300)
	wrong := (*verify.WrongError)(nil)
	if !errors.As(err, &wrong) || wrong.Worker == "" || len(wrong.Among) != 3 ||
		!strings.Contains(err.Error(), "returned a wrong result of run/") {
		t.Fatalf("error %v", err)
	}
}

// Workers that agree are not in the way, nor are those of different devices, which do not.
func TestRightWorkers(t *testing.T) {
	t.Parallel()
	f, all := farmtest.Serve(t), sync.WaitGroup{}
	work(f, &all, "cpu", honest)
	work(f, &all, "cpu", honest)
	work(f, &all, "gpu", func(result []byte) {}) // nobody else has one
	if n, err := run(f, 300); err != nil || n != 300 {
		t.Errorf("%d results, %v", n, err)
	}
}

// Two workers that differ are named both.
func TestTwoWorkers(t *testing.T) {
	t.Parallel()
	f, all := farmtest.Serve(t), sync.WaitGroup{}
	work(f, &all, "cpu", honest)
	work(f, &all, "cpu", func(result []byte) { result[0]++ })
	_, err := run(f, 300)
	wrong := (*verify.WrongError)(nil)
	if !errors.As(err, &wrong) || wrong.Worker != "" || len(wrong.Among) != 2 {
		t.Errorf("error %v", err)
	}
}

// late is a grid of the workers a and b, of whom a does only the first job, before b has done any.
type late struct{}

func (late) Run(_ context.Context, jobs iter.Seq[grid.Job], done func(grid.Job, []byte) error) error {
	for job := range jobs {
		job.Worker = "b"
		if job.Shard == 0 && job.Not == nil {
			job.Worker = "a"
		}
		if err := done(job, []byte(job.Worker)); err != nil {
			return err
		}
	}
	return nil
}

// The first job of a worker is checked when there is another one, if it is its only one, too.
func TestFirstJob(t *testing.T) {
	err := (&verify.Grid{Grid: late{}}).Run(t.Context(), gridtest.Jobs("run", 0, 3),
		func(grid.Job, []byte) error { return nil })
	if wrong := (*verify.WrongError)(nil); !errors.As(err, &wrong) || len(wrong.Among) != 2 {
		t.Errorf("error %v", err)
	}
}

// leaving is a grid of some workers, of whom a part leaves before they have done copies of jobs. Those who do some have
// other results.
type leaving struct{ workers, left int }

func (l leaving) Run(ctx context.Context, jobs iter.Seq[grid.Job], done func(grid.Job, []byte) error) error {
	var failed grid.FailedJobsError
	for job := range jobs {
		if job.Check > 0 && len(job.Not) == l.workers-l.left {
			failed.Jobs = append(failed.Jobs, grid.FailedJob{Job: job, Err: errors.New("no other worker can do it")})
			continue
		}
		job.Worker = fmt.Sprint((job.Shard + len(job.Not)) % l.workers)
		if err := done(job, []byte{byte(job.Check)}); err != nil {
			return err
		}
	}
	return errors.Join(failed.Err(), ctx.Err())
}

// A run in which a copy is left over, because the worker for it has gone, has not failed.
func TestWorkerLeaves(t *testing.T) {
	g := &verify.Grid{Grid: leaving{2, 1}, Part: 1}
	n := 0
	count := func(grid.Job, []byte) error { n++; return nil }
	if err := g.Run(t.Context(), gridtest.Jobs("run", 0, 10), count); err != nil || n != 10 {
		t.Errorf("%d jobs, %v", n, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	err := g.Run(ctx, gridtest.Jobs("run", 0, 10), count)
	if !errors.Is(err, context.Canceled) || errors.As(err, new(*grid.FailedJobsError)) {
		t.Errorf("interrupted: %v", err)
	}
	err = (&verify.Grid{Grid: leaving{3, 1}, Part: 1}).Run(t.Context(), gridtest.Jobs("run", 0, 10), count)
	if wrong := (*verify.WrongError)(nil); !errors.As(err, &wrong) || wrong.Worker != "" || len(wrong.Among) != 2 {
		t.Errorf("two results that differ: %v", err)
	}
}
