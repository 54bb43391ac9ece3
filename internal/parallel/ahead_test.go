package parallel

import (
	"sync/atomic"
	"testing"
)

// A sequence gives the values of the places that are asked for, also after a jump, and makes no more
// ahead than it is to.
func TestAhead(t *testing.T) {
	var made, running atomic.Int32
	a := NewAhead(func(at uint64) uint64 {
		running.Add(1)
		defer running.Add(-1)
		made.Add(1)
		return 10 * at
	}, 3, 2)
	for _, at := range []uint64{0, 3, 6, 30, 33, 3} {
		if got := a.Next(at); got != 10*at {
			t.Errorf("the value at %d is %d", at, got)
		}
	}
	a.Wait()
	// Those that were used, and two after each place at which the sequence was left.
	if n := made.Load(); n != 6+3*2 || running.Load() != 0 {
		t.Errorf("%d values were made, %d still are", n, running.Load())
	}
}
