package cube

import (
	"slices"
	"strings"
	"testing"
)

// FuzzRead reads any text as a file of sequences. The entries that it has are written as
// a file of the same entries.
func FuzzRead(f *testing.F) {
	f.Add("# a comment\nsnake 3 4 01201 from a paper\ncoil 3 6 012012\n")
	f.Add("snake\t2\t2\t01\n\n coil 2 4 0101 x  y\r\n")
	f.Add("snake 32 1 v\nsnake 40 1 0\n")
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := Read("x", strings.NewReader(text))
		if err != nil {
			return
		}
		var lines []string
		for _, e := range entries {
			lines = append(lines, e.String())
		}
		again, err := Read("x", strings.NewReader(strings.Join(lines, "\n")))
		if err != nil || !slices.EqualFunc(entries, again, func(a, b Entry) bool { return a.String() == b.String() }) {
			t.Fatalf("%q is written as %q, and read as %v: %v", text, lines, again, err)
		}
	})
}
