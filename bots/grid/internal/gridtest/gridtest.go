// Package gridtest has jobs for tests of grids, and checks their results.
package gridtest

import (
	"context"
	"encoding/binary"
	"iter"
	"slices"
	"testing"

	"gamebots/bots/grid"
)

// Kind is the kind of the jobs, which SeedOf does.
const Kind = "seed"

// Kinds are the one of the jobs.
var Kinds = grid.Kinds{Kind: SeedOf}

// SeedOf returns a job's seed as its result.
func SeedOf(_ context.Context, job grid.Job) ([]byte, error) {
	return binary.LittleEndian.AppendUint64(nil, job.Seed), nil
}

// Jobs returns the jobs of a run with the shards from one number to another.
func Jobs(run string, from, to int) iter.Seq[grid.Job] {
	return func(yield func(grid.Job) bool) {
		for i := from; i < to; i++ {
			if !yield(grid.Job{Run: run, Shard: i, Seed: uint64(i) * 7, Kind: Kind}) {
				return
			}
		}
	}
}

// Collect stores results by shard and counts how often each came.
type Collect struct {
	results map[int][]byte
	times   map[int]int
}

// Done takes a result.
func (c *Collect) Done(job grid.Job, result []byte) error {
	if c.results == nil {
		c.results, c.times = map[int][]byte{}, map[int]int{}
	}
	c.results[job.Shard] = result
	c.times[job.Shard]++
	return nil
}

// Len returns how many shards there are results of.
func (c *Collect) Len() int { return len(c.results) }

// Check checks that shards 0 to n-1 but some came once, with their results.
func (c *Collect) Check(t *testing.T, n int, but ...int) {
	t.Helper()
	for i := range n {
		want := 1
		if slices.Contains(but, i) {
			want = 0
		}
		if c.times[i] != want {
			t.Errorf("shard %d came %d times, want %d", i, c.times[i], want)
		}
		if want == 1 && c.times[i] > 0 && binary.LittleEndian.Uint64(c.results[i]) != uint64(i)*7 {
			t.Errorf("shard %d has the result %x", i, c.results[i])
		}
	}
	if len(c.results) != n-len(but) {
		t.Errorf("%d results, want %d", len(c.results), n-len(but))
	}
}
