// Command gamebench measures the parts of gamebots, and signs the results of fixed work of its
// solvers. What it measures is in package bench.
package main
