package testkit

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// observed is a test that ends with a panic of how it ended.
type observed struct{ testing.TB }

func (o observed) Fatalf(format string, args ...any) { panic("fatal: " + fmt.Sprintf(format, args...)) }
func (o observed) Skipf(format string, args ...any)  { panic("skip: " + fmt.Sprintf(format, args...)) }

// Where a test runs without its module it is skipped.
func TestReferenceDirWithoutModule(t *testing.T) {
	t.Setenv(referenceVariable, "")
	t.Chdir(t.TempDir())
	defer func() {
		if end := recover(); end == nil || !strings.HasPrefix(end.(string), "skip: ") {
			t.Errorf("ended with %v, want a skip", end)
		}
	}()
	ReferenceDir(observed{t}, ".")
}

// ReferenceDir skips without data, and fails where the place of the data is wrong.
func TestReferenceDir(t *testing.T) {
	data := t.TempDir()
	for _, c := range []struct{ root, sub, want string }{
		{data, ".", data},
		{data, "absent", "skip: no reference data: "},
		{filepath.Join(data, "absent"), ".", "fatal: GAMEBOTS_REFERENCE="},
	} {
		t.Setenv(referenceVariable, c.root)
		got := func() (got string) {
			defer func() {
				if end := recover(); end != nil {
					got = end.(string)
				}
			}()
			return ReferenceDir(observed{t}, c.sub)
		}()
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s in %s: %q, want %q", c.sub, c.root, got, c.want)
		}
	}
}
