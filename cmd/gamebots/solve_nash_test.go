package main

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"gamebots/cudalib"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/bimatrix"
)

// Flags make a spec, or are refused.
func TestNashSpec(t *testing.T) {
	for _, c := range []struct {
		name  string
		flags nashFlags
		given string // flags that were set
		want  nash.Options
		err   string
	}{
		{name: "the default"},
		{name: "pure", flags: nashFlags{pure: true}},
		{
			name: "one equilibrium", flags: nashFlags{method: "lemke-howson"},
			want: nash.Options{Method: nash.LemkeHowson},
		},
		{name: "a method that went", flags: nashFlags{method: "logit"}, err: `method "logit" went with 0.3.0`},
		{name: "no method", flags: nashFlags{method: "guess"}, err: `--method: "guess" is not one of`},
		{name: "no test", flags: nashFlags{test: "often"}, err: `--test-degeneracy: "often" is not`},
		{
			name: "one equilibrium is not tested", flags: nashFlags{method: "lemke-howson"}, given: "test-degeneracy",
			err: "--test-degeneracy has no effect",
		},
		{
			name: "one equilibrium on a GPU", flags: nashFlags{method: "lemke-howson", device: cudalib.GPU(0)},
			err: "lemke-howson runs on the CPU only",
		},
	} {
		f := c.flags
		f.threads = 3
		if f.method == "" {
			f.method = "auto"
		}
		if f.test == "" {
			f.test = "auto"
		}
		got, err := f.spec(func(flag string) bool { return slices.Contains(strings.Fields(c.given), flag) })
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want %q", c.name, err, c.err)
			}
			continue
		}
		if err != nil || got.Method != cmp.Or(c.want.Method, nash.Auto) || got.Threads != 3 {
			t.Errorf("%s: %+v, want %+v: %v", c.name, got, c.want, err)
		}
	}
}

// An answer whose reader does not read.
type unread struct{ started chan bool }

func (u unread) WriteText(io.Writer) error {
	close(u.started)
	select {}
}

// Printing ends with the context, but what an interrupted search found is printed.
func TestPrintStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	cmd := newSolveNash()
	cmd.SetContext(ctx)
	answer := unread{make(chan bool)}
	go func() {
		<-answer.started
		stop()
	}()
	var f nashFlags
	if err := f.print(cmd, answer); err == nil || err.Error() != "interrupted while the equilibria were written" {
		t.Errorf("%v", err)
	}
	var text strings.Builder
	cmd.SetOut(&text)
	g, err := bimatrix.Generate(bimatrix.Recipe{Family: "Chicken"})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.print(cmd, nash.FindPure(g)); err != nil ||
		!strings.Contains(text.String(), "2 pure equilibria, exactly") {
		t.Errorf("%s: %v", &text, err)
	}
}
