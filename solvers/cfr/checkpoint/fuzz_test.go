package checkpoint

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// FuzzRead reads a damaged checkpoint: any bytes, or a whole one with a byte exchanged.
// Nothing but the file as it was written is read as a state.
func FuzzRead(f *testing.F) {
	want := noise(300)
	path := filepath.Join(f.TempDir(), "kuhn.checkpoint")
	if err := Write(path, kuhn, want); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole, uint16(0), byte(0))
	f.Add([]byte{}, uint16(40), byte(1))
	f.Fuzz(func(t *testing.T, text []byte, at uint16, change byte) {
		if len(text) == 0 {
			text = bytes.Clone(whole)
			text[int(at)%len(text)] ^= change
		}
		got := make(sums, len(want))
		if _, err := read(bytes.NewReader(text), kuhn, got); err == nil && !bytes.Equal(text, whole) {
			t.Fatalf("%q is read", text)
		}
	})
}
