package snake

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"gamebots/solvers/nmcs"
)

// FuzzLoad reads anything as a checkpoint. What is one is saved as the same tally.
func FuzzLoad(f *testing.F) {
	path := filepath.Join(f.TempDir(), "x.checkpoint")
	s := Settings{Dimension: 4, Level: 1, Leaf: 1}
	var t nmcs.Tally
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
