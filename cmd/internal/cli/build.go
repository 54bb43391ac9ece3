package cli

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"

	"gamebots/internal/usererr"
)

// release is the version of this source, which is not yet what it names if it ends in -dev.
const release = "0.3.0"

// revision is set by the linker in a release, in which the Go command records none.
var revision string

// Release returns the version of the program, without a v: a release such as 0.1.0, or the next one with -dev.
func Release() string { return release }

// Build names this build: its release, and the revision of the source where the Go
// command or the linker recorded it.
func Build() string { return strings.TrimSuffix(Release()+" "+Commit(), " ") }

// Version tells this build apart from all others, by the digest of its executable. Workers and
// owners of jobs compare it, because another build may return other results.
func Version() (string, error) {
	const running = "/proc/self/exe" // also when its file has been replaced
	if _, err := os.Stat(running); err == nil {
		return VersionOf(running)
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	return VersionOf(self)
}

// VersionOf returns the version of a program of this build.
func VersionOf(program string) (string, error) {
	f, err := os.Open(program)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s (%.6x)", Build(), sum.Sum(nil)), nil
}

// Commit returns the first digits of the source's revision, followed by " modified" if the
// source was changed after it; "" where none was recorded.
func Commit() (text string) {
	info, ok := debug.ReadBuildInfo()
	if revision != "" || !ok {
		return revision
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
