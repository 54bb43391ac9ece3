//go:build unix

package strategy

import (
	"errors"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// Whatever goes wrong, the old file stays as it was and nothing is left beside
// it.
func TestFailedWriteKeepsOldFile(t *testing.T) {
	stop := errors.New("stopped")
	value := func(v float32) func([]float32, uint64) error {
		return func(dst []float32, at uint64) error {
			clear(dst)
			if at > 0 {
				dst[1] = v
			}
			return nil
		}
	}
	badText, badParam := kuhnMeta, kuhnMeta
	badText.GameText = "\xff"
	badParam.Exploitability = new(math.NaN())
	const n = 3 * defaultBlockLen
	for name, c := range map[string]struct {
		meta Meta
		fill func([]float32, uint64) error
		want string
	}{
		"fill fails": {kuhnMeta, func(_ []float32, at uint64) error {
			if at > 0 {
				return stop
			}
			return nil
		}, "stopped"},
		"NaN":               {kuhnMeta, value(float32(math.NaN())), "value 4097 is NaN, not a probability"},
		"negative":          {kuhnMeta, value(-0.5), "value 4097 is -0.5, not a probability"},
		"above one":         {kuhnMeta, value(1.5), "value 4097 is 1.5, not a probability"},
		"text not UTF-8":    {badText, value(0), "not UTF-8"},
		"metadata not JSON": {badParam, value(0), "NaN"},
		"full disk":         {kuhnMeta, from(noise(n)), "file too large"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "kuhn.strategy")
			if err := Write(path, kuhnMeta, 24, from(kuhnValues)); err != nil {
				t.Fatal(err)
			}
			if name == "full disk" {
				limitFileSize(t, 20_000)
			}
			err := Write(path, c.meta, n, c.fill)
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v", err)
			}
			if name == "fill fails" && !errors.Is(err, stop) {
				t.Errorf("%v does not wrap fill's error", err)
			}
			if got := readAll(t, open(t, path)); !slices.Equal(got, kuhnValues) {
				t.Error("the old file changed")
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
				t.Errorf("left in the folder: %v, %v", left, err)
			}
		})
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

func TestWriteWhereNoFileCanBe(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"no such folder": filepath.Join(dir, "none", "s"),
		"file as folder": filepath.Join(file, "s"),
		"folder":         dir,
		"pipe":           pipe,
	} {
		err := Write(path, kuhnMeta, 24, from(kuhnValues))
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
}

// A reader keeps the strategy that it opened.
func TestReplaceWhileOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	first, second := noise(10_000), noise(20_000)
	if err := Write(path, kuhnMeta, 10_000, from(first)); err != nil {
		t.Fatal(err)
	}
	reader := open(t, path)
	if err := Write(path, kuhnMeta, 20_000, from(second)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(readAll(t, reader), first) {
		t.Error("the open file changed")
	}
	if !slices.Equal(readAll(t, open(t, path)), second) {
		t.Error("the file was not replaced")
	}
}

func TestFileMode(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o022))
	path := filepath.Join(t.TempDir(), "s")
	if err := Write(path, kuhnMeta, 24, from(kuhnValues)); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode(); got != 0o644 {
		t.Errorf("mode %v", got)
	}
}
