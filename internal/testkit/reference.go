package testkit

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// referenceVariable is the environment variable with the folder of the reference data.
const referenceVariable = "GAMEBOTS_REFERENCE"

// ReferenceDir returns a folder of the reference data, $GAMEBOTS_REFERENCE or the
// folder "shared" beside the module's, and skips the test if it is missing. A
// variable that names no folder fails the test: it is probably misspelt.
func ReferenceDir(t testing.TB, sub string) string {
	t.Helper()
	root := os.Getenv(referenceVariable)
	if root == "" {
		root = filepath.Join(moduleRoot(t), "..", "shared")
	} else if info, err := os.Stat(root); err != nil || !info.IsDir() {
		t.Fatalf("%s=%s is not a folder: %v", referenceVariable, root, err)
	}
	dir := filepath.Join(root, filepath.FromSlash(sub))
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		t.Skipf("no reference data: %s is missing (set %s)", dir, referenceVariable)
	}
	return dir
}

// ReferenceFiles returns the reference files that match a pattern of path/filepath with
// slashes, given relative to the root of the reference data. Its first element
// is a folder; where that exists, no match fails the test.
func ReferenceFiles(t testing.TB, pattern string) []string {
	t.Helper()
	dir, rest, _ := strings.Cut(pattern, "/")
	files, err := filepath.Glob(filepath.Join(ReferenceDir(t, dir), filepath.FromSlash(rest)))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no reference file matches %s", pattern)
	}
	return files
}

// EachLine calls f with every line of a file and its location, FILE:LINE. An empty file fails
// the test.
func EachLine(t testing.TB, file string, f func(location, line string)) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<24)
	n := 0
	for lines.Scan() {
		n++
		f(fmt.Sprintf("%s:%d", filepath.Base(file), n), lines.Text())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		t.Errorf("%s is empty", file)
	}
}

// moduleRoot returns the folder of go.mod above the package under test. Without one, as
// for a test binary that runs on another machine, the test is skipped.
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
			t.Skipf("no reference data: there is no go.mod above the test's folder (set %s)", referenceVariable)
		}
		dir = parent
	}
}
