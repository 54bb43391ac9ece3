// Package reftest finds the reference data that TestReference tests read.
package reftest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Dir returns a folder of the reference data, $GAMEBOTS_REFERENCE or the
// folder "shared" beside the module's, and skips the test where it is missing.
func Dir(t testing.TB, sub string) string {
	t.Helper()
	root := os.Getenv("GAMEBOTS_REFERENCE")
	if root == "" {
		root = filepath.Join(moduleRoot(t), "..", "shared")
	}
	dir := filepath.Join(root, filepath.FromSlash(sub))
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		t.Skipf("no reference data: %s is missing (set GAMEBOTS_REFERENCE)", dir)
	}
	return dir
}

// Files returns the reference files that match a pattern of path/filepath with
// slashes, given relative to the root of the reference data. Its first element
// is a folder; where that exists, no match fails the test.
func Files(t testing.TB, pattern string) []string {
	t.Helper()
	dir, rest, _ := strings.Cut(pattern, "/")
	files, err := filepath.Glob(filepath.Join(Dir(t, dir), filepath.FromSlash(rest)))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no reference file matches %s", pattern)
	}
	return files
}

// moduleRoot returns the folder of go.mod above the package under test.
func moduleRoot(t testing.TB) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the test's folder")
		}
		dir = parent
	}
}
