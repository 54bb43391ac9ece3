package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gamebots/internal/atomicfile"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
)

// kuhnJob is a training of Kuhn poker into a file of a new folder.
func kuhnJob(t *testing.T, iterations uint64) Job {
	j := Job{Spec: Spec{GameSpec: policy.GameSpec{Game: pokertest.Game(t, "kuhn"), Cards: "lossless"}}}
	j.File, j.Goal.Iterations = filepath.Join(t.TempDir(), "kuhn.strategy"), iterations
	return j
}

// A training in two runs has the same files as one in a single run, and its steps are told in order.
func TestRun(t *testing.T) {
	whole, parts := kuhnJob(t, 300), kuhnJob(t, 120)
	whole.Curve, parts.Curve = whole.File+".csv", parts.File+".csv"
	if _, err := Run(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	var told []string
	tell := func(what string) {
		if len(told) == 0 || told[len(told)-1] != what {
			told = append(told, what)
		}
	}
	parts.OnBegin = func(_ *Session, _ string, resumed bool) {
		tell(map[bool]string{true: "resumed", false: "begun"}[resumed])
	}
	parts.OnProgress = func(Progress) { tell("progress") }
	parts.OnEnd = func(Progress, error) { tell("end") }
	if r, err := Run(t.Context(), parts); err != nil || r.Iterations != 120 || len(r.Curve) == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	parts.Goal.Iterations = 300
	r, err := Run(t.Context(), parts)
	if err != nil || r.Iterations != 300 || r.File != parts.File || *r.Exploitability > 0.01 || len(r.Values) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	if want := []string{"begun", "progress", "end", "resumed", "progress", "end"}; !reflect.DeepEqual(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	want, _ := os.ReadFile(whole.File)
	got, err := os.ReadFile(parts.File)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("other bytes than in one run: %v", err)
	}
	if curve, err := os.ReadFile(parts.Curve); err != nil || bytes.Count(curve, []byte("\n")) != 1+len(r.Curve) {
		t.Errorf("%d points are in %q: %v", len(r.Curve), curve, err)
	}
}

// What makes no sense is refused before any file is touched, each by its field.
func TestRunRefusesFields(t *testing.T) {
	for name, test := range map[string]struct {
		field  Field
		change func(j *Job)
	}{
		"format": {FieldPlot, func(j *Job) { j.Curve = "curve.txt" }},
		"no evaluations": {FieldPlot, func(j *Job) {
			j.Game, j.Cards, j.Curve = pokertest.Game(t, "leduc"), "sets", "curve.csv"
		}},
		"nothing to plot": {FieldPlot, func(j *Job) {
			j.Game, j.Cards, j.Plotted = pokertest.Game(t, "leduc"), "sets", true
		}},
		"iterations": {FieldIterations, func(j *Job) {
			j.Algorithm, j.Goal.Iterations = algorithm(t, "pcs+(2)"), 2*pcs.MaxSteps+1
		}},
		"start": {FieldStart, func(j *Job) { j.Start = "other.checkpoint" }},
	} {
		j := kuhnJob(t, 5)
		test.change(&j)
		_, err := Run(t.Context(), j)
		if e, ok := errors.AsType[*Error](err); !ok || e.Field != test.field {
			t.Errorf("%s: error %v, want one of %s", name, err, test.field)
		}
		if left, _ := os.ReadDir(filepath.Dir(j.File)); len(left) > 0 {
			t.Errorf("%s: left in the folder: %v", name, left)
		}
	}
}

// A training that ends before its target has a result and an error.
func TestRunMissesTarget(t *testing.T) {
	j := kuhnJob(t, 20)
	j.Goal.Exploitability = 1e-9
	r, err := Run(t.Context(), j)
	e, ok := errors.AsType[*TargetError](err)
	if r == nil || !ok || e.Iterations != 20 || e.Exploitability != *r.Exploitability || e.Target != 1e-9 {
		t.Errorf("%+v, error %v", r, err)
	}
	j.Fresh, j.Goal.Exploitability = true, 10
	if _, err := Run(t.Context(), j); err != nil {
		t.Error(err)
	}
}

func algorithm(t *testing.T, text string) Algorithm {
	t.Helper()
	a, err := ParseAlgorithm(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A training whose sums would lose digits ends before, also if only its time was given.
func TestBound(t *testing.T) {
	for name, most := range map[string]uint64{
		"pcs+(2)": 2 * pcs.MaxSteps, "linear-pcs": pcs.DefaultBatch * pcs.MaxSteps, "public-cfr-br": pcs.MaxSteps,
		"external": 0, "cfr+": 0,
	} {
		a := algorithm(t, name)
		if g, err := a.bound(Goal{Exploitability: 1}); err != nil || g != (Goal{most, 1}) {
			t.Errorf("%s: the goal of some time is %+v, %v, want %d iterations", name, g, err, most)
		}
		if g, err := a.bound(Goal{Iterations: 7}); err != nil || g.Iterations != 7 {
			t.Errorf("%s: the goal of 7 iterations is %+v, %v", name, g, err)
		}
		if _, err := a.bound(Goal{Iterations: 1 << 40}); (err != nil) != (most > 0) {
			t.Errorf("%s: very many iterations: %v", name, err)
		}
	}
	if g, err := (Algorithm{}).bound(Goal{}); err != nil || g != (Goal{}) {
		t.Errorf("the default algorithm has the goal %+v, %v", g, err)
	}
}

// The checkpoint of an algorithm that was taken out is refused by its name.
func TestGoneCheckpoint(t *testing.T) {
	j := kuhnJob(t, 5)
	if _, err := Run(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"public(16)", "linear-public(64)/16", "racing-external/16", "chance"} {
		m, err := checkpoint.Verify(j.File + checkpoint.Suffix)
		if err != nil {
			t.Fatal(err)
		}
		m.Algorithm = name
		if err := checkpoint.Write(j.File+checkpoint.Suffix, m, empty{}); err != nil {
			t.Fatal(err)
		}
		_, err = Run(t.Context(), j)
		want := fmt.Sprintf("%s%s: checkpoint of another training: its algorithm is %q, not \"", j.File,
			checkpoint.Suffix, name)
		if _, resume := errors.AsType[*checkpoint.ResumeError](err); !resume || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// empty is a state without numbers.
type empty struct{}

func (empty) WriteState(io.Writer) error { return nil }
func (empty) ReadState(io.Reader) error  { return nil }

// A file that the training could not go on from is kept.
func TestRunRefusesFiles(t *testing.T) {
	j := kuhnJob(t, 5)
	if _, err := Run(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	refused := func(j Job, want error) {
		t.Helper()
		before, _ := os.ReadFile(j.File)
		_, err := Run(t.Context(), j)
		_, output := errors.AsType[*checkpoint.OutputError](err)
		_, resume := errors.AsType[*checkpoint.ResumeError](err)
		if !errors.Is(err, want) || resume != (want == checkpoint.ErrOtherTraining) || output == resume {
			t.Errorf("error %v, want %v", err, want)
		}
		if after, _ := os.ReadFile(j.File); !bytes.Equal(after, before) {
			t.Errorf("%v: the file was replaced", want)
		}
	}
	other := j
	other.Seed = 1
	other.Algorithm, _ = ParseAlgorithm("cfr+")
	refused(other, checkpoint.ErrOtherTraining)
	release, err := atomicfile.Hold(j.File)
	if err != nil {
		t.Fatal(err)
	}
	refused(j, atomicfile.ErrLocked)
	release()
	if err := os.Remove(j.File + checkpoint.Suffix); err != nil {
		t.Fatal(err)
	}
	refused(j, checkpoint.ErrNoCheckpoint)
	if err := os.WriteFile(j.File, []byte("notes"), 0o666); err != nil {
		t.Fatal(err)
	}
	refused(j, checkpoint.ErrOccupied)
	if err := os.Remove(j.File); err != nil {
		t.Fatal(err)
	}
	other.Fresh = true
	if r, err := Run(t.Context(), other); err != nil || r.Algorithm != "cfr+" {
		t.Errorf("fresh: %+v, %v", r, err)
	}
}

// Where nothing else tells how good a strategy is, a response is learned, unless it is not wanted.
func TestRunResponds(t *testing.T) {
	j := kuhnJob(t, 2000)
	j.Game, j.Cards = pokertest.Game(t, "leduc"), "sets"
	responding := false
	j.OnRespond = func(float64) { responding = true }
	r, err := Run(t.Context(), j)
	if err != nil || r.Response == nil || r.Response.Iterations != 2000 || r.Exploitability != nil || !responding {
		t.Errorf("%+v, %v", r, err)
	}
	j.NoResponse = true
	if r, err := Run(t.Context(), j); err != nil || r.Response != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestRunInterrupted(t *testing.T) {
	j := kuhnJob(t, 1000)
	ctx, interrupt := context.WithCancel(t.Context())
	j.OnProgress = func(p Progress) {
		if p.Iterations == 3 {
			interrupt()
		}
	}
	if _, err := Run(ctx, j); !errors.Is(err, ErrTooShort) ||
		err.Error() != "interrupted after 3 iterations: "+ErrTooShort.Error() {
		t.Errorf("error %v", err)
	}
	if _, err := Run(ctx, kuhnJob(t, 10)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a training that was over before it began", err)
	}
}
