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
