package ptx_test

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"gamebots/cudalib/kernels"
	"gamebots/cudalib/ptx"
)

// Each source of kernels has been compiled, for the GPUs and the drivers that
// are promised. That the text is that of the source is what "make ptx-check"
// finds out.
// either is the one fma that gives the same bits as two instructions, and fused is
// for what need not have the CPU's bits.
var either = regexp.MustCompile(`fma\.rn\.f(32|64) .*; // (either|fused)\n`)

func TestModules(t *testing.T) {
	sources, err := fs.Glob(kernels.Sources, "*.cu")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	for _, source := range sources {
		text := ptx.Module(strings.TrimSuffix(source, ".cu"))
		for _, want := range []string{".version 6.0\n", ".target sm_70\n", ".visible .entry "} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the PTX lacks %q", source, want)
			}
		}
		// A multiplication and an addition that the driver may fuse would
		// round differently from the CPU's, unless one of them is of a 0.
		text = either.ReplaceAllString(text, "")
		for _, loose := range []string{"fma.", "\tadd.f", "\tmul.f", "\tsub.f", ".ftz", ".approx"} {
			if strings.Contains(text, loose) {
				t.Errorf("%s: the PTX has %q, which is not rounded as on the CPU", source, strings.TrimSpace(loose))
			}
		}
	}
}

func TestUnknownModule(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a module that does not exist is no panic")
		}
	}()
	ptx.Module("no-such")
}
