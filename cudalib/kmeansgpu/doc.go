// Package kmeansgpu finds the nearest of some centres to many vectors, with kernels. The CPU reference implementation
// is in solvers/cfr/abstraction/buckets/cluster.
package kmeansgpu
