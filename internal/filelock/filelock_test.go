package filelock

import (
	"errors"
	"path/filepath"
	"runtime"
	"testing"
)

func TestLock(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		t.Skip("there are no locks here")
	}
	path := filepath.Join(t.TempDir(), "lock")
	for range 2 {
		f, err := Lock(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Lock(path); !errors.Is(err, ErrLocked) {
			t.Errorf("a second lock has the error %v", err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
