// Package engines describes the bots that a server itself plays, and shares processors
// and memory among their engines in many games.
//
// A [Bot] is what a server has to know of one.
// A [Queue] gives turns to think, fairly by the account for which an engine plays. A
// [Memory] keeps engines open between their moves as far as its bytes suffice, and
// closes those that nobody has used for a while.
package engines
