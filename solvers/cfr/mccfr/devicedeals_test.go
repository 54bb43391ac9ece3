//go:build linux

package mccfr

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"testing"

	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
)

// With -device cuda the tests of devices need a GPU and run on it.
var device = flag.String("device", "fake", "what to test devices with: fake, or cuda or cuda:N")

// openDevice opens the device to test on, see cudatest.Open.
func openDevice(t *testing.T) *cudalib.Device {
	t.Helper()
	return cudatest.Open(t, *device, "memory=200000000")
}

// closedWith closes a trainer with its test.
func closedWith(t *testing.T, d *DeviceDeals, err error) *DeviceDeals {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(d.Err(), d.Close()); err != nil {
			t.Error(err)
		}
	})
	return d
}

// sameTables says whether two trainers have learnt the same bits.
func sameTables(t *testing.T, got *DeviceDeals, want *dealer) bool {
	t.Helper()
	if err := got.download(); err != nil {
		t.Fatal(err)
	}
	return got.Iterations() == want.Iterations() && slices.Equal(got.regret, want.regret) &&
		slices.Equal(got.average, want.average) && slices.Equal(got.utility, want.utility)
}

// A device gives the same bits as the CPU, in one block where the game is small
// and with launches by level where it is not.
func TestDeviceDealsSameBits(t *testing.T) {
	type training struct {
		game   *Game
		batch  int
		deals  uint64
		levels bool
	}
	trainings := []training{
		{gameOf(t, "kuhn", lossless), 1, 3, false},
		{gameOf(t, "kuhn-3p", lossless), 20, 60, false},
		{small(t)[3], 5, 10, false},
		{gameOf(t, "leduc", lossless), 3, 3, true},
	}
	if *device != "fake" { // on which it takes minutes
		for _, batch := range []int{1, 16, 300, 4096} {
			trainings = append(trainings, training{gameOf(t, "reis-a", sets), batch, uint64(3 * batch), false},
				training{gameOf(t, "leduc", lossless), batch, uint64(3 * batch), false},
				training{small(t)[3], batch, uint64(3 * batch), true})
		}
		trainings = append(trainings, training{gameOf(t, "reis-c", fewBuckets), 300, 600, false},
			training{gameOf(t, "reis-d", sets), 33, 66, false})
	}
	for _, test := range trainings {
		t.Run(fmt.Sprintf("%s %d", test.game.Rules.Name, test.batch), func(t *testing.T) {
			mode := cudalib.DealsFast
			if test.levels {
				mode = cudalib.DealsByLevel
			}
			want := NewDeals(test.game, test.batch, 5, 2)
			d, err := newDeviceDeals(openDevice(t), test.game, DealsName(test.batch), test.batch, 5, 2, mode)
			got := closedWith(t, d, err)
			for got.Err() == nil && got.Iterations() < test.deals {
				got.StepUpTo(test.deals - got.Iterations())
			}
			for want.Iterations() < test.deals {
				want.Step()
			}
			if !sameTables(t, got, &want.dealer) {
				t.Error("the device learns something else")
			}
		})
	}
}

// The seed's program on a device has the bits of its program on the CPU.
func TestDeviceReis(t *testing.T) {
	games := []*Game{gameOf(t, "kuhn", lossless)}
	if *device != "fake" {
		games = append(small(t), gameOf(t, "reis-a", sets), gameOf(t, "reis-c", fewBuckets), gameOf(t, "reis-d", sets))
	}
	for _, g := range games {
		t.Run(g.Rules.Name, func(t *testing.T) {
			want := NewReis(g, 5, 1)
			d, err := NewDeviceReis(openDevice(t), g, 5)
			got := closedWith(t, d, err)
			for range 3 {
				want.Step()
				got.Step()
			}
			if !sameTables(t, got, &want.dealer) {
				t.Error("the device learns something else")
			}
		})
	}
}

// A training goes from device to device and back.
func TestDeviceDealsState(t *testing.T) {
	g := gameOf(t, "kuhn", lossless)
	const batch = 4
	want, first, third := NewDeals(g, batch, 5, 1), NewDeals(g, batch, 5, 1), NewDeals(g, batch, 5, 1)
	d, err := NewDeviceDeals(openDevice(t), g, batch, 5, 1)
	second := closedWith(t, d, err)
	for range 6 {
		want.Step()
	}
	first.Step()
	first.Step()
	resume(t, first, second)
	second.StepUpTo(1)
	second.StepUpTo(1)
	resume(t, second, third)
	third.Step()
	third.Step()
	if !slices.Equal(third.regret, want.regret) || !slices.Equal(third.average, want.average) || third.Iterations() != want.Iterations() {
		t.Error("the way over a device changes the bits")
	}
}
