package selfplay

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
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
		Device:     cudalib.CPU(),
		File:       filepath.Join(t.TempDir(), "three.net"),
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

// What was learned before games could not be played elsewhere is saved, and the training goes on from there.
func TestUnplayed(t *testing.T) {
	var told []string
	j := job(t, 12, &told)
	j.MatchEvery, j.Games, j.Generation = 0, 12, 2
	whole := j
	whole.File = filepath.Join(t.TempDir(), "whole.net")
	if _, err := Run(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	lost := errors.New("lost")
	j.Elsewhere = func(context.Context, string) PlayFunc {
		var first *hexnet.Net
		return func(n *hexnet.Net, r *Rounds) ([]Progress, error) {
			if first = cmp.Or(first, n); n != first && lost != nil {
				return nil, lost
			}
			return elsewhere(n, r)
		}
	}
	if _, err := Run(t.Context(), j); err == nil || !errors.Is(err, lost) {
		t.Fatalf("error %v, want %v", err, lost)
	}
	j.OnBegin = func(*Session, string, bool) { lost = nil }
	if _, err := Run(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	if got, want := read(t, j.File), read(t, whole.File); !bytes.Equal(got, want) {
		t.Error("other bytes than at once")
	}
}

func read(t *testing.T, name string) []byte {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// In a cooldown the learning rate falls linearly to 0, and so the last steps move the parameters less. The steps
// before are the same.
func TestCooldown(t *testing.T) {
	const steps = 8
	moved := func(cooldown float64) (lengths []float64) {
		var told []string
		j := job(t, steps, &told)
		j.MatchEvery, j.Cooldown = 0, cooldown
		var s *Session
		var before []float32
		parameters := func() []float32 {
			state, err := s.learner.State()
			if err != nil {
				t.Fatal(err)
			}
			return slices.Clone(state.Net.Parameters)
		}
		j.OnBegin = func(session *Session, _ string, _ bool) { s = session; before = parameters() }
		j.OnStep = func(hexnet.Losses) {
			after, square := parameters(), 0.
			for i := range after {
				square += math.Pow(float64(after[i]-before[i]), 2)
			}
			before, lengths = after, append(lengths, math.Sqrt(square))
		}
		if _, err := Run(t.Context(), j); err != nil {
			t.Fatal(err)
		}
		return lengths
	}
	plain, cooled := moved(0), moved(0.5)
	if !slices.Equal(plain[:5], cooled[:5]) {
		t.Errorf("the steps before the cooldown move by %v, want %v", cooled[:5], plain[:5])
	}
	// The warm-up makes the rate of step n n times that of the first one: so the rates are 5, 6·3/4, 7·2/4 and 8·1/4.
	for i, slower := range []float64{1, 0.75, 0.5, 0.25} {
		if got := cooled[4+i] / plain[4+i]; math.Abs(got-slower) > 0.1 {
			t.Errorf("step %d moves %.2f times as far as without a cooldown, want %.2f", 5+i, got, slower)
		}
	}
}

func TestJobCheck(t *testing.T) {
	for name, change := range map[string]func(j *Job){
		"cooldown":    func(j *Job) { j.Cooldown = 1 },
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
