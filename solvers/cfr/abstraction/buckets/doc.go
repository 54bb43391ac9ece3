// Package buckets has card abstractions as tables: it keeps them in files, and finds the bucket of a
// hand. Package cluster makes them by clustering hands.
//
// A [Recipe] says for each round what hands are compared by (a [Feature]) and how many
// buckets there are. A [Table] has what package cluster makes of it:
//
//   - Before the last round, hands are compared by the histogram of their strengths over all
//     cards to come, and the earth mover's distance.
//   - On full boards they are compared by their strengths against clusters of the opponent's
//     hole cards, and the Euclidean distance.
//   - Hands that differ only in the names of suits are one point, which counts as often as
//     it is dealt.
//
// A bucket forgets the rounds before unless the recipe asks for perfect recall.
//
// A Table has the bucket of every hand, and the centres of the clusters. A strategy's file
// carries [Table.Compact], which leaves out the buckets that a player can compute from the
// centres in time. Features, centres and distances are integers, so both find the same
// buckets on every machine.
//
// [Holdings] and [Showdown] have what hands are compared by, [Centres] and [Neighbours] find the nearest of
// some vectors: package cluster makes tables with them.
package buckets
