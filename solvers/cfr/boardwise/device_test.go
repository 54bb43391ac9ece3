//go:build linux

package boardwise

import (
	"errors"
	"flag"
	"reflect"
	"testing"

	"gamebots/acpc"
	"gamebots/cudalib/cudatest"
)

// With -device cuda the tests of devices need a GPU and run on it.
var device = flag.String("device", "fake", "what to test devices with: fake, or cuda or cuda:N")

// A device has the bits of the CPU.
func TestDevice(t *testing.T) {
	games := []*acpc.Game{shipped(t, "kuhn"), holdem(t, 2, 3, 2, 1)}
	if *device != "fake" {
		games = append(games, holdem(t, 2, 3, 3, 1, 1), shipped(t, "leduc"), shipped(t, "rhode-island"), holdem(t, 4, 2, 4, 1, 1, 1), holdem(t, 4, 4, 2, 3), shipped(t, "holdem-limit-12"))
	}
	for _, g := range games {
		for _, packed := range []bool{false, true} {
			t.Run(g.Name, func(t *testing.T) {
				if *device == "fake" { // which runs a host thread for each device thread
					g.MaxRaises = [4]uint8{1, 1, 1, 1}
				}
				a := algorithm("cfr+")
				a.Quantized = packed
				game := newGame(t, layout(t, g))
				want := NewTrainer(game, a, 2)
				got, err := NewDeviceTrainer(cudatest.Open(t, *device, "memory=200000000 shared=200000"), game, a)
				if err != nil {
					t.Fatal(err)
				}
				defer got.Close()
				want.Step()
				got.Step()
				if *device != "fake" {
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
								t.Errorf("round %d, player %d, sums %v: entries differ, errors %v and %v", r+1, p, sums, errA, errB)
							}
						}
					}
				}
			})
		}
	}
}

// A game whose boards have too many hands for a multiprocessor is refused.
func TestTooManyHands(t *testing.T) {
	g, a := newGame(t, layout(t, holdem(t, 2, 3, 2, 1))), algorithm("dcfr+")
	if _, err := NewDeviceTrainer(cudatest.Open(t, "fake", "shared=1024"), g, a); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
}
