package cube

import "math/bits"

// spread adds to the vertices of a word the free ones beside them, in one dimension after the
// other. It must be repeated to reach all.
func spread(r, free uint64) uint64 {
	r |= ((r&0x5555555555555555)<<1 | r>>1&0x5555555555555555) & free
	r |= ((r&0x3333333333333333)<<2 | r>>2&0x3333333333333333) & free
	r |= ((r&0x0f0f0f0f0f0f0f0f)<<4 | r>>4&0x0f0f0f0f0f0f0f0f) & free
	r |= ((r&0x00ff00ff00ff00ff)<<8 | r>>8&0x00ff00ff00ff00ff) & free
	r |= ((r&0x0000ffff0000ffff)<<16 | r>>16&0x0000ffff0000ffff) & free
	return r | (r<<32|r>>32)&free
}

// Flood sets r to the free vertices that can be reached from some vertices through free ones,
// and returns their number. Both sets have a bit per vertex: see [Rules.Words].
func Flood(r, free []uint64, from ...uint32) int {
	clear(r)
	for _, from := range from {
		r[from>>6] |= near[from&63]
		for step := 1; step < len(r); step *= 2 {
			r[from>>6^uint32(step)] |= 1 << (from & 63)
		}
	}
	if len(r) == 4 {
		return flood4((*[4]uint64)(r), (*[4]uint64)(free))
	}
	for i := range r {
		r[i] &= free[i]
	}
	for {
		changed := uint64(0)
		for i, before := range r {
			if before != 0 {
				r[i] = spread(before, free[i])
				changed |= before ^ r[i]
			}
		}
		for step := 1; step < len(r); step *= 2 {
			for i := range r {
				if more := r[i^step] & free[i] &^ r[i]; more != 0 {
					r[i] |= more
					changed |= more
				}
			}
		}
		if changed == 0 {
			break
		}
	}
	n := 0
	for _, x := range r {
		n += bits.OnesCount64(x)
	}
	return n
}

// flood4 is the loop of Flood for up to eight dimensions.
func flood4(set, free *[4]uint64) int {
	f0, f1, f2, f3 := free[0], free[1], free[2], free[3]
	r0, r1, r2, r3 := set[0]&f0, set[1]&f1, set[2]&f2, set[3]&f3
	for {
		s0, s1, s2, s3 := r0, r1, r2, r3
		r0, r1, r2, r3 = spread(r0, f0), spread(r1, f1), spread(r2, f2), spread(r3, f3)
		r0, r1, r2, r3 = r0|r1&f0, r1|r0&f1, r2|r3&f2, r3|r2&f3
		r0, r1, r2, r3 = r0|r2&f0, r1|r3&f1, r2|r0&f2, r3|r1&f3
		if r0 == s0 && r1 == s1 && r2 == s2 && r3 == s3 {
			break
		}
	}
	*set = [4]uint64{r0, r1, r2, r3}
	return bits.OnesCount64(r0) + bits.OnesCount64(r1) + bits.OnesCount64(r2) + bits.OnesCount64(r3)
}
