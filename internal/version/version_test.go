package version

import (
	"os"
	"regexp"
	"testing"
)

// A test binary has the fallback, which is the latest release of CHANGELOG.md. The
// release that a build records is checked by .ci/run.
func TestRelease(t *testing.T) {
	if got := Release(); got != fallback {
		t.Errorf("release %q, want %q", got, fallback)
	}
	changes, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	if latest := regexp.MustCompile(`(?m)^## ([0-9]\S+)`).FindSubmatch(changes); latest == nil || string(latest[1]) != fallback {
		t.Errorf("CHANGELOG.md begins with release %q, want %q", latest, fallback)
	}
}
