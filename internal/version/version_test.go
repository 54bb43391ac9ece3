package version

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A build records its release; a test binary has the fallback, which is the latest
// release of CHANGELOG.md.
func TestRelease(t *testing.T) {
	if got := Release(); got != fallback {
		t.Errorf("release %q, want %q", got, fallback)
	}
	changes, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	if latest := regexp.MustCompile(`(?m)^## (\S+)`).FindSubmatch(changes); latest == nil || string(latest[1]) != fallback {
		t.Errorf("CHANGELOG.md begins with release %q, want %q", latest, fallback)
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
