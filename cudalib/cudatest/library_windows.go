package cudatest

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"gamebots/cudalib/driver"
)

// library copies the fake driver, so that each has a state of its own. Its folder stays: an open library cannot be
// removed.
func library(t testing.TB, _ fs.FS) (file string) {
	t.Helper()
	source := os.Getenv(LibraryVariable)
	if source == "" {
		t.Skip("no fake driver: the tests of package driver build one and run these")
	}
	code, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "cudatest")
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(folder, driver.FileName)
	if err := os.WriteFile(file, code, 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

func replayer(t testing.TB, _ fs.FS) string {
	t.Skip("ThreadSanitizer runs on Linux")
	return ""
}
