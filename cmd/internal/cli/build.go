package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"

	"gamebots/internal/usererr"
)

// next is what a build between releases calls itself: the next release, with -dev.
const next = "0.2.0-dev"

// Release returns the version of the main module as the Go command recorded it,
// without the v: a release such as 0.1.0, or a pseudo-version after one. Where the Go command
// recorded none (outside of a repository, in a clone without tags, and in tests), it returns
// the next release with -dev.
func Release() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		v, ok := strings.CutPrefix(info.Main.Version, "v")
		if ok && info.Main.Path == "gamebots" && !strings.HasPrefix(v, "0.0.0-") {
			return v
		}
	}
	return next
}

// Build names this build: its release, and the revision of the source where the Go
// command recorded it. Workers and owners of jobs compare it, because another build
// may return other results.
func Build() string { return strings.TrimSuffix(Release()+" "+Commit(), " ") }

// Commit returns the first digits of the source's revision, followed by " modified" if the
// source was changed after it; "" where the Go command recorded none.
func Commit() (text string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			text = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			text += " modified"
		}
	}
	return text
}

// Beside returns the path of a program that lies beside this one, or else in PATH.
func Beside(name string) (string, error) {
	if self, err := os.Executable(); err == nil {
		if linked, err := filepath.EvalSymlinks(self); err == nil {
			self = linked
		}
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(self), name)); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		err = usererr.WithHint(fmt.Errorf("the program %s is neither beside this one nor in PATH: %w", name, err),
			"make build, in a checkout of the source, builds all programs into one folder")
	}
	return path, err
}
