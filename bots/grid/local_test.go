package grid_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"gamebots/bots/grid"
	"gamebots/bots/grid/internal/gridtest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestLocal(t *testing.T) {
	for _, threads := range []int{1, 3, 64} {
		var c gridtest.Collect
		g := &grid.Local{Kinds: gridtest.Kinds, Threads: threads}
		if err := g.Run(t.Context(), gridtest.Jobs("test", 0, 100), c.Done); err != nil {
			t.Fatal(err)
		}
		c.Check(t, 100)
	}
}

// A job that fails a few times is done in the end; one that always fails is given up, and
// the rest is done.
func TestLocalTries(t *testing.T) {
	var tries [10]atomic.Int32
	broken := errors.New("broken")
	kinds := grid.Kinds{gridtest.Kind: func(ctx context.Context, job grid.Job) ([]byte, error) {
		n := tries[job.Shard].Add(1)
		switch {
		case job.Shard == 7:
			return nil, fmt.Errorf("seven is %w", broken)
		case job.Shard == 4:
			panic("four")
		case job.Shard%2 == 1 && n < grid.DefaultTries:
			return nil, broken
		}
		return gridtest.SeedOf(ctx, job)
	}}
	var c gridtest.Collect
	g := &grid.Local{Kinds: kinds, Threads: 2}
	err := g.Run(t.Context(), gridtest.Jobs("test", 0, 10), c.Done)
	c.Check(t, 10, 4, 7)
	var dead *grid.FailedJobsError
	if !errors.As(err, &dead) || len(dead.Jobs) != 2 || !errors.Is(err, broken) {
		t.Fatalf("error %v, want two letters", err)
	}
	if l := dead.Jobs[1]; l.Job.Shard != 7 || l.Tries != grid.DefaultTries || tries[7].Load() != grid.DefaultTries {
		t.Errorf("letter %+v after %d calls", l, tries[7].Load())
	}
	const want = "2 jobs were given up: test/4 after 3 tries: panic: four; test/7 after 3 tries: seven is broken"
	if err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
}

func TestLocalUnknownKind(t *testing.T) {
	err := (&grid.Local{}).Run(t.Context(), gridtest.Jobs("test", 0, 1), new(gridtest.Collect).Done)
	if err == nil || !strings.Contains(err.Error(), `no kind of jobs is called "seed"`) {
		t.Errorf("error %v", err)
	}
}

// A result that cannot be stored ends the run.
func TestLocalStoreFails(t *testing.T) {
	full := errors.New("disk full")
	stored := 0
	g := &grid.Local{Kinds: gridtest.Kinds, Threads: 4}
	err := g.Run(t.Context(), gridtest.Jobs("test", 0, 1000), func(grid.Job, []byte) error {
		if stored++; stored == 10 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || stored != 10 {
		t.Errorf("error %v after %d results, want %v after 10", err, stored, full)
	}
}

// A run that is stopped returns, and its jobs too, and finished jobs are
// not lost.
func TestLocalCancelled(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	var begun sync.WaitGroup // a job that has not begun is none that is finished
	begun.Add(2)
	kinds := grid.Kinds{gridtest.Kind: func(ctx context.Context, job grid.Job) ([]byte, error) {
		switch job.Shard {
		case 2:
			begun.Wait()
			cancel(enough)
			return gridtest.SeedOf(ctx, job)
		case 0, 1:
			begun.Done()
			return gridtest.SeedOf(ctx, job)
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	var c gridtest.Collect
	g := &grid.Local{Kinds: kinds, Threads: 8}
	if err := g.Run(ctx, gridtest.Jobs("test", 0, 1000), c.Done); !errors.Is(err, enough) ||
		errors.As(err, new(*grid.FailedJobsError)) {
		t.Errorf("error %v, want %v", err, enough)
	}
	c.Check(t, 3)
}
