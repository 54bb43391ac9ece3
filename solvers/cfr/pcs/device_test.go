//go:build linux

package pcs

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/pcsgpu"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
)

// onDevice returns a trainer that the test closes at its end.
func onDevice(t *testing.T, g *Game, m Method, seed uint64, devices ...*cudalib.Device) *Trainer {
	t.Helper()
	trainer, err := NewDeviceTrainer(devices, g, m, seed, 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(trainer.Err(), trainer.Close()); err != nil {
			t.Error(err)
		}
	})
	return trainer
}

// A device trains to the bits of the CPU, whether or not segments of a round differ.
func TestDevice(t *testing.T) {
	type training struct {
		rules  *acpc.Game
		raises string
	}
	trainings, batches := []training{ // the fake device is slow
		{pokertest.Game(t, "kuhn"), "all"}, {oneRaise(t, 2, 3, 1), "all"},
		{pokertest.Game(t, "leduc-nolimit"), "0.5,1,a/1,a/a"},
	}, 1
	if cudatest.OnGPU() {
		trainings = append(trainings, training{pokertest.Game(t, "leduc"), "all"},
			training{oneRaise(t, 4, 4, 3, 1, 1), "all"},
			training{pokertest.Game(t, "holdem-limit-2p"), "all"}, training{pokertest.Game(t, "holdem-nolimit-2p"),
				"0.75,1.5,a/a; turn river: 0.5,1,2,a/1,a/a"})
		batches = 8
	}
	for i, test := range trainings {
		rules := test.rules
		for _, plus := range []bool{false, true} {
			if !cudatest.OnGPU() && plus != (i == 0) {
				continue
			}
			m := Method{Batch: 2, Plus: plus}
			t.Run(fmt.Sprintf("%s %v", rules.Name, m), func(t *testing.T) {
				g := layoutWith(t, rules, test.raises, pokertest.Hashed{7, 100, 50, 300}, m.Batch)
				cpu, gpu := NewTrainer(g, m, 5, 2), onDevice(t, g, m, 5, cudatest.Open(t, "memory=200000000", "pcs"))
				for k := range batches {
					steps(cpu, 1)
					steps(gpu, 1)
					if !slices.Equal(gpu.Weights(), cpu.Weights()) {
						t.Fatalf("other strategies after batch %d", k+1)
					}
				}
				for p := range 2 {
					for part := range g.nodes {
						// Zeros may differ in their signs.
						if !slices.Equal(gpu.table(false, p, part), cpu.table(false, p, part)) {
							t.Errorf("other regrets of player %d in part %d", p+1, part+1)
						}
					}
				}
			})
		}
	}
}

// A state goes from a device to the CPU.
func TestDeviceState(t *testing.T) {
	g, m := layout(t, pokertest.Game(t, "kuhn"), 2), Method{Batch: 2}
	first := steps(onDevice(t, g, m, 5, cudatest.Open(t, "", "pcs")), 1)
	second := NewTrainer(g, m, 5, 1)
	if err := second.ReadState(bytes.NewReader(stateOf(t, first))); err != nil {
		t.Fatal(err)
	}
	if want := steps(NewTrainer(g, m, 5, 1), 3); !slices.Equal(steps(second, 2).Weights(), want.Weights()) {
		t.Error("other strategies after a change of the device")
	}
}

// Two devices that share a training come to the bits of the CPU, also from a state of its own, where
// the players have card abstractions of their own, and each needs less memory than one alone.
func TestDevices(t *testing.T) {
	type training struct {
		rules  *acpc.Game
		raises string
	}
	trainings := []training{{noLimit(t, 2, 3, [2]int32{300, 300}, 1, 1), "1,a/a"}}
	if cudatest.OnGPU() {
		trainings = append(trainings, training{pokertest.Game(t, "holdem-limit-2p"), "all"},
			training{pokertest.Game(t, "holdem-nolimit-2p"), "0.75,1.5,a/a; turn river: 0.5,1,2,a/1,a/a"})
	}
	for _, test := range trainings {
		t.Run(test.rules.Name, func(t *testing.T) {
			m := Method{Batch: 2, Plus: true}
			tree := betting.NewTree(test.rules, actions(t, test.raises).ShapeOf(test.rules, 1<<20))
			g, err := NewAgainst(policy.NewIndex(tree, pokertest.Hashed{7, 10, 20, 30}), 0,
				pokertest.Hashed{5, 30, 25, 50}, m.Batch)
			if err != nil {
				t.Fatal(err)
			}
			cpu := steps(NewTrainer(g, m, 5, 2), 1)
			gpus := onDevice(t, g, m, 5, cudatest.OpenSome(t, 2, "memory=200000000", "pcs")...)
			if err := gpus.ReadState(bytes.NewReader(stateOf(t, cpu))); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(stateOf(t, steps(gpus, 1)), stateOf(t, steps(cpu, 1))) {
				t.Error("other bits")
			}
			if one, two := g.layout.BytesOn(1), g.layout.BytesOn(2)/2; two >= one {
				t.Errorf("each of two devices needs %d bytes, and one alone %d", two, one)
			}
		})
	}
}

// A device with too little memory is refused before anything is made on it.
func TestDeviceMemory(t *testing.T) {
	if cudatest.OnGPU() {
		return // a real device has memory enough
	}
	g := layout(t, pokertest.Game(t, "leduc"), 1024)
	_, err := NewDeviceTrainer(cudatest.OpenSome(t, 1, "memory=1000000", "pcs"), g, Method{Batch: 1024}, 0, 1)
	if !errors.As(err, new(*cudalib.MemoryError)) {
		t.Errorf("%v", err)
	}
}

// A betting round with more actions than the kernels have room for is refused.
func TestDeviceSize(t *testing.T) {
	g := layoutWith(t, pokertest.Game(t, "holdem-nolimit-2p"), "fchpa", pokertest.Hashed{1, 1, 1, 1}, 1)
	_, err := NewDeviceTrainer(cudatest.OpenSome(t, 1, "", "pcs"), g, Method{Batch: 1}, 0, 1)
	var size *pcsgpu.SizeError
	if !errors.As(err, &size) || size.What != "actions of a player" || size.Limit != 255 || size.Need <= 255 {
		t.Errorf("%v", err)
	}
}

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestDevice, TestDeviceState, TestDevices)
}
