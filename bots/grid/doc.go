// Package grid spreads work over threads or machines.
//
// Work is cut into jobs. A [Job] is named by its run and its shard, and says by
// its kind, seed and spec what is to be done; the same job gives the same bytes
// wherever and however often it is done. What a kind does is a [Func], and a
// program has a table of them, its [Kinds].
//
// A [Grid] does the jobs of a run and hands each result to whoever started it,
// once:
//
//	g := &grid.Local{Kinds: kinds, Threads: runtime.NumCPU()}
//	err := g.Run(ctx, jobs, func(job grid.Job, result []byte) error {
//		return store(job.Shard, result)
//	})
//
// [Local] does them on threads of this process and needs nothing else.
//
// # What callers can rely on
//
// Jobs are pulled as they are needed and results come in any order, but both on
// the goroutine that called Run: neither the sequence nor the function needs a
// lock. A job whose result is handed over counts as done when the function
// returns nil; an error of it ends the run.
//
// A job that fails, or whose worker dies, is tried again, and after a few tries
// put aside. The others are done all the same, and then Run returns a [*Dead]
// with the last error of each that is missing.
//
// To go on after an interruption, start the same run with the jobs whose results
// are not stored yet.
package grid
