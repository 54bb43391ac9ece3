package cudalib_test

import (
	"errors"
	"strings"
	"testing"

	"gamebots/cudalib"
)

func TestParseChoice(t *testing.T) {
	for text, want := range map[string]string{
		"auto": "auto", "cpu": "cpu", "cuda": "cuda", "cuda:0": "cuda", "cuda:12": "cuda:12", "cuda:all": "cuda:all",
		"": "", "gpu": "", "CPU": "", "cuda:": "", "cuda:-1": "", "cuda:x": "", "cuda1": "", "cuda:99999": "",
	} {
		c, err := cudalib.ParseChoice(text)
		if (err == nil) != (want != "") || err == nil &&
			(c.String() != want || c.CPU() != (want == "cpu") || c.GPU() != strings.HasPrefix(want, "cuda")) {
			t.Errorf("%q was understood as %v: %v", text, c, err)
		}
	}
}

// All devices are no choice of one.
func TestAllForOne(t *testing.T) {
	c, err := cudalib.ParseChoice("cuda:all")
	if err != nil {
		t.Fatal(err)
	}
	if d, _, err := c.Open(); d != nil || !errors.Is(err, cudalib.ErrOneDevice) {
		t.Errorf("opened %v: %v", d, err)
	}
}

func TestChoiceOfTheCPU(t *testing.T) {
	c, err := cudalib.ParseChoice("cpu")
	if err != nil {
		t.Fatal(err)
	}
	if d, why, err := c.Open(); d != nil || why != "the CPU, as asked for" || err != nil {
		t.Errorf("opened %v, because of %q: %v", d, why, err)
	}
}

// Work that gains nothing from a GPU is for the CPU, with the reason, unless a GPU was asked for.
func TestChoiceIf(t *testing.T) {
	for c, want := range map[cudalib.Choice]string{{}: "the CPU: it is small", cudalib.CPU(): "the CPU, as asked for"} {
		if d, why, err := c.If(false, "it is small").Open(); d != nil || why != want || err != nil {
			t.Errorf("%v: opened %v, because of %q: %v", c, d, why, err)
		}
	}
	for c, worthwhile := range map[cudalib.Choice]bool{{}: true, cudalib.GPU(1): false, cudalib.AllGPUs(): false} {
		if got := c.If(worthwhile, "it is small"); got != c {
			t.Errorf("%v became %v", c, got)
		}
	}
}
