package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"gamebots/bots/grid"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
	"gamebots/solvers/nmcs/snake/records"
)

// The kinds of jobs of searches for snakes, done by [SnakeRunsJob] and [SnakeBeamJob]. Specs
// and results are JSON.
const (
	SnakeRunsKind = "snake-runs"
	SnakeBeamKind = "snake-beam"
)

// snakeRuns is the spec of the runs of NMCS or NRPA from one number up to another. The result
// is an nmcs.Tally.
type snakeRuns struct {
	Settings snake.Settings
	From, To uint64
}

// SnakeRunsJob makes some runs of NMCS or NRPA.
func SnakeRunsJob(ctx context.Context, job grid.Job) ([]byte, error) {
	var spec snakeRuns
	if err := json.Unmarshal(job.Spec, &spec); err != nil {
		return nil, err
	}
	t := nmcs.Tally{Runs: spec.From}
	if err := snake.Run(ctx, &t, spec.Settings, spec.To, 1, nil); err != nil {
		return nil, err
	}
	if t.Runs != spec.To {
		return nil, context.Cause(ctx)
	}
	return json.Marshal(t)
}

// SnakeRuns makes the runs of a search of NMCS or NRPA on a grid, in place of
// [records.Search.Run]. When the context is done, the results of unfinished jobs are lost,
// which is no error.
func SnakeRuns(ctx context.Context, g grid.Grid, s *records.Search) error {
	o := s.Options()
	next, open := s.Tally.Runs, 0
	jobs := func(yield func(grid.Job) bool) {
		name := NewRun("snake")
		for shard := 0; o.MaxRuns == 0 || next < o.MaxRuns; shard++ {
			to := next + snakeBlock(s, next, open)
			spec := mustMarshal(snakeRuns{o.Settings.Settings, next, to})
			next = to
			open++
			if !yield(grid.Job{Run: name, Shard: shard, Seed: o.Seed, Kind: SnakeRunsKind, Spec: spec}) {
				return
			}
		}
	}
	ahead := map[int]nmcs.Tally{} // results that arrive before earlier shards, by shard
	after := 0                    // the shards below are merged
	err := g.Run(ctx, jobs, func(job grid.Job, result []byte) error {
		open--
		var t nmcs.Tally
		if err := json.Unmarshal(result, &t); err != nil {
			return err
		}
		for ahead[job.Shard] = t; ; after++ {
			t, ok := ahead[after]
			if !ok {
				break
			}
			delete(ahead, after)
			s.Tally.Merge(t)
		}
		return s.Progress()
	})
	for _, t := range ahead { // as nmcs.Run does
		s.Tally.UpdateBest(t.Best, t.FoundBy)
		s.Tally.Work.Add(t.Work)
	}
	if ctx.Err() == nil && err != nil {
		return err
	}
	return s.Save()
}

// snakeJobTime is how long a job of several runs should take: long compared with the cost of
// handing it out, and short compared with the patience of a person.
const snakeJobTime = time.Second / 2

// snakeBlock returns the number of runs of the next job, by the speed so far and the number of
// open jobs. Results do not depend on it.
func snakeBlock(s *records.Search, next uint64, open int) uint64 {
	rate := float64(s.Tally.Runs) / s.Elapsed().Seconds() // runs a second of all jobs together
	n := uint64(rate * snakeJobTime.Seconds() / float64(open+1))
	if limit := s.Options().MaxRuns; limit > 0 {
		n = min(n, (limit-next)/uint64(4*(open+1))) // so that all workers end at about the same time
	}
	return max(1, n)
}

// snakeBeam is the spec of a beam search; with more runs than one it is improved.
type snakeBeam struct {
	Settings records.Settings
	Runs     uint64
}

// snakeBeamResult is its result.
type snakeBeamResult struct {
	Tally    nmcs.Tally
	Sequence string // the longest
}

// SnakeBeamJob makes a beam search on one thread, and its improvements.
func SnakeBeamJob(ctx context.Context, job grid.Job) ([]byte, error) {
	var spec snakeBeam
	if err := json.Unmarshal(job.Spec, &spec); err != nil {
		return nil, err
	}
	s, err := records.NewSearch(records.SearchOptions{
		Settings: spec.Settings, MaxRuns: spec.Runs, Improve: spec.Runs > 1, Threads: 1,
	})
	if err != nil {
		return nil, err
	}
	if err := s.Run(ctx); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s.Tally.Time = 0 // the result must not depend on it
	return json.Marshal(snakeBeamResult{s.Tally, s.Best().String()})
}

// SnakeRestarts makes restarts of a beam search, each with a seed of its own, on a grid, in place of
// [records.Search.Run]. With Improve each has MaxRuns runs. It calls onLonger, if it is not nil,
// when a restart has found the longest sequence so far. When the context is done, the results
// of unfinished jobs are lost, which is no error.
func SnakeRestarts(
	ctx context.Context, g grid.Grid, s *records.Search, restarts int, onLonger func(restart int),
) error {
	o := s.Options()
	runs := uint64(1)
	if o.Improve {
		runs = o.MaxRuns
	}
	jobs := func(yield func(grid.Job) bool) {
		name := NewRun("snake")
		for i := range restarts {
			spec := snakeBeam{o.Settings, runs}
			spec.Settings.Seed += uint64(i) << 32 // improvements count up from their seed
			if !yield(grid.Job{Run: name, Shard: i, Seed: spec.Settings.Seed, Kind: SnakeBeamKind,
				Spec: mustMarshal(spec)}) {
				return
			}
		}
	}
	foundBy := math.MaxInt // the restart that found the longest
	err := g.Run(ctx, jobs, func(job grid.Job, result []byte) error {
		var r snakeBeamResult
		if err := json.Unmarshal(result, &r); err != nil {
			return err
		}
		found, err := cube.ParseSequence(r.Sequence)
		if err != nil {
			return fmt.Errorf("restart %d: %w", job.Shard, err)
		}
		longer := len(found) > len(s.Longest)
		if longer || len(found) == len(s.Longest) && job.Shard < foundBy {
			s.Longest, foundBy = found, job.Shard
		}
		r.Tally.Runs += s.Tally.Runs
		s.Tally.Merge(r.Tally)
		if longer && onLonger != nil {
			onLonger(job.Shard)
		}
		return s.Progress()
	})
	if err != nil && ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return nil
	}
	return err
}
