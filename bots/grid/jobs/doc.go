// Package jobs has the jobs that the commands of gamebots spread over a grid, and the
// functions that make runs of them.
//
// For each kind there is the function that a worker needs ([SelfPlayJob], [BoardJob], …), and
// the one that makes a run of such jobs on a grid and collects the results
// ([PlayOn], [SolveBoards], …). A program that registers the functions by
// their kinds can be a worker of gamebots' runs. The shards of the arena are jobs of
// package tournament.
package jobs
