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

// Centre returns the centre of a bucket's cluster: the part of its runouts in each bin of
// strength for Histogram, the strength against each cluster for OCHS, and nil for other
// features. With perfect recall buckets count within those of the round before.
func (t *Table) Centre(round, bucket int) (values []float64) {
	x := &t.rounds[round]
	if x.Centres == nil {
		return nil
	}
	before := 0.0
	for _, v := range x.Centres.At(x.BucketOf(bucket)) {
		now := float64(v) / 65535
		values = append(values, now-before)
		if x.Feature == Histogram {
			before = now
		}
	}
	if x.Feature == Histogram {
		values = append(values, 1-before)
	}
	return values
}
