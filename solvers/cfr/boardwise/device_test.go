//go:build linux

package boardwise

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"gamebots/acpc"
	"gamebots/cudalib/cudatest"
	"gamebots/internal/testkit"
	"gamebots/solvers/internal/pokertest"
)

// A device has the bits of the CPU.
func TestDevice(t *testing.T) {
	type training struct {
		game   *acpc.Game
		packed bool
	}
	// The fake device is slow: few sequences.
	kuhn, two, three := pokertest.Game(t, "kuhn"), pokertest.Holdem(t, 2, 3, 1), pokertest.Holdem(t, 2, 2, 1, 1)
	two.MaxRaises = [acpc.MaxRounds]uint8{1, 1}
	three.NumHoleCards, three.MaxRaises = 1, [acpc.MaxRounds]uint8{0, 0, 1}
	trainings := []training{{kuhn, false}, {kuhn, true}, {two, false}, {three, true}}
	if cudatest.OnGPU() {
		for _, g := range []*acpc.Game{two, three, pokertest.Holdem(t, 2, 3, 1), pokertest.Holdem(t, 2, 3, 1, 1),
			pokertest.Game(t, "leduc"), pokertest.Game(t, "rhode-island"),
			pokertest.Holdem(t, 4, 2, 1, 1, 1), pokertest.Holdem(t, 4, 4, 3), pokertest.Game(t, "holdem-limit-12")} {
			trainings = append(trainings, training{g, false}, training{g, true})
		}
	}
	for _, test := range trainings {
		t.Run(fmt.Sprintf("%s, packed %v", test.game.Name, test.packed), func(t *testing.T) {
			a := algorithm("cfr+")
			a.Quantized = test.packed
			game := newGame(t, layout(t, test.game))
			want := NewTrainer(game, a, 2)
			got, err := NewDeviceTrainer(cudatest.Open(t, "memory=200000000;shared=200000", "boardwise"), game, a)
			if err != nil {
				t.Fatal(err)
			}
			defer got.Close()
			want.Step()
			got.Step()
			if cudatest.OnGPU() {
				want.Step()
				got.Step()
			}
			if a, b := got.Evaluate(), want.Evaluate(); got.Err() != nil || !reflect.DeepEqual(a, b) {
				t.Errorf("error %v, and %v on the device, %v on the CPU", got.Err(), a, b)
			}
			for r := range game.rounds {
				for p := range 2 {
					for _, sums := range []bool{false, true} {
						a, errA := got.machine.entriesOf(sums, p, r)
						b, errB := want.machine.entriesOf(sums, p, r)
						if errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
							t.Errorf("round %d, player %d, sums %v: entries differ, errors %v and %v", r+1, p, sums,
								errA, errB)
						}
					}
				}
			}
		})
	}
}

// A game whose boards have too many hands for a multiprocessor is refused.
func TestTooManyHands(t *testing.T) {
	g, a := newGame(t, layout(t, pokertest.Holdem(t, 2, 3, 1))), algorithm("dcfr+")
	_, err := NewDeviceTrainer(cudatest.OpenFake(t, "shared=1024", "boardwise"), g, a)
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
}

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestDevice)
}
