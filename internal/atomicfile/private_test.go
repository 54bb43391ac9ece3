package atomicfile

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestMakePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("rights are others here")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "token")
	for before, want := range map[os.FileMode]os.FileMode{0o644: 0o600, 0o440: 0o400, 0o600: 0o600, 0o777: 0o700} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, before); err != nil {
			t.Fatal(err)
		}
		if err := MakePrivate(path); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%o becomes %v, %v", before, info.Mode(), err)
		}
		os.Remove(path)
	}
	if err := MakePrivate(path); err != nil {
		t.Errorf("no file: %v", err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := MakePrivate(dir); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("a folder becomes %v, %v", info.Mode(), err)
	}
}
