//go:build unix

package atomicfile

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// What a killed program was writing is removed, and nothing else: not what a running
// one writes, nor files of other names.
func TestRemoveAbandoned(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "leduc.strategy")
	stay := []string{".leduc.strategy", ".leduc.strategy.checkpoint17", ".leduc.strategyx1", ".leduc.strategy-1",
		"leduc.strategy17", ".other.strategy17"}
	for _, name := range append([]string{".leduc.strategy17", ".leduc.strategy6137507869667799594"}, stay...) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".leduc.strategy18"), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	stay = append(stay, ".leduc.strategy18", filepath.Base(f.Name()))
	RemoveAbandoned(path)
	var left []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		left = append(left, e.Name())
	}
	slices.Sort(stay)
	if !slices.Equal(left, stay) {
		t.Errorf("left: %q, want %q", left, stay)
	}
	if err := f.Commit(); err != nil {
		t.Error(err)
	}
}

// Removing beside writers takes no file from them.
func TestRemoveAbandonedBesideWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for range 100 {
				if err := Write(path, []byte("text")); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	done := make(chan bool)
	go func() { writers.Wait(); close(done) }()
	for {
		select {
		case <-done:
			return
		default:
			RemoveAbandoned(path)
		}
	}
}
