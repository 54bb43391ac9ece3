// Package verify has some jobs of a grid done again by other workers, and names a worker whose results differ.
//
// A job gives the same bytes on all devices of a kind. So the first job of each worker, and a part of the others, are
// done once more by another worker with a device of the same kind. Where the two differ, a third decides.
package verify

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"gamebots/bots/grid"
)

// Grid is a grid whose workers are checked.
type Grid struct {
	Grid grid.Grid
	Part float64 // part of the jobs that are done again, besides the first of each worker

	devices map[string]string // device of each worker that has done a job
	checked map[string]bool   // workers of which a job was done again, or waits for another worker
	copies  int               // number of jobs done again
	checks  map[int]*check    // those in progress, by Job.Check
	due     []grid.Job        // jobs to be done again
	open    []*check          // first jobs, and those with two results that differ, until another worker is known
}

var _ grid.Grid = (*Grid)(nil)

// check is a job that is done again.
type check struct {
	job     grid.Job // as it was done first
	workers []string // who did it
	sums    [][sha256.Size]byte
}

// WrongError is the error of a run in which workers returned different results of a job.
type WrongError struct {
	Worker string   // whose result differs from that of two others, or "" if there was no third
	Among  []string // all who did the job
	Job    grid.Job
	Done   int // results of these workers in the run, or of Worker
}

func (e *WrongError) Error() string {
	if e.Worker == "" {
		return fmt.Sprintf("the workers %s returned different results of %v, and there is no third to decide",
			strings.Join(e.Among, " and "), e.Job)
	}
	return fmt.Sprintf("the worker %s returned a wrong result of %v, among %d results of this run", e.Worker, e.Job,
		e.Done)
}

// Hint returns advice.
func (e *WrongError) Hint() string {
	if e.Worker == "" {
		return "end one of them, and begin the run again; gamebots grid status shows on which machines they are"
	}
	return "end that worker, and begin the run again; gamebots grid status shows on which machine it is"
}

// Run implements grid.Grid. A *WrongError ends it.
func (g *Grid) Run(ctx context.Context, jobs iter.Seq[grid.Job], done func(grid.Job, []byte) error) error {
	if g.devices == nil {
		g.devices, g.checked = map[string]string{}, map[string]bool{}
	}
	g.checks, g.due, g.open = map[int]*check{}, nil, nil
	counts := map[string]int{}
	take := func(job grid.Job, result []byte) error {
		if job.Check > 0 {
			return g.compare(job, result, counts)
		}
		counts[job.Worker]++
		g.devices[job.Worker] = job.Device
		g.open = slices.DeleteFunc(g.open, g.begin)
		if !g.checked[job.Worker] || rand.Float64() < g.Part {
			c := &check{job, []string{job.Worker}, [][sha256.Size]byte{sha256.Sum256(result)}}
			if !g.begin(c) && !g.checked[job.Worker] {
				g.open = append(g.open, c)
			}
			g.checked[job.Worker] = true
		}
		return done(job, result)
	}
	failed := g.withoutCopies(g.Grid.Run(ctx, g.withDue(jobs), take))
	for len(g.due) > 0 && onlyGivenUp(failed) {
		again := g.Grid.Run(ctx, g.withDue(func(func(grid.Job) bool) {}), take)
		failed = errors.Join(failed, g.withoutCopies(again))
	}
	for _, c := range g.open {
		if len(c.sums) == 1 { // a later run checks the worker
			delete(g.checked, c.workers[0])
		} else if onlyGivenUp(failed) {
			return errors.Join(failed, &WrongError{Among: c.workers, Job: c.job})
		}
	}
	return failed
}

// withoutCopies returns the error of a run without the copies of jobs that nobody has tried, as the workers that could
// do them have left: the jobs are done. Results that differ wait for a third worker no more.
func (g *Grid) withoutCopies(err error) error {
	given := (*grid.FailedJobsError)(nil)
	if !errors.As(err, &given) {
		return err
	}
	given.Jobs = slices.DeleteFunc(given.Jobs, func(j grid.FailedJob) bool {
		if j.Job.Check == 0 || j.Tries > 0 {
			return false
		}
		if c := g.checks[j.Job.Check]; len(c.sums) > 1 {
			g.open = append(g.open, c)
		}
		return true
	})
	joined, ok := err.(interface{ Unwrap() []error })
	isGiven := func(e error) bool { return e == error(given) }
	switch {
	case len(given.Jobs) > 0:
		return err
	case !ok || isGiven(err):
		return nil
	}
	return errors.Join(slices.DeleteFunc(slices.Clone(joined.Unwrap()), isGiven)...)
}

// onlyGivenUp reports whether a run has gone to its end.
func onlyGivenUp(err error) bool { return err == nil || errors.As(err, new(*grid.FailedJobsError)) }

// withDue returns jobs, with those that are to be done again as soon as they are known.
func (g *Grid) withDue(jobs iter.Seq[grid.Job]) iter.Seq[grid.Job] {
	return func(yield func(grid.Job) bool) {
		again := func() bool {
			for len(g.due) > 0 {
				job := g.due[0]
				if g.due = g.due[1:]; !yield(job) {
					return false
				}
			}
			return true
		}
		for job := range jobs {
			if !again() || !yield(job) {
				return
			}
		}
		again()
	}
}

// begin has a job done again by a worker that has not done it, if there is one with such a device.
func (g *Grid) begin(c *check) bool {
	other := false
	for worker, device := range g.devices {
		other = other || device == c.job.Device && !slices.Contains(c.workers, worker)
	}
	if !other {
		return false
	}
	g.copies++
	g.checks[g.copies] = c
	job := c.job
	job.Check, job.Not = g.copies, c.workers
	g.due = append(g.due, job)
	return true
}

// compare compares the result of a job that was done again.
func (g *Grid) compare(job grid.Job, result []byte, counts map[string]int) error {
	c := g.checks[job.Check]
	delete(g.checks, job.Check)
	sum := sha256.Sum256(result)
	same := slices.Index(c.sums, sum)
	c.workers, c.sums = append(c.workers, job.Worker), append(c.sums, sum)
	switch {
	case len(c.sums) == 2 && same == 0:
		return nil
	case len(c.sums) == 2:
		if !g.begin(c) {
			g.open = append(g.open, c)
		}
		return nil
	case len(c.sums) == 3 && same >= 0:
		wrong := c.workers[1-same]
		return &WrongError{Worker: wrong, Among: c.workers, Job: c.job, Done: counts[wrong]}
	}
	return &WrongError{Among: c.workers, Job: c.job}
}
