// Package cluster makes card abstractions by clustering hands, as a [buckets.Recipe] says:
//
//	table, err := cluster.Build(ctx, game, recipe, cluster.Options{Threads: runtime.NumCPU()})
//	err = table.Write("mine.buckets")
//
// It computes the features of all hands exactly, and clusters them by k-means. [Make] does so for a file,
// and goes on with rounds that were finished before. Package buckets has what is made, and needs no
// clustering to be read.
package cluster
