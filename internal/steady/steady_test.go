package steady

import (
	"testing"
	"time"
	"unsafe"
)

// A moment after the system's clock was put forward by an hour is as late as it
// would have been without.
func TestClockJump(t *testing.T) {
	before := time.Now()
	after := before.Add(time.Second)
	jump(&after, time.Hour)
	if d := after.Round(0).Sub(before.Round(0)); d != time.Hour+time.Second {
		t.Fatalf("the test's own jump is %v", d)
	}
	if d := Of(after).Round(0).Sub(Of(before).Round(0)); d != time.Second {
		t.Errorf("the steady clock went on by %v", d)
	}
}

// jump changes the time of day of a moment and leaves its monotonic reading.
func jump(t *time.Time, by time.Duration) {
	// The first field has the seconds of the day from its bit 30, see package time.
	*(*int64)(unsafe.Pointer(t)) += int64(by/time.Second) << 30
}
