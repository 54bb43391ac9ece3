package pcsgpu

import (
	"errors"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

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

// hitBuffers are [Hits] on a device, in N buckets.
type hitBuffers struct {
	Buckets, Starts, Hands driver.Buffer[uint32]
	N                      int
}

// newHitBuffers makes room for hands in at most some buckets.
func newHitBuffers(l *launch.Launcher, buckets, hands int) hitBuffers {
	buckets = min(buckets, hands)
	return hitBuffers{
		Buckets: launch.Alloc[uint32](l, buckets), Starts: launch.Alloc[uint32](l, buckets+1),
		Hands: launch.Alloc[uint32](l, hands),
	}
}

// Upload replaces the hits.
func (b *hitBuffers) upload(s *driver.Stream, h *Hits) error {
	b.N = len(h.Buckets)
	return errors.Join(b.Buckets.Slice(0, b.N).Upload(s, h.Buckets), b.Starts.Slice(0, b.N+1).Upload(s, h.Starts),
		b.Hands.Slice(0, len(h.Hands)).Upload(s, h.Hands))
}
