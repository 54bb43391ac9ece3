//go:build linux

package spot

import (
	"errors"
	"slices"
	"testing"

	"gamebots/acpc/card"
	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr"
)

// A device has the bits of the CPU: on rivers, turns and flops, with rake, with locks, with suits
// that are alike, and with more actions than it loads at once.
func TestDevice(t *testing.T) {
	river := testSpot(t, "2c3d7h8sTc", "AA,QhJh,QdJd,T9s", "99,A8s", 100, 300, "100", "50")
	river.Rake = Rake{Part: .05, Cap: 8}
	turn := testSpot(t, "Td9d6hQh", "88,KsJs:0.5,KcJc:0.5", "QQ,AsKs,AcKc", 200, 300, "60", "")
	turn.Menu.Bets[1][2] = nil
	locked := testSpot(t, "2c3d7h8sTc", "AA,QhJh,QdJd", "99", 100, 100, "100", "")
	folds, _ := card.ParseSet("9d9c")
	locked.Locks = []Lock{{"b100", map[card.Set]map[string]float64{folds: {"f": .75, "c": .25}}}}
	offered := testSpot(t, "2c3d7h8sTc", "AA,QhJh,QdJd,T9s", "99,A8s", 100, 300, "100", "")
	offered.Offer = &Offer{Player: 1, Values: map[card.Set]float64{folds: 20}, Known: .5}
	sizes := testSpot(t, "2c3d7h8sTc", "AhAs,QhJh", "9d9c", 100, 100, "20,40,60,80,100", "")
	spots := map[string]*Spot{"river": river, "turn": turn, "locked": locked, "offered": offered, "sizes": sizes}
	if cudatest.OnGPU() {
		spots["flop"] = testSpot(t, "QsJh2h", "88+,AKs,KQo:0.5,T9s", "99-22,AJs,KJs", 180, 910, "50", "45")
		spots["wide turn"] = testSpot(t, "Ks9d7h4c", "random", "random", 200, 1800, "50,100", "75")
	}
	for name, s := range spots {
		t.Run(name, func(t *testing.T) {
			algorithms := []string{"dcfr"}
			if cudatest.OnGPU() {
				algorithms = []string{"dcfr", "cfr+", "linear"}
			}
			for _, algorithm := range algorithms {
				want, got := testSolver(t, s, algorithm, 0, 1), testSolver(t, s, algorithm, 0, 1)
				if err := got.UseDevice(cudatest.Open(t, "memory=200000000 shared=200000", "spot")); err != nil {
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
				if a, b := got.Evaluate(), want.Evaluate(); a != b {
					t.Errorf("%s: %+v on the device, %+v on the CPU", algorithm, a, b)
				}
				n := want.size.at
				got.regrets = newEntries(n, 0, false)
				if err := errors.Join(got.gpu.Regrets(got.regrets.floats), got.fetch(), got.Err()); err != nil {
					t.Fatal(err)
				}
				if !sameEntries(got, want) {
					t.Errorf("%s: entries differ", algorithm)
				}
				a, err := got.At("")
				if b, errB := want.At(""); err != nil || errB != nil || !slices.EqualFunc(a.Hands[0], b.Hands[0], func(x, y Hand) bool { return x.Value == y.Value }) {
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
	solver := largeTurn(b, 1)
	if err := solver.UseDevice(cudatest.Open(b, "", "spot")); err != nil {
		b.Fatal(err)
	}
	defer solver.Close()
	for b.Loop() {
		for range 200 {
			solver.Step()
		}
		solver.Exploitability() // waits for the device
	}
	if err := solver.Err(); err != nil {
		b.Fatal(err)
	}
}

// What a device cannot do is an error.
func TestDeviceErrors(t *testing.T) {
	s := testSpot(t, "2c3d7h8sTc", "AA", "99", 100, 100, "100", "")
	if err := testSolver(t, s, "dcfr/16", 0, 1).UseDevice(cudatest.OpenFake(t, "", "spot")); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("16 bits: %v", err)
	}
	if err := testSolver(t, s, "dcfr", 0, 1).UseDevice(cudatest.OpenFake(t, "memory=1000", "spot")); !errors.As(err, new(*cudalib.MemoryError)) {
		t.Errorf("little memory: %v", err)
	}
}

// A device that fails is noticed.
func TestDeviceFailure(t *testing.T) {
	s := testSpot(t, "2c3d7h8sTc", "AA", "99", 100, 100, "100", "")
	solver, err := New(s, Options{Algorithm: cfr.Algorithms[0], Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	d := cudatest.OpenFake(t, "fail=cuLaunchKernel:719", "spot")
	if err := solver.UseDevice(d); err != nil {
		t.Fatal(err)
	}
	defer solver.Close()
	solver.Step()
	if _, err := solver.At(""); err == nil || solver.Err() == nil {
		t.Errorf("%v, %v", err, solver.Err())
	}
}

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestDevice)
}
