//go:build unix

package checkpoint

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"testing"
)

// A full disk is an error that leaves the old checkpoint.
func TestFullDisk(t *testing.T) {
	want := noise(300)
	path := written(t, want)
	limitFileSize(t, 20_000)
	// A state in parts that all fail gives one error.
	err := Write(path, kuhn, parts{noise(600_000), noise(600_000)})
	if want := "write checkpoint " + path + ": write " + path + ": file too large"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	got := make(sums, 300)
	if _, err := Read(path, kuhn, got); err != nil || !slices.Equal(got, want) {
		t.Errorf("the old checkpoint changed: %v", err)
	}
}

// parts are a state that writes all of itself whatever happens.
type parts [2]sums

func (p parts) WriteState(w io.Writer) error {
	return errors.Join(p[0].WriteState(w), p[1].WriteState(w))
}

func (p parts) ReadState(r io.Reader) error {
	return errors.Join(p[0].ReadState(r), p[1].ReadState(r))
}

// A damaged block is one error, too.
func TestDamagedParts(t *testing.T) {
	state := parts{noise(300_000), noise(300_000)}
	path := written(t, state)
	data := must(os.ReadFile(path))
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Read(path, kuhn, state)
	if want := path + ": checkpoint corrupt: block 1 does not match its checksum"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
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
