//go:build linux

package cudatest

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
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
		patterns []string
	}{
		{sources, []string{"src/*"}},
		{kernels.Sources, []string{"cuda.cuh", "host.cuh"}},
		{b.folder, []string{"*.cu", "*.cuh"}},
	} {
		for _, pattern := range from.patterns {
			names, err := fs.Glob(from, pattern)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				text, err := fs.ReadFile(from, name)
				if err != nil {
					t.Fatal(err)
				}
				files[path.Base(name)] = string(text)
			}
		}
	}
	files["kernels.cpp"] = linkTable(files)
	args := append([]string{"-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-psabi", "-O1", "-g1", "-ffp-contract=off", "-pthread"}, flags...)
	code, err := cached(cacheKey(cxx, args, b.source, files), func() ([]byte, error) {
		return compile(cxx, append(args, b.source, "kernels.cpp"), files)
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

// compile compiles files and returns what came out.
func compile(cxx string, args []string, files map[string]string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "cudatest")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
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
			fmt.Fprintf(&spaces, "namespace kernels_%s {\n#include %q\n}\n", name, file)
			for _, match := range kernel.FindAllStringSubmatch(files[file], -1) {
				fmt.Fprintf(&table, "\tfake::kernel(%q, kernels_%s::%s),\n", match[1], name, match[1])
			}
		case strings.HasSuffix(file, ".cuh"):
			fmt.Fprintf(&headers, "#include %q\n", file)
		}
	}
	return fmt.Sprintf(`#include "fake.h"
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
