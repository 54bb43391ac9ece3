package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/internal/usererr"
)

// A build between releases is called by the next one, which CITATION.cff names and
// CHANGELOG.md does not have yet. What a real build calls itself is checked by .ci/run.
func TestRelease(t *testing.T) {
	release, ok := strings.CutSuffix(next, "-dev")
	if got := Release(); got != next || !ok {
		t.Errorf("release %q, want %q, with -dev at its end", got, next)
	}
	if text := read(t, "../../../CITATION.cff"); !strings.Contains(text, "\nversion: "+next+"\n") {
		t.Errorf("CITATION.cff is not of version %s", next)
	}
	text := read(t, "../../../CHANGELOG.md")
	if !strings.Contains(text, "\n## Unreleased\n") || strings.Contains(text, "\n## "+release) {
		t.Errorf("CHANGELOG.md has no unreleased changes, or has release %s already", release)
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
