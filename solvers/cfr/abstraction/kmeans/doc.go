// Package kmeans groups weighted vectors around centres: k-means by Lloyd's iterations,
// begun by k-means++ (Arthur and Vassilvitskii, SODA 2007).
//
// Vectors have coordinates of 16 bits, and so have centres. All comparisons are of
// integers, and the few sums of fractions are in a fixed order. So a seed gives the same
// centres on every machine and for any number of threads.
//
// A [Set] has the vectors. [Set.Cluster] returns the centres, in ascending order of the sum of their
// coordinates. A [Search] finds the nearest ones of many vectors, on a device, too.
package kmeans
