//go:build linux

package train

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/ondevice"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
)

// TestDeviceIterate does as many iterations and evaluations on a device as on the CPU.
func TestDeviceIterate(t *testing.T) {
	l := prepared(t, pokertest.Game(t, "kuhn"), abstraction.Lossless)
	e := publictree.NewEvaluator(l, 1)
	gpu, err := ondevice.NewTrainer(cudatest.Open(t, "", "cfr"), l, cfr.Algorithms[0], 1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := gpu.Close(); err != nil {
			t.Error(err)
		}
	}()
	evaluations := map[Learner]int{}
	run := func(trainer interface {
		Learner
		Weights() []float32
	}) Progress {
		evaluate := func() publictree.Evaluation {
			evaluations[trainer]++
			return e.Evaluate(trainer.Weights())
		}
		return Iterate(trainer, evaluate, Goal{Iterations: 9}, func(Progress) bool { return true })
	}
	cpu := cfr.NewTrainer(l, cfr.Algorithms[0], 1)
	if want, got := run(cpu), run(gpu); !reflect.DeepEqual(got, want) || evaluations[gpu] != evaluations[cpu] {
		t.Errorf("progress %+v with %d evaluations, on the CPU %+v with %d", got, evaluations[gpu], want,
			evaluations[cpu])
	}
}

// The place of a training is chosen before it has tables, by what the backend says of the game.
func TestPlace(t *testing.T) {
	spec := func(text string) Spec {
		return Spec{GameSpec: policy.GameSpec{Game: pokertest.Game(t, "kuhn"), Cards: "lossless"},
			Algorithm: algorithm(t, text)}
	}
	for text, want := range map[string]string{
		"cfr+":     "the CPU: 24 entries, and a GPU gains from 1000 on",
		"external": "the CPU, which samples",
		"pcs+(2)":  "the CPU: 6 hands after betting sequences a batch, and a GPU gains from 131072 on",
	} {
		training, err := OpenOn(cudalib.Choice{}, spec(text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := training.layout().where; got != want {
			t.Errorf("%s is trained on %s, want %s", text, got, want)
		}
		if err := training.Close(); err != nil {
			t.Error(err)
		}
	}
	for text, want := range map[string]string{
		"external":  "cuda:3 was asked for, and",
		"recursive": "cuda:3 was asked for, and recursive is for the CPU",
	} {
		_, err := OpenOn(cudalib.GPU(3), spec(text), Options{})
		if e, ok := errors.AsType[*Error](err); !ok || e.Field != FieldDevice || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
	if _, err := OpenOn(cudalib.AllGPUs(), spec("cfr+"), Options{}); err != cudalib.ErrOneDevice {
		t.Errorf("all devices for one: error %v", err)
	}
}

// Every backend has the same bits on a device as on the CPU, and frees what it has there.
func TestBackendsOnDevices(t *testing.T) {
	for text, kernels := range map[string]string{
		"cfr+": "cfr", "cfr+/16": "cfr", "deals(4)": "mccfr", "reis-gpu": "mccfr", "pcs+(2)": "pcs",
		"public-cfr-br": "cfrbr",
	} {
		s := Spec{GameSpec: policy.GameSpec{Game: pokertest.Game(t, "leduc"), Cards: "lossless"},
			Algorithm: algorithm(t, text), Seed: 3}
		train := func(devices []*cudalib.Device) (state bytes.Buffer, value float64) {
			b, err := s.Algorithm.layOut(s, Options{Threads: 1, Memory: 1 << 30})
			if err != nil {
				t.Fatal(err)
			}
			trainer, err := b.start(devices)
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				trainer.Step()
			}
			value = b.Evaluate().Exploitability()
			err = errors.Join(failure(trainer), trainer.WriteState(&state))
			if err := errors.Join(err, (&Training{Trainer: trainer}).Close()); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			return state, value
		}
		want, value := train(nil)
		got, onDevice := train([]*cudalib.Device{cudatest.Open(t, "memory=200000000", kernels)})
		if !bytes.Equal(got.Bytes(), want.Bytes()) || onDevice != value {
			t.Errorf("%s: other bits on a device, exploitability %v instead of %v", text, onDevice, value)
		}
	}
}
