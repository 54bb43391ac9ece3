// Package browse shows trained strategies, one decision at a time.
//
// A [Strategy] is at a [Point]: a betting sequence and the board as far as it is dealt.
// [Strategy.At] returns the [Node] there: the legal actions, and for every hand the
// probability that it reaches the point, its bucket, and the probabilities of its actions.
// In small games a node has values, too: what each action wins against the strategy. A Node
// is also the JSON of a strategy browser. [Compare] lists the information sets in which two
// strategies differ most. [Text] writes both for people, [Node.WriteCSV] and [WriteDifferences]
// for programs, and [WriteStrategy] a whole strategy.
package browse
