//go:build unix

package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	for _, want := range []string{"old", "new"} {
		if err := Write(path, []byte(want)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("read %q, %v; want %q", got, err, want)
		}
	}
	abandoned, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := abandoned.WriteString("half"); err != nil {
		t.Fatal(err)
	}
	if err := abandoned.Cleanup(); err != nil {
		t.Fatal(err)
	}
	if _, err := abandoned.WriteString("more"); err == nil || err.Error() != "write "+path+": file already closed" {
		t.Errorf("the error %v does not name the file as its user does", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "new" {
		t.Errorf("an abandoned file left %q", got)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left in the folder: %v", left)
	}
}

func TestWritePrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := WritePrivate(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 || info.Size() != 3 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestCreateRefuses(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, pipe} {
		if _, err := Create(path); !errors.Is(err, errNotRegular) {
			t.Errorf("%s: error %v", path, err)
		}
	}
	missing := filepath.Join(dir, "none", "f")
	if _, err := Create(missing); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), missing+":") {
		t.Errorf("in a missing folder: error %v", err)
	}
}
