package server

import (
	"strings"
	"testing"
)

// The archive keeps the games that were asked for last, up to its bytes, and the
// last one whatever its size.
func TestArchiveIsBounded(t *testing.T) {
	ar := newArchive(nil)
	for _, id := range []string{"a", "b", "c"} {
		ar.keep(&archived{id: id, size: archiveSize / 3})
	}
	ar.recent.Get("a")
	ar.keep(&archived{id: "a", size: archiveSize / 3}) // read twice at the same time
	ar.keep(&archived{id: "d", size: archiveSize / 3})
	want := func(ids string) {
		t.Helper()
		for _, id := range strings.Split("abcde", "") {
			if kept := ar.recent.Contains(id); kept != strings.Contains(ids, id) {
				t.Errorf("%s is kept: %v, want %s", id, kept, ids)
			}
		}
	}
	want("acd")
	ar.keep(&archived{id: "e", size: 2 * archiveSize})
	want("e")
	if ar.size.Load() != 2*archiveSize || ar.recent.Len() != 1 {
		t.Errorf("%d games of %d bytes", ar.recent.Len(), ar.size.Load())
	}
}
