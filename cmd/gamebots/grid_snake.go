package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"gamebots/bots/grid"
	"gamebots/bots/grid/jobs"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
)

// The kinds of a search for snakes. Specs and results are JSON: of some runs a
// runsSpec and an nmcs.Tally, of a beam search a beamSpec and a beamFound.
const (
	runsKind = "snake-runs"
	beamKind = "snake-beam"
)

// runsSpec are the runs from one number to another.
type runsSpec struct {
	Settings snake.Settings
	From, To uint64
}

func runsJob(ctx context.Context, job grid.Job) ([]byte, error) {
	var spec runsSpec
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

// jobTime is how long a job of several runs is to be: long beside what handing
// it out costs, and short beside what is waited for.
const jobTime = time.Second / 2

// runsOnGrid does runs of nmcs or nrpa on a grid. Where it is stopped, what was
// found in jobs that were not done is not known.
func (s *snakeSearch) runsOnGrid(ctx context.Context) error {
	g, end, err := s.grid.open(ctx, s.threads)
	if err != nil {
		return err
	}
	defer end()
	next, open := s.tally.Runs, 0
	jobs := func(yield func(grid.Job) bool) {
		name := jobs.NewRun("snake")
		for shard := 0; s.runs == 0 || next < s.runs; shard++ {
			to := next + s.block(next, open)
			spec, err := json.Marshal(runsSpec{s.Settings, next, to})
			if err != nil {
				panic(err) // numbers and names
			}
			next = to
			open++
			if !yield(grid.Job{Run: name, Shard: shard, Seed: s.Seed, Kind: runsKind, Spec: spec}) {
				return
			}
		}
	}
	ahead := map[int]nmcs.Tally{} // of runs before which others are missing
	after := 0
	err = g.Run(ctx, jobs, func(job grid.Job, result []byte) error {
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
			s.tally.Merge(t)
		}
		s.progress()
		return s.err
	})
	for _, t := range ahead { // as nmcs.Do has it
		s.tally.UpdateBest(t.Best, t.FoundBy)
		s.tally.Work.Add(t.Work)
	}
	if ctx.Err() != nil {
		return nil // stopped, by --time or a signal
	}
	return err
}

// block is how many runs the next job has, by how fast they went and how many
// jobs are open. Results do not depend on it.
func (s *snakeSearch) block(next uint64, open int) uint64 {
	rate := float64(s.tally.Runs) / time.Since(s.start).Seconds() // of all jobs together
	n := uint64(rate * jobTime.Seconds() / float64(open+1))
	if s.runs > 0 {
		n = min(n, (s.runs-next)/uint64(4*(open+1))) // none is to be waited for in the end
	}
	return max(1, n)
}

// beamSpec is a beam search, which with more runs than one is improved.
type beamSpec struct {
	Settings snake.Settings
	Runs     uint64
}

// beamFound is what came of it.
type beamFound struct {
	Tally    nmcs.Tally
	Sequence string // the longest
}

func beamJob(ctx context.Context, job grid.Job) ([]byte, error) {
	var spec beamSpec
	if err := json.Unmarshal(job.Spec, &spec); err != nil {
		return nil, err
	}
	var out beamFound
	var longest cube.Sequence
	count := func(found cube.Sequence, work nmcs.Work) {
		out.Tally.Count(nmcs.Line{Score: len(found)}, work)
		if len(found) > len(longest) {
			longest = found
		}
	}
	beam := func(ctx context.Context, x snake.Settings) (cube.Sequence, nmcs.Work, error) {
		return snake.Beam(ctx, x, 1, nil)
	}
	found, work, err := beam(ctx, spec.Settings)
	if err != nil {
		return nil, err
	}
	count(found, work)
	if spec.Runs > 1 && len(found) > 0 {
		if err := snake.Improve(ctx, spec.Settings, found, spec.Runs-1, beam, count); err != nil {
			return nil, err
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	out.Sequence = longest.String()
	return json.Marshal(out)
}

// restart does beam searches with seeds of their own, the first of which is the
// search's.
func (s *snakeSearch) restart(ctx context.Context) error {
	g, end, err := s.grid.open(ctx, s.threads)
	if err != nil {
		return err
	}
	defer end()
	runs := uint64(1)
	if s.improve {
		runs = s.runs
	}
	jobs := func(yield func(grid.Job) bool) {
		name := jobs.NewRun("snake")
		for i := range s.restarts {
			spec := beamSpec{s.Settings, runs}
			spec.Settings.Seed += uint64(i) << 32 // an improvement counts up from its seed
			text, err := json.Marshal(spec)
			if err != nil {
				panic(err) // numbers and names
			}
			if !yield(grid.Job{Run: name, Shard: i, Seed: spec.Settings.Seed, Kind: beamKind, Spec: text}) {
				return
			}
		}
	}
	by := math.MaxInt // the restart that found what is kept
	err = g.Run(ctx, jobs, func(job grid.Job, result []byte) error {
		var f beamFound
		if err := json.Unmarshal(result, &f); err != nil {
			return err
		}
		found, err := cube.ParseSequence(f.Sequence)
		if err != nil {
			return fmt.Errorf("restart %d: %w", job.Shard, err)
		}
		f.Tally.Runs += s.tally.Runs
		s.tally.Merge(f.Tally)
		s.tally.Time = time.Since(s.start)
		if len(found) > len(s.found) || len(found) == len(s.found) && job.Shard < by {
			if len(found) > len(s.found) {
				s.log.Info().Int("best", len(found)).Int("restart", job.Shard).Str("sequence", found.String()).Msg("found")
			}
			s.found, by = found, job.Shard
		}
		return nil
	})
	if ctx.Err() != nil {
		return nil // stopped, by --time or a signal
	}
	return err
}
