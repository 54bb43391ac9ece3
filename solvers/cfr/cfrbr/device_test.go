//go:build linux

package cfrbr

import (
	"bytes"
	"errors"
	"runtime"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/pcsgpu"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
)

// onDevice returns a trainer that the test closes at its end.
func onDevice(t *testing.T, g *Game, seed uint64, devices ...*cudalib.Device) *Trainer {
	t.Helper()
	trainer, err := NewDeviceTrainer(devices, g, seed, 2)
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

// A device trains to the bits of the CPU, and a state goes from one to the other, and to two devices.
func TestDevice(t *testing.T) {
	type training struct {
		rules *acpc.Game
		cards policy.Buckets
	}
	small := oneRaise(t, 2, 3, 1, 1)
	raises := noLimit(t)
	many := pokertest.Holdem(t, 2, 3, 1, 1) // hands in a bucket: several warps take them
	trainings := []training{{small, abstraction.NewBoardless(small)}, {raises, abstraction.NewBoardless(raises)},
		{many, pokertest.Hashed{2, 2, 2}}}
	units := 1 // the fake device is slow
	if cudatest.OnGPU() {
		leduc, twelve, holdem := pokertest.Game(t, "leduc"), pokertest.Game(t, "holdem-limit-12"),
			pokertest.Game(t, "holdem-limit-2p")
		trainings = append(trainings, training{leduc, lossless(leduc)}, training{twelve, lossless(twelve)},
			training{holdem, pokertest.Hashed{169, 100, 50, 300}},
			training{pokertest.Game(t, "holdem-nolimit-2p"), pokertest.Hashed{169, 100, 50, 300}})
		units = 3
	}
	for _, test := range trainings {
		t.Run(test.rules.Name, func(t *testing.T) {
			g := layout(t, test.rules, test.cards)
			open := func() *cudalib.Device { return cudatest.Open(t, "memory=200000000", "cfrbr") }
			cpu, gpu := NewTrainer(g, 5, runtime.NumCPU()), onDevice(t, g, 5, open())
			for k := range units {
				steps(cpu, 1)
				steps(gpu, 1)
				if !slices.Equal(gpu.Weights(), cpu.Weights()) ||
					!slices.Equal(gpu.CurrentWeights(), cpu.CurrentWeights()) {
					t.Fatalf("other strategies after unit %d", k+1)
				}
				for player := range 2 {
					for part := range g.trunkParts() {
						want, _ := cpu.machine.trunkTable(player, part)
						if got, err := gpu.machine.trunkTable(player, part); err != nil || !slices.Equal(got, want) {
							t.Fatalf("other regrets in the trunk after unit %d, or %v", k+1, err)
						}
					}
				}
			}
			want := steps(cpu, 1).Weights()
			for _, second := range []*Trainer{NewTrainer(g, 5, 1), onDevice(t, g, 5, open(), open())} {
				if err := second.ReadState(bytes.NewReader(stateOf(t, gpu))); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(steps(second, 1).Weights(), want) {
					t.Error("other strategies after a change of the device")
				}
			}
		})
	}
}

// A player that learns alone against an opponent with more raises does so with the same bits on a device.
func TestDeviceHalf(t *testing.T) {
	rules := noLimit(t)
	for player := range 2 {
		g := half(t, rules, abstraction.NewBoardless(rules), player)
		cpu, gpu := NewTrainer(g, 5, 2), onDevice(t, g, 5, cudatest.Open(t, "memory=200000000", "cfrbr"))
		if !bytes.Equal(stateOf(t, steps(gpu, 1)), stateOf(t, steps(cpu, 1))) {
			t.Errorf("player %d: another state on a device", player+1)
		}
	}
}

// A device with too little memory is refused before anything is made on it.
func TestDeviceMemory(t *testing.T) {
	if cudatest.OnGPU() {
		return // a real device has memory enough
	}
	rules := pokertest.Game(t, "holdem-limit-12")
	g := layout(t, rules, abstraction.NewBoardless(rules))
	_, err := NewDeviceTrainer([]*cudalib.Device{cudatest.Open(t, "memory=1000000", "cfrbr")}, g, 0, 1)
	if !errors.As(err, new(*cudalib.MemoryError)) {
		t.Errorf("%v", err)
	}
}

// A game whose rounds need more of something than the kernels have room for is refused, and the error names it.
func TestDeviceSize(t *testing.T) {
	for menu, want := range map[string]pcsgpu.SizeError{
		"0.5,1,a; flop turn: a":        {What: "actions of a player", Need: 322, Limit: 255},
		"a; turn: 0.5,1,2,4,8,a/1,a/a": {What: "bits for the choices of a player", Need: 34, Limit: 32},
	} {
		rules := noLimit(t)
		rules.Stack[0], rules.Stack[1] = 100*rules.MaxBlind(), 100*rules.MaxBlind()
		tree := betting.NewTree(rules, actions(t, menu).ShapeOf(rules, 1<<22))
		g, err := New(policy.NewIndex(tree, abstraction.NewBoardless(rules)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = NewDeviceTrainer([]*cudalib.Device{cudatest.OpenFake(t, "memory=1000000", "cfrbr")}, g, 0, 1)
		var size *pcsgpu.SizeError
		if !errors.As(err, &size) || *size != want {
			t.Errorf("%s: %v", menu, err)
		}
	}
}

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestDevice)
}
