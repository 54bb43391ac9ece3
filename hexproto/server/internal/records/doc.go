// Package records reads the finished games of a board server's database: lists of them,
// sums of their results, and the history of ratings.
//
// A [Query] is what the parameters of /records/ ask for, which docs/hexproto.md
// describes. Every query walks an index from the newest game back and stops at its
// limit.
package records
