//go:build linux

package pcs

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
	"gamebots/solvers/cfr/internal/pokertest"
)

// With -device cuda the tests of devices need a GPU and run on it.
var device = flag.String("device", "fake", "what to test devices with: fake, or cuda or cuda:N")

// onDevice returns a trainer that the test closes at its end.
func onDevice(t *testing.T, d *cudalib.Device, g *Game, m Method, seed uint64) *Trainer {
	t.Helper()
	trainer, err := NewDeviceTrainer(d, g, m, seed, 2)
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

// A device trains to the bits of the CPU.
func TestDevice(t *testing.T) {
	games, batches := []*acpc.Game{pokertest.Game(t, "kuhn"), oneRaise(t, 2, 3, 1)}, 1 // the fake device has a host thread for each of its own
	if *device != "fake" {
		games, batches = append(games, pokertest.Game(t, "leduc"), oneRaise(t, 4, 4, 3, 1, 1), pokertest.Game(t, "holdem-limit-2p")), 8
	}
	for i, rules := range games {
		for _, plus := range []bool{false, true} {
			if *device == "fake" && plus != (i == 0) {
				continue
			}
			m := Method{Batch: 2, Plus: plus}
			t.Run(fmt.Sprintf("%s %v", rules.Name, m), func(t *testing.T) {
				g := layoutOf(t, rules, pokertest.Hashed{7, 100, 50, 300}, m.Batch)
				cpu, gpu := NewTrainer(g, m, 5, 2), onDevice(t, cudatest.Open(t, *device, "memory=200000000"), g, m, 5)
				for k := range batches {
					steps(cpu, 1)
					steps(gpu, 1)
					if !slices.Equal(gpu.Weights(), cpu.Weights()) {
						t.Fatalf("other strategies after batch %d", k+1)
					}
				}
				for p := range 2 {
					for r := range rules.NumRounds {
						// Zeros may differ in their signs.
						if !slices.Equal(gpu.table(false, p, r), cpu.table(false, p, r)) {
							t.Errorf("other regrets of player %d in round %d", p+1, r+1)
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
	first := steps(onDevice(t, cudatest.Open(t, *device, ""), g, m, 5), 1)
	second := NewTrainer(g, m, 5, 1)
	if err := second.ReadState(bytes.NewReader(stateOf(t, first))); err != nil {
		t.Fatal(err)
	}
	if want := steps(NewTrainer(g, m, 5, 1), 3); !slices.Equal(steps(second, 2).Weights(), want.Weights()) {
		t.Error("other strategies after a change of the device")
	}
}

// A device with too little memory is refused before anything is made on it.
func TestDeviceMemory(t *testing.T) {
	if *device != "fake" {
		return // a real device has memory enough
	}
	g := layout(t, pokertest.Game(t, "leduc"), 1024)
	if _, err := NewDeviceTrainer(cudatest.Open(t, *device, "memory=1000000"), g, Method{Batch: 1024}, 0, 1); !errors.As(err, new(*cudalib.MemoryError)) {
		t.Errorf("%v", err)
	}
}
