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
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gamebots/cudalib/kernels"
)

//go:embed src
var sources embed.FS

// compiler returns a C++ compiler that knows C++20 and its barriers, or skips
// the test.
func compiler(t testing.TB) string {
	t.Helper()
	for _, name := range []string{os.Getenv("CXX"), "g++-12", "g++"} {
		if cxx, err := exec.LookPath(name); err == nil {
			return cxx
		}
	}
	t.Skip("no C++ compiler for the fake driver: install g++-12, or set CXX")
	panic("unreachable")
}

// A binary is made of one of our own sources and the kernels of a folder.
type binary struct {
	source string
	folder fs.FS
}

// write compiles a binary, if that was not done before, and writes it to a
// file of the test.
func (b binary) write(t testing.TB, name string, flags ...string) (file string) {
	t.Helper()
	cxx := compiler(t)
	files := map[string]string{}
	for _, from := range []struct {
		fs.FS
		part *regexp.Regexp
	}{
		{sources, regexp.MustCompile(`^src/`)},
		{kernels.Sources, regexp.MustCompile(`^\w+\.cuh$`)}, // which all kernels share
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
			t.Fatal(err)
		}
	}
	files["kernels.cpp"] = linkTable(files)
	args := append([]string{"-std=c++20", "-I.", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-psabi", "-O1", "-g1", "-ffp-contract=off", "-pthread"}, flags...)
	code, err := cached(cacheKey(cxx, args, b.source, files), func() ([]byte, error) {
		return compile(cxx, append(args, "src/"+b.source, "kernels.cpp"), files)
	})
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, code, 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

// compile compiles files and returns the binary.
func compile(cxx string, args []string, files map[string]string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "cudatest")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(cxx, append(args, "-o", "compiled")...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
	}
	return os.ReadFile(filepath.Join(dir, "compiled"))
}

var kernel = regexp.MustCompile(`(?m)^__global__ (?:LAUNCH_BOUNDS\([^)]*\) )?void (\w+)\(`)

// linkTable writes the C++ file that brings all kernels together: the headers
// first, then each source in a namespace of its own, then the table.
func linkTable(files map[string]string) string {
	var headers, spaces, table strings.Builder
	for _, file := range slices.Sorted(maps.Keys(files)) {
		name, isSource := strings.CutSuffix(file, ".cu")
		switch {
		case isSource:
			space := "kernels_" + strings.ReplaceAll(name, "/", "_")
			fmt.Fprintf(&spaces, "namespace %s {\n#include %q\n}\n", space, file)
			for _, match := range kernel.FindAllStringSubmatch(files[file], -1) {
				fmt.Fprintf(&table, "\tfake::kernel(%q, %s::%s),\n", match[1], space, match[1])
			}
		case strings.HasSuffix(file, ".cuh"):
			fmt.Fprintf(&headers, "#include %q\n", file)
		}
	}
	return fmt.Sprintf(`#include "src/fake.h"
%s%s
static const fake::Kernel kernels[] = {
%s};

const fake::Kernel *fake::find(const std::string &name) {
	for (auto &k : kernels)
		if (k.name == name)
			return &k;
	return nullptr;
}
`, &headers, &spaces, &table)
}
