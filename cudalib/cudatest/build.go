//go:build linux

package cudatest

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/kernels"
	"gamebots/internal/parallel"
)

//go:embed src
var sources embed.FS

// A toolchain is a C++ compiler that knows C++20, and what it says of its version. Both are empty where there is none.
type toolchain struct{ cxx, version string }

// host compiles for this system, windows for the other one that the driver is opened on.
var (
	host  = sync.OnceValue(func() toolchain { return findToolchain(os.Getenv("CXX"), "g++-12", "g++") })
	mingw = sync.OnceValue(func() toolchain { return findToolchain("x86_64-w64-mingw32-g++-posix") })
)

// findToolchain returns the first of some compilers that is there.
func findToolchain(names ...string) toolchain {
	for _, name := range names {
		if cxx, err := exec.LookPath(name); err == nil {
			version, _ := exec.Command(cxx, "--version").Output()
			return toolchain{cxx, string(version)}
		}
	}
	return toolchain{}
}

// library writes a fake driver to a folder of the test.
func library(t testing.TB, folder fs.FS) (file string) {
	t.Helper()
	// Without unique symbols and with hidden ones, two fakes in one process
	// share nothing.
	return binary{host(), "fake.cpp", folder}.write(t, driver.FileName, "-fPIC", "-shared",
		"-fvisibility=hidden", "-fno-gnu-unique")
}

// WindowsLibrary writes a fake driver for Windows to a folder of the test, for tests that run there.
func WindowsLibrary(t testing.TB, folder fs.FS) (file string) {
	t.Helper()
	return binary{mingw(), "fake.cpp", folder}.write(t, "nvcuda.dll", "-shared", "-static")
}

// replayer writes the program that does recorded launches again under ThreadSanitizer.
func replayer(t testing.TB, folder fs.FS) (file string) {
	t.Helper()
	return binary{host(), "replay.cpp", folder}.write(t, "replay", "-g1", "-fsanitize=thread")
}

// A binary is made of one of our own sources and the kernels of a folder.
type binary struct {
	toolchain
	source string
	folder fs.FS
}

// write compiles and links a binary, unless it is in the cache, and writes it to a file of the test.
func (b binary) write(t testing.TB, name string, flags ...string) (file string) {
	t.Helper()
	if b.cxx == "" {
		t.Skip("no C++ compiler for the fake driver: install g++-12, or set CXX; " +
			"for Windows, install g++-mingw-w64-x86-64-posix")
	}
	files, err := b.files()
	if err != nil {
		t.Fatal(err)
	}
	args := slices.Concat([]string{"-std=c++20", "-I.",
		"-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-psabi",
		"-O1", "-ffp-contract=off", "-pthread"}, flags)
	units := unitsOf(files, b.source, "host.cpp")
	keys := map[string]string{} // keys of the objects, which are not needed where the result is known
	for i, u := range units {
		keys[objectName(i)] = b.cacheKey(append(args, u.source), u.files)
	}
	code, err := cached(b.cacheKey(args, keys), func() ([]byte, error) { return b.link(args, units, keys) })
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, code, 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

func objectName(unit int) string { return fmt.Sprintf("%d.o", unit) }

// link compiles the units of a binary, but for those whose keys are in the cache, and links them.
func (c toolchain) link(args []string, units []unit, keys map[string]string) ([]byte, error) {
	objects := make([][]byte, len(units))
	err := parallel.Try(runtime.NumCPU(), len(units), func(i int) (err error) {
		objects[i], err = cached(keys[objectName(i)], func() ([]byte, error) {
			return c.compile(append(slices.Clone(args), "-c", units[i].source), units[i].files)
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	linked := map[string]string{}
	for i, object := range objects {
		linked[objectName(i)] = string(object)
	}
	return c.compile(slices.Concat(args, slices.Sorted(maps.Keys(linked))), linked)
}

// files returns our own sources and the kernels, by name.
func (b binary) files() (map[string]string, error) {
	files := map[string]string{}
	for _, from := range []struct {
		fs.FS
		part *regexp.Regexp
	}{
		{sources, regexp.MustCompile(`^src/`)},
		{kernels.Headers, regexp.MustCompile(`^\w+\.cuh$`)}, // headers that all kernels share
		{b.folder, regexp.MustCompile(`\.cuh?$`)},
	} {
		err := fs.WalkDir(from, ".", func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !from.part.MatchString(file) {
				return err
			}
			text, err := fs.ReadFile(from, file)
			files[file] = string(text)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// unit is a source that is compiled by itself, and all files that it depends on.
type unit struct {
	source string
	files  map[string]string
}

// unitsOf returns the units of a binary: own sources, and each family of kernels. After a
// change of a kernel only its family is compiled again.
func unitsOf(files map[string]string, sources ...string) (units []unit) {
	shared, families := map[string]string{}, map[string]map[string]string{}
	for file, text := range files {
		isHeader := path.Ext(file) != ".cu" && path.Ext(file) != ".cpp"
		switch folder := path.Dir(file); {
		case isHeader && (folder == "src" || folder == "."):
			shared[file] = text
		case folder != "src":
			if families[folder] == nil {
				families[folder] = map[string]string{}
			}
			families[folder][file] = text
		}
	}
	add := func(source, text string, others map[string]string) {
		u := unit{source, map[string]string{source: text}}
		maps.Copy(u.files, shared)
		maps.Copy(u.files, others)
		units = append(units, u)
	}
	for _, source := range sources {
		add("src/"+source, files["src/"+source], nil)
	}
	for _, folder := range slices.Sorted(maps.Keys(families)) {
		add("kernels.cpp", familySource(folder, families[folder]), families[folder])
	}
	return units
}

// compile returns what the compiler makes of files.
func (c toolchain) compile(args []string, files map[string]string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "cudatest")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
			os.WriteFile(file, []byte(text), 0o644)); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(c.cxx, append(args, "-o", "compiled.out")...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
	}
	return os.ReadFile(filepath.Join(dir, "compiled.out")) // without a suffix, GCC for Windows would add one
}

var kernel = regexp.MustCompile(`(?m)^__global__ (?:LAUNCH_BOUNDS\([^)]*\) )?void (\w+)\(`)

// familySource returns the C++ source of the family in a folder: its headers first, then each
// kernel's source in a namespace of its own, then the list of the kernels. All are in a namespace
// of the family, as families may use the same names.
func familySource(folder string, files map[string]string) string {
	var headers, spaces, list strings.Builder
	for _, file := range slices.Sorted(maps.Keys(files)) {
		name, isSource := strings.CutSuffix(file, ".cu")
		if !isSource {
			fmt.Fprintf(&headers, "#include %q\n", file)
			continue
		}
		space := "kernels_" + strings.ReplaceAll(name, "/", "_")
		fmt.Fprintf(&spaces, "namespace %s {\n#include %q\n}\n", space, file)
		for _, match := range kernel.FindAllStringSubmatch(files[file], -1) {
			fmt.Fprintf(&list, "\tfake::kernel<%s::%s>(%q),\n", space, match[1], match[1])
		}
	}
	return fmt.Sprintf("#include \"src/fake.h\"\nnamespace family_%s {\n%s%sconst fake::Kernel kernels[] = {\n%s};\n"+
		"fake::Family family(kernels);\n}\n",
		strings.NewReplacer("/", "_", ".", "_").Replace(folder), &headers, &spaces, &list)
}
