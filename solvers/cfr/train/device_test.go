//go:build linux

package train

import (
	"reflect"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/ondevice"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/internal/pokertest"
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
