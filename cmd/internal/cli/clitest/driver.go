//go:build linux

package clitest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gamebots/cudalib/cudatest"
)

// WithDriver returns a command of a program in PATH, on a machine with a fake driver.
func WithDriver(t *testing.T, settings, program string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(program, args...)
	folder := filepath.Dir(cudatest.Library(t, cudatest.Families(t)))
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+folder, "FAKE_CUDA="+settings)
	return cmd
}
