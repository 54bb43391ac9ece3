// Package bench measures the parts of the program, and signs the results of fixed
// work.
//
// [All] lists the benches. Each emits rows, one figure a row; a figure is the median
// of several runs after a warm-up. A bench that can use a GPU measures the CPU first.
// [Sign] times nothing: it does a fixed amount of work of every solver and returns
// one number for its results, which are the same on every machine.
//
// Each subject has a file of its own, mostly of 50 to 250 lines. A package for each would not help:
// it would have one file, and import the rows, the timing and the trainings that all of them share.
package bench
