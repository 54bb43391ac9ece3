package pcsgpu

import (
	"errors"
	"math/bits"
	"slices"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
	"gamebots/cudalib/segmentgpu"
)

// none stands for no value and no column.
const none = segmentgpu.None

// The kinds of ends: what the opponent does before them.
const (
	fold  = iota
	raise // a raise, which the player folds to or calls
	call  // or check
	kinds
)

// Pass has the layout of the struct Pass of kernels/ends.cuh: ends that are valued at once.
type Pass struct {
	Length                                  uint32
	Path                                    [segmentgpu.MaxPath]uint32
	Column, Bits, Choices, Folds, Showdowns [kinds]uint32
}

// SumBytes is the shared memory for the sums of a card in a lane, in a block that values a pass.
const SumBytes = 16

// PassesOf puts ends into passes: those that follow a decision of the opponent, of whose decisions
// in the round a list is given.
func PassesOf(ends []segmentgpu.End, opponent []segmentgpu.Decision) (passes []Pass) {
	for _, e := range ends {
		kind := raise
		if e.Fold == none {
			kind = call
		} else if e.Showdown == none {
			kind = fold
		}
		before, column := e.Path, none
		if last := len(e.Path) - 1; last >= 0 {
			before, column = e.Path[:last], e.Path[last]
		}
		has := func(p *Pass, kind int) bool { return p.Folds[kind] != none || p.Showdowns[kind] != none }
		i := slices.IndexFunc(passes, func(p Pass) bool {
			return slices.Equal(p.Path[:p.Length], before) && column != none &&
				(!has(&p, kind) || kind == fold && !has(&p, raise))
		})
		if i < 0 {
			i = len(passes)
			passes = append(passes, newPass(before))
		}
		p := &passes[i]
		if has(p, kind) {
			kind = raise // a second fold
		}
		p.Column[kind], p.Folds[kind], p.Showdowns[kind] = column, e.Fold, e.Showdown
		p.Bits[kind], p.Choices[kind] = choicesOf(e.Path, opponent)
	}
	return passes
}

// newPass returns a pass without ends.
func newPass(path []uint32) (p Pass) {
	p.Path, p.Length = segmentgpu.Padded(path)
	for kind := range kinds {
		p.Column[kind], p.Folds[kind], p.Showdowns[kind] = none, none, none
	}
	return p
}

// choicesOf returns the choices of a player that plays a path, and their bits. Those of a decision
// follow on those of the one before it in the list.
func choicesOf(path []uint32, decisions []segmentgpu.Decision) (mask, choices uint32) {
	for _, column := range path {
		at := 0
		for _, d := range decisions {
			size := bits.Len32(d.Actions - 1)
			if action := column - d.Column; column >= d.Column && action < d.Actions {
				mask |= (1<<size - 1) << at
				choices |= action << at
			}
			at += size
		}
	}
	return mask, choices
}

// ChoiceBits returns how many bits the choices of a player take that has these decisions.
func ChoiceBits(decisions []segmentgpu.Decision) (n int) {
	for _, d := range decisions {
		n += bits.Len32(d.Actions - 1)
	}
	return n
}

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
