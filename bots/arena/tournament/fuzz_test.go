package tournament

import (
	"testing"

	"gamebots/bots/arena"
)

// FuzzUnbundle reads anything as the data of a run.
func FuzzUnbundle(f *testing.F) {
	text, err := bundle(&arena.Plan{Name: "x", Kind: arena.Poker}, false)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(append(text, 2, 'a', 'b', 0))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, shared []byte) {
		p, _, files, err := unbundle(shared)
		if err != nil {
			return
		}
		size := 0
		for _, text := range files {
			size += len(text)
		}
		if p == nil || size > len(shared) {
			t.Fatalf("%q: plan %v and %d bytes of files", shared, p, size)
		}
	})
}
