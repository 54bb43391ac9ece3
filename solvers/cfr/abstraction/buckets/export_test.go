package buckets

import "slices"

// WithoutBuckets returns the table without the buckets of hands, which are computed then.
func (t *Table) WithoutBuckets() *Table {
	computed := *t
	computed.rounds = slices.Clone(t.rounds)
	for i := range computed.rounds {
		computed.rounds[i].Bucket = nil
	}
	return &computed
}
