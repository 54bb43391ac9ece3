//go:build linux

package spot_test

import (
	"errors"
	"slices"
	"testing"

	"gamebots/acpc/card"
	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr"
	"gamebots/solvers/resolve/spot"
	"gamebots/solvers/resolve/spot/ondevice"
)

// A device has the bits of the CPU: on rivers, turns and flops, with rake, with locks, with suits
// that are alike, and with more actions than it loads at once.
func TestDevice(t *testing.T) {
	river := spot.SpotOf(t, "2c3d7h8sTc", "AA,QhJh,QdJd,T9s", "99,A8s", 100, 300, "100", "50")
	river.Rake = spot.Rake{Part: .05, Cap: 8}
	turn := spot.SpotOf(t, "Td9d6hQh", "88,KsJs:0.5,KcJc:0.5", "QQ,AsKs,AcKc", 200, 300, "60", "")
	turn.Menu.Bets[1][2] = nil
	locked := spot.SpotOf(t, "2c3d7h8sTc", "AA,QhJh,QdJd", "99", 100, 100, "100", "")
	folds, _ := card.ParseSet("9d9c")
	locked.Locks = []spot.Lock{{"b100", map[card.Set]map[string]float64{folds: {"f": .75, "c": .25}}}}
	offered := spot.SpotOf(t, "2c3d7h8sTc", "AA,QhJh,QdJd,T9s", "99,A8s", 100, 300, "100", "")
	offered.Offer = &spot.Offer{Player: 1, Values: map[card.Set]float64{folds: 20}, Known: .5}
	sizes := spot.SpotOf(t, "2c3d7h8sTc", "AhAs,QhJh", "9d9c", 100, 100, "20,40,60,80,100", "")
	spots := map[string]*spot.Spot{"river": river, "turn": turn, "locked": locked, "offered": offered, "sizes": sizes}
	if cudatest.OnGPU() {
		spots["flop"] = spot.SpotOf(t, "QsJh2h", "88+,AKs,KQo:0.5,T9s", "99-22,AJs,KJs", 180, 910, "50", "45")
		spots["wide turn"] = spot.SpotOf(t, "Ks9d7h4c", "random", "random", 200, 1800, "50,100", "75")
	}
	for name, s := range spots {
		t.Run(name, func(t *testing.T) {
			algorithms := []string{"dcfr"}
			if cudatest.OnGPU() {
				algorithms = []string{"dcfr", "cfr+", "linear"}
			}
			for _, algorithm := range algorithms {
				want, got := spot.SolverOf(t, s, algorithm, 0, 1), spot.SolverOf(t, s, algorithm, 0, 1)
				device := ondevice.Of(cudatest.Open(t, "memory=200000000 shared=200000", "spot"))
				if err := got.UseDevice(device); err != nil {
					t.Fatal(err)
				}
				steps := 2
				if len(s.Board) < 5 && !cudatest.OnGPU() { // the fake device is slow
					steps = 1
				}
				for range steps {
					want.Step()
					got.Step()
				}
				if a, b := got.Solution().Evaluate(), want.Solution().Evaluate(); a != b {
					t.Errorf("%s: %+v on the device, %+v on the CPU", algorithm, a, b)
				}
				if err := got.Fetch(); err != nil {
					t.Fatal(err)
				}
				if !spot.SameEntries(got, want) {
					t.Errorf("%s: entries differ", algorithm)
				}
				a, err := got.Solution().At("")
				if b, errB := want.Solution().At(""); err != nil || errB != nil ||
					!slices.EqualFunc(a.Hands[0], b.Hands[0], func(x, y spot.Hand) bool { return x.Value == y.Value }) {
					t.Errorf("%s: values differ: %v, %v", algorithm, err, errB)
				}
				if err := got.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// An operation is 200 iterations of a turn of 20 million entries.
func BenchmarkDevice(b *testing.B) {
	if !cudatest.OnGPU() {
		b.Skip("it needs -device cuda")
	}
	solver := spot.LargeTurn(b, 1)
	if err := solver.UseDevice(ondevice.Of(cudatest.Open(b, "", "spot"))); err != nil {
		b.Fatal(err)
	}
	defer solver.Close()
	for b.Loop() {
		for range 200 {
			solver.Step()
		}
		solver.Solution().Exploitability() // waits for the device
	}
	if err := solver.Err(); err != nil {
		b.Fatal(err)
	}
}

// What a device cannot do is an error.
func TestDeviceErrors(t *testing.T) {
	s := spot.SpotOf(t, "2c3d7h8sTc", "AA", "99", 100, 100, "100", "")
	err := spot.SolverOf(t, s, "dcfr/16", 0, 1).UseDevice(ondevice.Of(cudatest.OpenFake(t, "", "spot")))
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("16 bits: %v", err)
	}
	err = spot.SolverOf(t, s, "dcfr", 0, 1).UseDevice(ondevice.Of(cudatest.OpenFake(t, "memory=1000", "spot")))
	if !errors.Is(err, spot.ErrDeviceMemory) || !errors.As(err, new(*cudalib.MemoryError)) {
		t.Errorf("little memory: %v", err)
	}
}

// A device that fails is noticed.
func TestDeviceFailure(t *testing.T) {
	s := spot.SpotOf(t, "2c3d7h8sTc", "AA", "99", 100, 100, "100", "")
	solver, err := spot.New(s, spot.Options{Algorithm: cfr.Algorithms[0], Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	d := cudatest.OpenFake(t, "fail=cuLaunchKernel:719", "spot")
	if err := solver.UseDevice(ondevice.Of(d)); err != nil {
		t.Fatal(err)
	}
	defer solver.Close()
	solver.Step()
	if _, err := solver.Solution().At(""); err == nil || solver.Err() == nil {
		t.Errorf("%v, %v", err, solver.Err())
	}
}

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestDevice)
}
