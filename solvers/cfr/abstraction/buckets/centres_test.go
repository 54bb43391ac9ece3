package buckets

import "testing"

func TestNewCentres(t *testing.T) {
	if _, ok := NewCentres(L1, 2, []uint16{1, 2, 0, 2}); ok {
		t.Error("centres in descending order are accepted")
	}
}
