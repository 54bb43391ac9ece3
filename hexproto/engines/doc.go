// Package engines shares processors and memory among the engines of many games.
//
// A [Queue] gives turns to think, fairly by the account for which an engine plays. A
// [Memory] keeps engines open between their moves as far as a number of bytes goes, and
// closes those that nobody has used for a while.
package engines
