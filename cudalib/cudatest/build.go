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

// compile builds the fake driver, or the program that replays its launches,
// with the kernels that are in a folder.
func compile(t testing.TB, output, source string, folder fs.FS, flags ...string) {
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
		{folder, []string{"*.cu", "*.cuh"}},
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
	args := append([]string{"-std=c++20", "-Wall", "-Wextra", "-Werror", "-O1", "-g1", "-ffp-contract=off", "-pthread"}, flags...)
	cmd := exec.Command(cxx, append(args, "-o", output, source, "kernels.cpp")...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
}

var kernel = regexp.MustCompile(`(?m)^__global__ void (\w+)\(`)

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
