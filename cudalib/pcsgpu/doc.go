// Package pcsgpu trains games of two players on a GPU by public chance sampling, see
// package pcs of the solvers.
package pcsgpu
