package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/internal/usererr"
)

// CITATION.cff names the version of the source, and CHANGELOG.md has it, or unreleased changes
// of the next one.
func TestRelease(t *testing.T) {
	if text := read(t, "../../../CITATION.cff"); !strings.Contains(text, "\nversion: "+Release()+"\n") {
		t.Errorf("CITATION.cff is not of version %s", Release())
	}
	next, dev := strings.CutSuffix(Release(), "-dev")
	text := read(t, "../../../CHANGELOG.md")
	if strings.Contains(text, "\n## Unreleased\n") != dev || strings.Contains(text, "\n## "+next+" (") == dev {
		t.Errorf("CHANGELOG.md does not have what release %s is about", Release())
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestBeside(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), "elsewhere.exe") // Windows starts it, too
	if err := os.WriteFile(elsewhere, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(elsewhere))
	for _, want := range []string{self, elsewhere} {
		if got, err := Beside(filepath.Base(want)); got != want || err != nil {
			t.Errorf("%s: found %q, want %q: %v", filepath.Base(want), got, want, err)
		}
	}
	if got, err := Beside("nowhere"); err == nil || usererr.Hint(err) == "" {
		t.Errorf("a program that is nowhere is at %q: %v", got, err)
	}
}
