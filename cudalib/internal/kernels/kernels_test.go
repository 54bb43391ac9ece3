package kernels

import (
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// namedFMA matches the two kinds of fma that cuda.cuh has: exact_fma gives the same
// bits as two instructions, and fused is used where the CPU's bits are not required.
var namedFMA = regexp.MustCompile(`fma\.rn\.f(32|64) .*; // (exact|fused)\n`)

// tensorCores matches the flags of a source that is only for GPUs with products of matrices
// as hexnetgpu/network.cuh has them. Its family has another one for all.
var tensorCores = regexp.MustCompile(`(?m)^// PTXFLAGS: .*--cuda-gpu-arch=sm_80 `)

// Each source of kernels has been compiled for the GPUs and the drivers that are promised.
// That the text is that of the source is what "make ptx-check" finds out.
func TestModules(t *testing.T) {
	sources, err := filepath.Glob("../../*/*.cu")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	var modules []string
	for _, source := range sources {
		module := strings.TrimSuffix(source, ".cu") + ".ptx.gz"
		modules = append(modules, module)
		text := unpack(t, module)
		version, target := ".version 6.0\n", ".target sm_70\n"
		if code, err := os.ReadFile(source); err != nil {
			t.Error(err)
		} else if tensorCores.Match(code) {
			version, target = ".version 7.0\n", ".target sm_80\n"
		}
		for _, want := range []string{version, target, ".visible .entry "} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the PTX lacks %q", source, want)
			}
		}
		// A multiplication and an addition that the driver may fuse would
		// round differently from the CPU's, unless one of them is of a 0.
		text = namedFMA.ReplaceAllString(text, "")
		for _, loose := range []string{"fma.", "\tadd.f", "\tmul.f", "\tsub.f", ".ftz", ".approx"} {
			if strings.Contains(text, loose) {
				t.Errorf("%s: the PTX has %q, which is not rounded as on the CPU", source, strings.TrimSpace(loose))
			}
		}
	}
	compiled, err := filepath.Glob("../../*/*.ptx.gz")
	if err != nil || !slices.Equal(compiled, modules) {
		t.Errorf("modules %v, want those of the sources, %v: %v", compiled, modules, err)
	}
}

// A program carries the kernels of the families that it imports, and no others.
func TestFamilies(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go tool to list imports with")
	}
	const prefix = "gamebots/cudalib/"
	for pkg, want := range map[string]string{
		"gamebots/cudalib":                                 "",
		"gamebots/cudalib/probe":                           "probe",
		"gamebots/solvers/hexnet":                          "hexnet",
		"gamebots/solvers/nash":                            "nash",
		"gamebots/solvers/nimsolver":                       "nim",
		"gamebots/solvers/playout":                         "havannah",
		"gamebots/solvers/nmcs/snake":                      "snake",
		"gamebots/solvers/cfr":                             "",
		"gamebots/solvers/cfr/ondevice":                    "br cfr",
		"gamebots/solvers/cfr/abstraction/buckets":         "",
		"gamebots/solvers/cfr/abstraction/buckets/cluster": "kmeans",
		"gamebots/solvers/cfr/mccfr":                       "",
		"gamebots/solvers/cfr/mccfr/published/reis":        "mccfr",
		"gamebots/solvers/evaluate/aivat":                  "",
		"gamebots/solvers/evaluate/bestresponse":           "",
		"gamebots/solvers/evaluate/lbr":                    "",
		"gamebots/solvers/policy":                          "",
		"gamebots/solvers/policy/browse":                   "",
		"gamebots/bots/poker":                              "",
	} {
		out, err := exec.Command(goTool, "list", "-deps", pkg).Output()
		if err != nil {
			t.Fatal(err)
		}
		var families []string
		for imported := range strings.Lines(string(out)) {
			name, ok := strings.CutPrefix(strings.TrimSpace(imported), prefix)
			if modules, _ := filepath.Glob("../../" + name + "/*.ptx.gz"); ok && len(modules) > 0 {
				families = append(families, strings.TrimSuffix(name, "gpu"))
			}
		}
		slices.Sort(families)
		if got := strings.Join(families, " "); got != want {
			t.Errorf("%s carries the kernels of %q, want %q", pkg, got, want)
		}
	}
}

func unpack(t *testing.T, file string) string {
	t.Helper()
	packed, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
