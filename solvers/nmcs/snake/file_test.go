package snake

import (
	"os"
	"strings"
	"testing"

	"gamebots/internal/testkit"
)

// TestReferenceRecords checks the sequences of the reference data.
func TestReferenceRecords(t *testing.T) {
	for _, file := range testkit.ReferenceFiles(t, "snake/records.txt") {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		entries, err := Read(file, f)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Rules.Coil || e.Rules.Dimension < MinDimension || e.Rules.Dimension > MaxDimension {
				continue
			}
			// The board agrees with the checker.
			s := canonical(e.Sequence)
			if b, err := NewBoardAfter(e.Rules.Dimension, s); err != nil || b.Score() != len(s) {
				t.Errorf("line %d: %v", e.Line, err)
			}
		}
		t.Logf("%d sequences", len(entries))
	}
}

// canonical names the dimensions of a sequence in the order of their first use.
func canonical(s Sequence) (named Sequence) {
	names := map[uint8]uint8{}
	for _, m := range s {
		if _, ok := names[m]; !ok {
			names[m] = uint8(len(names))
		}
		named = append(named, names[m])
	}
	return named
}

// Every line is checked, and those that are right are returned beside the errors.
func TestReadAllLines(t *testing.T) {
	entries, err := Read("x", strings.NewReader("snake 3 4\nsnake 3 4 0120\ncoil 3 4 0120\n"+
		strings.Repeat("x\n", 2*maxFaults)))
	lines := strings.Split(err.Error(), "\n")
	if len(entries) != 1 || entries[0].Line != 2 || len(lines) != maxFaults+1 ||
		!strings.HasPrefix(lines[1], "x: line 3: ") || lines[maxFaults] != "x: 1002 more lines have errors" {
		t.Errorf("%v, %d errors, the last one %s", entries, len(lines), lines[len(lines)-1])
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "no sequence",
		"# only a comment":      "no sequence",
		"snake 3 4":             "line 1: not a kind",
		"worm 3 4 0120":         `"worm"`,
		"snake x 4 0120":        `"x"`,
		"snake 3 five 0120":     `"five"`,
		"snake 0 0 -":           "dimension 0 is not",
		"snake 33 1 z":          "dimension 33 is not one of 1 to 32",
		"snake 3 5 0120":        "the sequence has 4 edges",
		"snake 3 4 012!":        "edge 4",
		"\n\nsnake 3 5 01201":   "line 3: edge 5 leads to vertex 4, which touches",
		"coil 3 6 012012\ncoil": "line 2",
	} {
		if entries, err := Read("x", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, error %v, want %q", text, entries, err, want)
		}
	}
}
