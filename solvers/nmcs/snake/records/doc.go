// Package records searches for snakes and coils as long as the longest known ones, by algorithms
// beyond the published ones of package snake.
//
// # Searches
//
// [Beam] is the published beam search, and makes that of a [Symmetry] of the snake or coil
// smaller. [Improve] replaces parts of a snake by beam searches. [Halves] grows the two halves of
// a snake or coil in turn, by beam searches, and finds the longest. [Walk] replaces parts of a
// snake by others of the same length, again and again, until some can be longer. All can begin
// with a given sequence, the prime.
//
// [Search] is a whole search by any of these or by package snake, with a checkpoint and progress;
// it is what "gamebots solve snake" does.
//
// # Devices
//
// Searches on a GPU return the same sequences as on the CPU, except for Halves, whose chains share
// their results and so depend on time.
package records
