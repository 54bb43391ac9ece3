// Command gamebots brings bots to game servers and trains the solvers behind
// them.
//
// Each command is a file: it turns flags and settings into one call of a package
// and prints what that returns. Results go to standard output, logs and progress
// to standard error. The exit status is 0 when the command did its work, 1 when it
// failed and 2 when it was not understood.
package main
