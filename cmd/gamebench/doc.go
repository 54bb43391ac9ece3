// Command gamebench measures the parts of gamebots, and signs the results of fixed work of its
// solvers.
//
// [benches] has them all. Each emits rows, one figure a row; a figure is the median
// of several runs after a warm-up. A bench that can use a GPU measures the CPU first.
// [Sign] times nothing: it does a fixed amount of work of every solver and returns
// one number for its results, which are the same on every machine.
package main
