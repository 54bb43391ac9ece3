package beside

import (
	"os"
	"path/filepath"
	"testing"

	"gamebots/internal/usererr"
)

func TestProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), "elsewhere.exe") // which Windows starts, too
	if err := os.WriteFile(elsewhere, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(elsewhere))
	for _, want := range []string{self, elsewhere} {
		if got, err := Program(filepath.Base(want)); got != want || err != nil {
			t.Errorf("%s: found %q, want %q: %v", filepath.Base(want), got, want, err)
		}
	}
	if got, err := Program("nowhere"); err == nil || usererr.Hint(err) == "" {
		t.Errorf("a program that is nowhere is at %q: %v", got, err)
	}
}
