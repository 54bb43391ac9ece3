package buckets

import (
	"bytes"
	"fmt"
	"testing"
)

// Numbers are read unless one of them is larger than the largest, in any place.
func TestReadNumbers(t *testing.T) {
	for _, largest := range []uint32{0, 199, 255, 256, 2999, 65535, 65536, 1 << 20} {
		for n := range 12 {
			x := NewNumbers(n, largest)
			for i := range n {
				x.Set(i, largest)
			}
			check := func(name string, fits bool) {
				t.Helper()
				read, err := readNumbers(bytes.NewReader(x.Data), n, largest)
				if fits != (err == nil) || fits && !bytes.Equal(read.Data, x.Data) {
					t.Errorf("%d numbers up to %d, %s: %v", n, largest, name, err)
				}
			}
			check("all the largest", true)
			if NumberBytes(largest+1) > x.Width {
				continue
			}
			for i := range n {
				x.Set(i, largest+1)
				check(fmt.Sprintf("number %d one larger", i), false)
				x.Set(i, 0)
				check(fmt.Sprintf("number %d zero", i), true)
			}
		}
	}
}
