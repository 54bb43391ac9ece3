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
	"sync"
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

// built are the binaries that were compiled in this process.
var built sync.Map // from binary to []byte

// write compiles a binary, if that was not done before, and writes it to a
// file of the test.
func (b binary) write(t testing.TB, name string, flags ...string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), name)
	if code, ok := built.Load(b); ok {
		if err := os.WriteFile(file, code.([]byte), 0o755); err != nil {
			t.Fatal(err)
		}
		return file
	}
	b.compile(t, file, flags)
	code, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	built.Store(b, code)
	return file
}

func (b binary) compile(t testing.TB, file string, flags []string) {
	t.Helper()
	cxx := compiler(t)
	dir := t.TempDir()
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
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := append([]string{"-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-psabi", "-O1", "-g1", "-ffp-contract=off", "-pthread"}, flags...)
	cmd := exec.Command(cxx, append(args, "-o", file, b.source, "kernels.cpp")...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
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
