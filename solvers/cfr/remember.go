package cfr

import (
	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
)

// Remembering returns the same policy for one goroutine: it remembers the bucket
// of the last deal of each round. A player has several decisions in a round, and
// finding the bucket is most of what one takes.
func (p *Policy) Remembering() *Policy {
	index := *p.Index
	index.Buckets = &remembered{Buckets: p.Buckets}
	return &Policy{Index: &index, file: p.file, loaded: p.loaded}
}

// remembered are buckets with those that were asked for last.
type remembered struct {
	Buckets
	deals   [acpc.MaxRounds]abstraction.Deal
	buckets [acpc.MaxRounds]int
}

// Bucket implements Buckets.
func (r *remembered) Bucket(round int, d abstraction.Deal) int {
	if r.deals[round] != d { // the zero value is no deal: it has no cards
		r.buckets[round] = r.Buckets.Bucket(round, d)
		r.deals[round] = d
	}
	return r.buckets[round]
}
