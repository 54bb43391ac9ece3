//go:build linux

package hexnet_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/solvers/hexnet"
)

// newDeviceTrainer returns a trainer on a device for a test.
func newDeviceTrainer(t *testing.T, n *hexnet.Net, settings string) *hexnet.DeviceTrainer {
	t.Helper()
	trainer, err := hexnet.NewDeviceTrainer(hexnet.NewState(n), cudatest.Open(t, settings, "hexnet"), 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := trainer.Close(); err != nil {
			t.Error(err)
		}
	})
	return trainer
}

// The gradients of a GPU are near those of the CPU, layer by layer, and so are the losses. A step
// with its gradient is the CPU's to the bit.
func TestDeviceTrainer(t *testing.T) {
	type testCase struct {
		name, settings string
		config         hexnet.Config
		side, boards   int
	}
	tests := []testCase{
		{"shuffles", "capability=70", hexnet.Config{Blocks: 1, Channels: 32}, 2, 3},
		{"chunks of 64", "capability=80", hexnet.Config{Blocks: 1, Channels: 64}, 2, 1},
	}
	if cudatest.OnGPU() { // a GPU would take minutes
		tests = append(tests,
			testCase{"6x64", "", hexnet.Config{Blocks: 6, Channels: 64}, 8, 300},
			testCase{"10x128", "", hexnet.Config{Blocks: 10, Channels: 128}, 5, 50},
			testCase{"chunks of 32", "", hexnet.Config{Blocks: 3, Channels: 96}, 4, 333})
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, s := shapeOf(t, test.side)
			n := randomNet(test.config, 3)
			trainer := newDeviceTrainer(t, n, test.settings)
			cpu := hexnet.NewTrainer(hexnet.NewState(n.Clone()), 2)
			planes, targets := randomPlanes(s, test.boards, 9), randomTargets(s, test.boards, 9)
			want, wantLosses, err := cpu.Gradient(s, planes, targets)
			if err != nil {
				t.Fatal(err)
			}
			got, losses, err := trainer.Gradient(s, planes, targets,
				func() error { return trainer.Prepare(s, planes, targets) })
			if err != nil {
				t.Fatal(err)
			}
			for name, pair := range map[string][2]float64{
				"policy": {losses.Policy, wantLosses.Policy}, "value": {losses.Value, wantLosses.Value},
				"reply":     {losses.Reply, wantLosses.Reply},
				"structure": {losses.Structure, wantLosses.Structure}, "kinds": {losses.Kinds, wantLosses.Kinds},
			} {
				if !(math.Abs(pair[0]-pair[1]) <= 1e-3*pair[1]) {
					t.Errorf("%s loss %g, want %g", name, pair[0], pair[1])
				}
			}
			n.Layers(func(name string, first, end int) {
				if off := distance(got[first:end], want[first:end]); !(off <= 0.05) {
					t.Errorf("%s: the gradient is off by %.2g of its length", name, off)
				}
			})
			if off := distance(got, want); !(off <= 0.02) {
				t.Errorf("the gradient is off by %.2g of its length", off)
			}

			if !cudatest.OnGPU() && test.config.Channels > 32 {
				return // a step takes as long as all before, and does not depend on the chunks
			}
			// What is prepared during a step is for the next one.
			other := randomPlanes(s, test.boards+1, 10)
			prepare := func() error { return trainer.Prepare(s, other, randomTargets(s, test.boards+1, 10)) }
			if err := errors.Join(trainer.Start(1e-3), prepare()); err != nil {
				t.Fatal(err)
			}
			if _, err := trainer.Finish(); err != nil {
				t.Fatal(err)
			}
			cpu.Update(got, 1e-3)
			gpuState, cpuState := state(t, trainer), state(t, cpu)
			if !slices.Equal(gpuState.Net.Parameters, cpuState.Net.Parameters) ||
				!slices.Equal(gpuState.Average, cpuState.Average) ||
				!slices.Equal(gpuState.Momentum, cpuState.Momentum) ||
				!slices.Equal(gpuState.Variance, cpuState.Variance) || gpuState.Net.Origin.Steps != 1 {
				t.Error("another step than the CPU's with the same gradient")
			}
		})
	}
}

// distance returns the length of the difference of two vectors, as a part of the length of the second.
func distance(got, want []float32) float64 {
	var difference, length float64
	for i, w := range want {
		difference += math.Pow(float64(got[i]-w), 2)
		length += math.Pow(float64(w), 2)
	}
	return math.Sqrt(difference / length)
}

// A GPU learns as PyTorch does, too.
func TestDeviceTrainerLearnsAsPyTorch(t *testing.T) {
	if !cudatest.OnGPU() {
		t.Skip("the fake device would take hours")
	}
	learnAsPyTorch(t, func(n *hexnet.Net) hexnet.Learner { return newDeviceTrainer(t, n, "") })
}
