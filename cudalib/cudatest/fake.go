//go:build linux || windows

package cudatest

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"unsafe"

	"gamebots/cudalib/driver"
)

// LibraryVariable names, in the environment of tests that run on Windows, the fake driver that WindowsLibrary built:
// they have no compiler.
const LibraryVariable = "GAMEBOTS_FAKE_DRIVER"

// A Fake is a fake driver in the test's process. Each has a state of its own.
type Fake struct {
	*driver.Library
	Path string // path of the library, which is named as the real one

	handle uintptr
	folder fs.FS
	record string
}

// Families returns a folder with the project's kernels of some families, such as "nim" for those of cudalib/nimgpu, or
// of all families if none is named. The test must run in a folder of this module.
func Families(t testing.TB, names ...string) fs.FS {
	t.Helper()
	cudalib := "cudalib"
	for !exists(filepath.Join(cudalib, "internal", "kernels")) {
		if cudalib = filepath.Join("..", cudalib); len(cudalib) > 100 {
			t.Fatal("there is no folder cudalib above this one")
		}
	}
	if len(names) == 0 {
		modules, err := filepath.Glob(filepath.Join(cudalib, "*", "*.ptx.gz"))
		if err != nil {
			t.Fatal(err)
		}
		for _, module := range modules {
			names = append(names, strings.TrimSuffix(filepath.Base(filepath.Dir(module)), "gpu"))
		}
	}
	folder := fstest.MapFS{}
	for _, name := range names {
		family := filepath.Join(cudalib, name+"gpu")
		if !exists(family) {
			family = filepath.Join(cudalib, name)
		}
		sources, err := filepath.Glob(filepath.Join(family, "*.cu*"))
		if err != nil || len(sources) == 0 {
			t.Fatalf("family %q has no kernels: %v", name, err)
		}
		for _, source := range sources {
			text, err := os.ReadFile(source)
			if err != nil {
				t.Fatal(err)
			}
			folder[name+"/"+filepath.Base(source)] = &fstest.MapFile{Data: text}
		}
	}
	return folder
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Load loads a fake driver that has the kernels of a folder, such as Families returns. Settings are described in
// src/fake.cpp. At the end of the test no object of the driver may be left.
func Load(t testing.TB, folder fs.FS, settings string) *Fake {
	t.Helper()
	f, err := TryLoad(t, folder, settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if n := f.Left(); n != 0 {
			t.Errorf("%d allocations, handles or contexts are left on the fake driver", n)
		}
	})
	return f
}

// TryLoad is Load for settings that the driver may be refused with.
func TryLoad(t testing.TB, folder fs.FS, settings string) (*Fake, error) {
	t.Helper()
	f := &Fake{folder: folder, Path: Library(t, folder)}
	var err error
	if f.handle, err = driver.OpenShared(f.Path); err != nil {
		t.Fatal(err)
	}
	f.Configure(settings)
	f.Library, err = driver.Load(f.Path)
	return f, err
}

// Library writes a fake driver to a folder of the test, for programs that look
// for one in $LD_LIBRARY_PATH and read their settings from $FAKE_CUDA.
func Library(t testing.TB, folder fs.FS) (file string) {
	t.Helper()
	if !driver.Supported {
		t.Skip("this build has no GPU support: no fake driver either")
	}
	return library(t, folder)
}

// Without loads a fake driver that lacks a function, and returns the error.
func Without(t testing.TB, folder fs.FS, function string) error {
	t.Helper()
	path := Library(t, folder)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// A name that is not the one that is looked for hides the function. One whose last byte is less by one
	// has the same place among the sorted names of a library of Windows.
	name := []byte("\x00" + function + "\x00")
	other := bytes.Clone(name)
	other[len(function)]--
	hidden := bytes.ReplaceAll(file, name, other)
	if bytes.Equal(file, hidden) {
		t.Fatalf("the fake driver has no function %s", function)
	}
	if err := os.WriteFile(path, hidden, 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = driver.Load(path)
	return err
}

// call calls a function that only the fake has.
func (f *Fake) call(function, argument string) int {
	address, err := driver.Symbol(f.handle, function)
	if err != nil {
		panic(err)
	}
	text := append([]byte(argument), 0)
	return driver.CallC(address, uintptr(unsafe.Pointer(&text[0])))
}

// Configure changes settings.
func (f *Fake) Configure(settings string) { f.call("fake_configure", settings) }

// Recover makes the devices as good as new after a fault.
func (f *Fake) Recover() { f.call("fake_recover", "") }

// Calls returns how often a function of the driver was called.
func (f *Fake) Calls(function string) int { return f.call("fake_calls", function) }

// Left returns how many allocations, handles and contexts are left.
func (f *Fake) Left() int { return f.call("fake_left", "") }

// Record records the launches from now on, for Race.
func (f *Fake) Record(t testing.TB) {
	f.record = filepath.Join(t.TempDir(), "launches")
	f.Configure("record=" + f.record)
}

// Race does the recorded launches again under ThreadSanitizer. It returns what
// that reports, "" if nothing or if nothing was launched.
func (f *Fake) Race(t testing.TB) string {
	t.Helper()
	if _, err := os.Stat(f.record); errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	replay := replayer(t, f.folder)
	out, err := exec.Command(replay, f.record).CombinedOutput()
	if strings.Contains(string(out), "unexpected memory mapping") {
		// The system places memory where this release of the sanitizer does
		// not expect it.
		out, err = exec.Command("setarch", "-R", replay, f.record).CombinedOutput()
	}
	switch {
	case bytes.Contains(out, []byte("WARNING: ThreadSanitizer")):
		return string(out)
	case err != nil:
		t.Fatalf("replay of the launches: %v\n%s", err, out)
	}
	return ""
}
