package cudalib

import (
	"errors"
	"testing"
)

// A driver that hangs is an error where a GPU was asked for, and else no reason
// not to work.
func TestHangingDriver(t *testing.T) {
	hang := func() ([]*Device, error) { select {} }
	if d, why, err := (Choice{}).open(0, hang); d != nil ||
		why != "the CPU: the driver did not answer in time" || err != nil {
		t.Errorf("auto is %v, because of %q: %v", d, why, err)
	}
	if d, _, err := (Choice{kind: cuda}).open(0, hang); d != nil || !errors.Is(err, ErrNoAnswer) {
		t.Errorf("cuda is %v: %v", d, err)
	}
	if d, why, err := (Choice{kind: cpu}).open(0, hang); d != nil || why == "" || err != nil {
		t.Errorf("cpu is %v, because of %q: %v", d, why, err)
	}
}
