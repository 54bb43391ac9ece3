package selfplay

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"gamebots/cudalib"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/hexnet"
)

// job is a training on boards of side 3 into a file of a new folder. What it tells is added to a list.
func job(t *testing.T, steps uint64, told *[]string) Job {
	tell := func(what string) { *told = append(*told, what) }
	return Job{
		Settings: Settings{Config: small.Config, Sides: []int{3}, Seed: 7}, Steps: steps, Threads: 1,
		Device: cudalib.CPU(),
		File:   filepath.Join(t.TempDir(), "three.net"), Schedule: checkpoint.DefaultSchedule,
		MatchEvery: 2, Match: Match{Games: 2, Evaluations: 4, Simulations: 10},
		OnBegin: func(_ *Session, _ string, resumed bool) {
			tell(map[bool]string{true: "resumed", false: "begun"}[resumed])
		},
		OnStep:       func(hexnet.Losses) { tell("step") },
		OnPoint:      func(*Session) error { tell("match"); return nil },
		OnCheckpoint: func(error) { tell("checkpoint") },
		OnEnd:        func() { tell("end") },
	}
}

// A training goes on from its checkpoint, plays matches and tells its steps in order.
func TestRun(t *testing.T) {
	var told []string
	parts := job(t, 1, &told)
	parts.Curve = filepath.Join(t.TempDir(), "three.csv")
	if r, err := Run(t.Context(), parts); err != nil || r.Steps != 1 || r.Curve != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	parts.Steps = 3
	r, err := Run(t.Context(), parts)
	if err != nil || r.Steps != 3 || r.Network != "1x16" || len(r.Curve) != 1 || len(r.Curve[0].Scores) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	want := []string{"begun", "step", "end", "resumed", "step", "match", "step", "end"}
	if !reflect.DeepEqual(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	if n, err := hexnet.Load(parts.File); err != nil || n.Config != small.Config {
		t.Errorf("the network is %v: %v", n, err)
	}
	if curve, err := os.ReadFile(parts.Curve); err != nil || !bytes.HasPrefix(curve, []byte("steps,")) ||
		bytes.Count(curve, []byte("\n")) != 2 {
		t.Errorf("the curve is %q: %v", curve, err)
	}

	other := parts
	other.Seed = 8
	if _, err := Run(t.Context(), other); !errors.Is(err, checkpoint.ErrOtherTraining) {
		t.Errorf("another seed: %v", err)
	}
	failed := errors.New("no room for the plot")
	parts.Steps, parts.OnPoint = 4, func(*Session) error { return failed }
	if _, err := Run(t.Context(), parts); !errors.Is(err, failed) {
		t.Errorf("error %v, want %v", err, failed)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	parts.Steps = 9
	if r, err := Run(ctx, parts); err != nil || r.Steps != 4 {
		t.Errorf("interrupted: %+v, %v", r, err)
	}
}

func TestJobCheck(t *testing.T) {
	for name, change := range map[string]func(j *Job){
		"time":        func(j *Job) { j.Limit = -1 },
		"odd games":   func(j *Job) { j.Match.Games = 3 },
		"no games":    func(j *Job) { j.Match.Games = 0 },
		"simulations": func(j *Job) { j.Match.Simulations = 0 },
		"curve":       func(j *Job) { j.Curve = "curve.png" },
		"sides":       func(j *Job) { j.Sides = nil },
	} {
		j := job(t, 1, new([]string))
		if err := j.Check(); err != nil {
			t.Fatal(err)
		}
		if change(&j); j.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
