// Package kmeansgpu finds the nearest of some centres to many vectors, with the kernels of
// kernels/kmeans. The CPU reference implementation is in solvers/cfr/abstraction/kmeans.
package kmeansgpu
