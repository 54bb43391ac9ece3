package snake

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// FuzzLoad reads anything as a checkpoint. What is one is saved as the same tally.
func FuzzLoad(f *testing.F) {
	path := filepath.Join(f.TempDir(), "x.checkpoint")
	s := Settings{Dimension: 4, Level: 1, Leaf: 1}
	var t Tally
	if err := Run(f.Context(), &t, s, 3, 1, nil); err != nil {
		f.Fatal(err)
	}
	if err := Save(path, s, &t); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[:len(text)/2])
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		tally, err := Load(path, s)
		if err != nil {
			return
		}
		if err := Save(path, s, &tally); err != nil {
			t.Fatal(err)
		}
		if again, err := Load(path, s); err != nil || !reflect.DeepEqual(again, tally) {
			t.Fatalf("%q is saved as %v: %v", text, again, err)
		}
	})
}

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
