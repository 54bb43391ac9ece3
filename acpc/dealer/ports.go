package dealer

// portNumbers draws ports as the original server does: with random() of the
// GNU C library, an additive feedback generator x[i] = x[i-3] + x[i-31] over
// 32 bits of which the lowest is not used, seeded by the linear congruential
// generator of Park and Miller ("Random number generators: good ones are hard
// to find", 1988).
type portNumbers struct {
	x [31]uint32 // the last numbers, a ring
	i int        // the oldest of them
}

func newPortNumbers(seed uint32) *portNumbers {
	r := &portNumbers{i: 3} // where the original begins
	lehmer := int64(int32(max(seed, 1)))
	for i := range r.x {
		r.x[i] = uint32(lehmer)
		if lehmer = 16807 * lehmer % (1<<31 - 1); lehmer < 0 {
			lehmer += 1<<31 - 1
		}
	}
	for range 10 * len(r.x) { // until the seed is spread over all of them
		r.random()
	}
	return r
}

func (r *portNumbers) random() uint32 {
	n := len(r.x)
	r.x[r.i] += r.x[(r.i+n-3)%n]
	value := r.x[r.i] >> 1
	r.i = (r.i + 1) % n
	return value
}

// next returns a port that needs no privileges.
func (r *portNumbers) next() uint16 {
	const first = 1024
	return uint16(first + r.random()%(1<<16-first))
}
