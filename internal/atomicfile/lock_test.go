package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// One of many that want a file holds it at a time, and nothing is left of that.
func TestHold(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		t.Skip("there are no locks here")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "leduc.strategy")
	var holders atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for held := 0; held < 100; {
				release, err := Hold(path)
				if errors.Is(err, ErrLocked) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d hold the file", n)
				}
				held++
				holders.Add(-1)
				release()
			}
		})
	}
	group.Wait()
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
}

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
