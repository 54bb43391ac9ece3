// Command gamebots connects bots to game servers, and trains and runs the solvers behind
// them.
//
// Each command is a file. It turns flags and settings into one call of a package and
// prints the result. Results go to standard output, logs and progress to standard error.
// The exit status is 0 for success, 1 for failure and 2 for a command line that was not
// understood.
package main
