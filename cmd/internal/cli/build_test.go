package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gamebots/internal/usererr"
)

// CITATION.cff names the version of the source and, of a release, its date, with which CHANGELOG.md begins; so it does
// with unreleased changes before. The pages name the files of this version.
func TestRelease(t *testing.T) {
	const top = "../../../"
	next, dev := strings.CutSuffix(Release(), "-dev")
	cited := "\nversion: " + Release() + "\n"
	if date := datePattern.FindString(read(t, top+"CHANGELOG.md")); !dev {
		cited += "date-released: " + date + "\n"
	}
	text := read(t, top+"CITATION.cff")
	if !strings.Contains(text, cited) || strings.Contains(text, "date-released") == dev {
		t.Errorf("CITATION.cff does not have %q", cited)
	}
	first := regexp.MustCompile(`(?m)^## .*`).FindString(read(t, top+"CHANGELOG.md"))
	if dev && first != "## Unreleased" || !dev && !strings.HasPrefix(first, "## "+next+" (") {
		t.Errorf("CHANGELOG.md begins with %q, not with what release %s is about", first, Release())
	}
	for _, page := range []string{"docs/install.md", "docs/library.md"} {
		named := regexp.MustCompile(`gamebots(?:-|_|:|@v)(\d+\.\d+\.\d+)`).FindAllStringSubmatch(read(t, top+page), -1)
		for _, name := range named {
			if name[1] != next {
				t.Errorf("%s names %s, and this is %s", page, name[0], next)
			}
		}
		if len(named) == 0 {
			t.Errorf("%s names no version", page)
		}
	}
}

// datePattern matches a date; the first of CHANGELOG.md is that of the newest release.
var datePattern = regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)

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
