// Package beside finds the other programs of this module, which are built into one folder.
package beside

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"gamebots/internal/usererr"
)

// Program returns the path of a program that lies beside this one, or else in PATH.
func Program(name string) (string, error) {
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
