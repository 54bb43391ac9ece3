// Package grid spreads work over threads or machines.
//
// Work is cut into jobs. A [Job] is identified by its run and its shard. Its kind, seed
// and spec describe the work; the same job gives the same bytes wherever and however
// often it is done. A [Func] does the jobs of a kind, and [Kinds] is a program's table
// of them.
//
// A [Grid] does the jobs of a run and passes each result to its caller, once:
//
//	g := &grid.Local{Kinds: kinds, Threads: runtime.NumCPU()}
//	err := g.Run(ctx, jobs, func(job grid.Job, result []byte) error {
//		return store(job.Shard, result)
//	})
//
// [Local] does them on threads of this process, package remote on other machines. The
// jobs of gamebots itself are in package jobs.
//
// # Guarantees
//
// Jobs are pulled as they are needed, and results come in any order, but both on the
// goroutine that called Run: neither the sequence nor the function needs a lock. A job
// is done when the function returns nil for its result. An error of the function ends
// the run.
//
// A job that fails, or whose worker dies, is tried again, and given up after a few
// tries. Run does all other jobs and then returns a [*FailedJobsError].
//
// To resume an interrupted run, start it again with the jobs whose results are not
// stored yet.
package grid
