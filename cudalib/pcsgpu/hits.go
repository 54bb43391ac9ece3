package pcsgpu

// NewHits lists the hands of a batch by bucket, those in a bucket in the order of their boards,
// from the bucket of each hand of each board.
func NewHits(bucket []uint32, buckets, hands int) (h Hits) {
	ends := make([]uint32, buckets)
	for _, x := range bucket {
		ends[x]++
	}
	total := uint32(0)
	for x, n := range ends {
		if n > 0 {
			h.Buckets, h.Starts = append(h.Buckets, uint32(x)), append(h.Starts, total)
		}
		total += n
		ends[x] = total - n // moves to the end while hands are listed
	}
	h.Starts = append(h.Starts, total)
	h.Hands = make([]uint32, total)
	for i, x := range bucket {
		h.Hands[ends[x]] = uint32(i/hands)<<HandBits | uint32(i%hands)
		ends[x]++
	}
	return h
}
