package grid_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gamebots/bots/grid"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shards returns n jobs of a kind.
func shards(n int, kind string) iter.Seq[grid.Job] {
	return func(yield func(grid.Job) bool) {
		for i := range n {
			if !yield(grid.Job{Run: "test", Shard: i, Seed: uint64(i) * 7, Kind: kind}) {
				return
			}
		}
	}
}

// seedOf returns a job's seed as its result.
func seedOf(_ context.Context, job grid.Job) ([]byte, error) {
	return binary.LittleEndian.AppendUint64(nil, job.Seed), nil
}

// collect stores results by shard and counts how often each came.
type collect struct {
	results map[int][]byte
	times   map[int]int
}

func (c *collect) done(job grid.Job, result []byte) error {
	if c.results == nil {
		c.results, c.times = map[int][]byte{}, map[int]int{}
	}
	c.results[job.Shard] = result
	c.times[job.Shard]++
	return nil
}

// check checks that shards 0 to n-1 but some came once with the right result.
func (c *collect) check(t *testing.T, n int, but ...int) {
	t.Helper()
	for i := range n {
		want := 1
		if slices.Contains(but, i) {
			want = 0
		}
		if c.times[i] != want {
			t.Errorf("shard %d came %d times, want %d", i, c.times[i], want)
		}
		if want == 1 && binary.LittleEndian.Uint64(c.results[i]) != uint64(i)*7 {
			t.Errorf("shard %d has result %x", i, c.results[i])
		}
	}
	if len(c.results) != n-len(but) {
		t.Errorf("%d results, want %d", len(c.results), n-len(but))
	}
}

func TestLocal(t *testing.T) {
	for _, threads := range []int{1, 3, 64} {
		var c collect
		g := &grid.Local{Kinds: grid.Kinds{"seed": seedOf}, Threads: threads}
		if err := g.Run(t.Context(), shards(100, "seed"), c.done); err != nil {
			t.Fatal(err)
		}
		c.check(t, 100)
	}
}

// What fails a few times is done in the end; what always fails is given up, and
// the rest is done.
func TestLocalTries(t *testing.T) {
	var tries [10]atomic.Int32
	broken := errors.New("broken")
	kinds := grid.Kinds{"moody": func(ctx context.Context, job grid.Job) ([]byte, error) {
		n := tries[job.Shard].Add(1)
		switch {
		case job.Shard == 7:
			return nil, fmt.Errorf("seven is %w", broken)
		case job.Shard == 4:
			panic("four")
		case job.Shard%2 == 1 && n < grid.DefaultTries:
			return nil, broken
		}
		return seedOf(ctx, job)
	}}
	var c collect
	g := &grid.Local{Kinds: kinds, Threads: 2}
	err := g.Run(t.Context(), shards(10, "moody"), c.done)
	c.check(t, 10, 4, 7)
	var dead *grid.Dead
	if !errors.As(err, &dead) || len(dead.Letters) != 2 || !errors.Is(err, broken) {
		t.Fatalf("error %v, want two letters", err)
	}
	if l := dead.Letters[1]; l.Job.Shard != 7 || l.Tries != grid.DefaultTries || tries[7].Load() != grid.DefaultTries {
		t.Errorf("letter %+v after %d calls", l, tries[7].Load())
	}
	if want := "2 jobs were given up: test/4 after 3 tries: panic: four; test/7 after 3 tries: seven is broken"; err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
}

func TestLocalUnknownKind(t *testing.T) {
	err := (&grid.Local{}).Run(t.Context(), shards(1, "nothing"), new(collect).done)
	if err == nil || !strings.Contains(err.Error(), `no kind of jobs is called "nothing"`) {
		t.Errorf("error %v", err)
	}
}

// A result that cannot be stored ends the run.
func TestLocalStoreFails(t *testing.T) {
	full := errors.New("disk full")
	stored := 0
	g := &grid.Local{Kinds: grid.Kinds{"seed": seedOf}, Threads: 4}
	err := g.Run(t.Context(), shards(1000, "seed"), func(grid.Job, []byte) error {
		if stored++; stored == 10 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || stored != 10 {
		t.Errorf("error %v after %d results, want %v after 10", err, stored, full)
	}
}

// A run that is stopped returns, and its jobs too, and what they finished is
// not lost.
func TestLocalCancelled(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	kinds := grid.Kinds{"wait": func(ctx context.Context, job grid.Job) ([]byte, error) {
		switch job.Shard {
		case 2:
			cancel(enough)
			return seedOf(ctx, job)
		case 0, 1:
			return seedOf(ctx, job)
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	var c collect
	g := &grid.Local{Kinds: kinds, Threads: 8}
	if err := g.Run(ctx, shards(1000, "wait"), c.done); !errors.Is(err, enough) || errors.As(err, new(*grid.Dead)) {
		t.Errorf("error %v, want %v", err, enough)
	}
	c.check(t, 3)
}
