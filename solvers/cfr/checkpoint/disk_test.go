//go:build unix

package checkpoint

import (
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A full disk is an error that leaves the old checkpoint.
func TestFullDisk(t *testing.T) {
	want := noise(300)
	path := written(t, want)
	limitFileSize(t, 20_000)
	if err := Write(path, kuhn, noise(100_000)); err == nil || !strings.Contains(err.Error(), "file too large") {
		t.Errorf("error %v", err)
	}
	got := make(sums, 300)
	if _, err := Read(path, kuhn, got); err != nil || !slices.Equal(got, want) {
		t.Errorf("the old checkpoint changed: %v", err)
	}
}

// limitFileSize makes writes past a size fail, until the test ends, as they do
// on a full disk.
func limitFileSize(t *testing.T, size uint64) {
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: size, Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
			t.Fatal(err)
		}
		signal.Reset(syscall.SIGXFSZ)
	})
}
