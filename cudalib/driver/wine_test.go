//go:build linux && amd64

package driver_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/internal/testkit"
)

// The tests of this package, built for Windows, pass under Wine with a fake nvcuda.dll.
func TestWindows(t *testing.T) {
	testkit.SlowOnly(t)
	if _, err := exec.LookPath("wine"); err != nil {
		t.Skip("no wine: install wine64")
	}
	library := cudatest.WindowsLibrary(t, probe)
	wine, err := filepath.Abs(filepath.Join("..", "..", ".ci", "wine"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-exec", wine, "-v", ".")
	cmd.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", cudatest.LibraryVariable+"="+library)
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: TestDevices")) || bytes.Contains(out, []byte("--- SKIP")) {
		t.Errorf("%v\n%s", err, out)
	}
}
