package version

import (
	"os"
	"strings"
	"testing"
)

// A build between releases is called by the next one, which CITATION.cff names and
// CHANGELOG.md does not have yet. What a real build calls itself is checked by .ci/run.
func TestRelease(t *testing.T) {
	release, ok := strings.CutSuffix(next, "-dev")
	if got := Release(); got != next || !ok {
		t.Errorf("release %q, want %q, with -dev at its end", got, next)
	}
	if text := read(t, "../../CITATION.cff"); !strings.Contains(text, "\nversion: "+next+"\n") {
		t.Errorf("CITATION.cff is not of version %s", next)
	}
	text := read(t, "../../CHANGELOG.md")
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
