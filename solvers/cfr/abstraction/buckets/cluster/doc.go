// Package cluster makes card abstractions by clustering hands, as a [buckets.Recipe] says:
//
//	table, err := cluster.Build(ctx, game, recipe, cluster.Options{Threads: runtime.NumCPU()})
//	err = table.Write("mine.buckets")
//
// It computes the features of all hands exactly, and clusters them by k-means: Lloyd's iterations, begun
// by k-means++ (Arthur and Vassilvitskii, SODA 2007). Vectors and centres have coordinates of 16 bits. All
// comparisons are of integers, and the few sums of fractions are in a fixed order: a seed gives the same
// centres on every machine, for any number of threads, and on a device. [Make] does so for a file,
// and goes on with rounds that were finished before. Package buckets has what is made, and needs no
// clustering to be read.
package cluster
