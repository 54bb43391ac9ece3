// Package spotstudy is for people who study solved spots of no-limit hold'em.
//
// [Walk] leads a person through a solution from point to point, and in a [Practice] the person
// plays against it and is judged. [ReadBoards] reads boards on which a spot is to be
// solved, and [Flops] returns some that stand for all flops; a [Table] prints what was found on them.
//
// A [Report] writes what a solution has at some points of a spot: as text with grids and tables, as CSV, and as JSON.
// The CSV, edited, is read as locks of strategies by [ReadLocks].
package spotstudy
