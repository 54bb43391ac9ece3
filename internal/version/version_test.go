package version

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A build records its release; a test binary has the fallback, which is the release
// that CHANGELOG.md begins with.
func TestRelease(t *testing.T) {
	if got := Release(); got != fallback {
		t.Errorf("release %q, want %q", got, fallback)
	}
	program := filepath.Join(t.TempDir(), "gamebots")
	if out, err := exec.Command("go", "build", "-o", program, "gamebots/cmd/gamebots").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(program, "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^gamebots [0-9]+\.[0-9]+\.[0-9]+[^ ]* \(go`).Match(out) || strings.Contains(string(out), "devel") {
		t.Errorf("gamebots --version prints %q", out)
	}
}
