//go:build linux

package spot_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
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
	lines := map[string][]string{
		"river": {"", "x", "b100"}, "turn": {"", "x", "x x 2c", "x x 2c x"}, "locked": {"", "b100"}, "offered": {""},
		"sizes": {"", "b60"}, "flop": {"", "x x 4d", "b90 c 4d x x 5d"}, "wide turn": {"", "x x 2d"},
	}
	for name, s := range spots {
		t.Run(name, func(t *testing.T) {
			algorithms := []string{"dcfr", "dcfr/16"}
			if cudatest.OnGPU() {
				algorithms = []string{"dcfr", "dcfr/16", "cfr+", "cfr+/16", "linear"}
			}
			for _, algorithm := range algorithms {
				want := spot.SolverOf(t, s, algorithm, 0, 1)
				device := cudatest.Open(t, "memory=200000000;shared=200000", "spot")
				got, err := onDevice(device, s, algorithm)
				if err != nil {
					t.Fatal(err)
				}
				if got.DeviceBytes() < 4*got.Entries() || got.Bytes() >= want.Bytes() {
					t.Errorf("%d bytes on the device, %d beside it; %d on the CPU", got.DeviceBytes(), got.Bytes(),
						want.Bytes())
				}
				want.Rotate(1)
				got.Rotate(1)
				for range 2 {
					want.Step()
					got.Step()
				}
				if a, b := got.Solution().Evaluate(), want.Solution().Evaluate(); a != b {
					t.Errorf("%s: %+v on the device, %+v on the CPU", algorithm, a, b)
				}
				for _, line := range lines[name] {
					a, err := got.Solution().At(line)
					b, errB := want.Solution().At(line)
					if err != nil || errB != nil || !reflect.DeepEqual(a, b) {
						t.Errorf("%s: the point %q differs: %v, %v", algorithm, line, err, errB)
					}
					x, err := got.Solution().Strategy(line)
					y, errB := want.Solution().Strategy(line)
					if err != nil || errB != nil || !reflect.DeepEqual(x, y) {
						t.Errorf("%s: the strategy at %q differs: %v, %v", algorithm, line, err, errB)
					}
				}
				if err := got.Fetch(); err != nil {
					t.Fatal(err)
				}
				if !spot.SameEntries(got, want) {
					t.Errorf("%s: entries differ", algorithm)
				}
				if s.Offer == nil {
					sameFiles(t, got, want)
				}
				testLeaving(t, got, want)
			}
		})
	}
}

// sameFiles tests that two solvers save the same bytes.
func sameFiles(t *testing.T, got, want *spot.Solver) {
	t.Helper()
	var files [2][]byte
	for i, s := range []*spot.Solver{got, want} {
		file := filepath.Join(t.TempDir(), "spot")
		if err := s.Save(file, 1); err != nil {
			t.Fatal(err)
		}
		var err error
		if files[i], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the saved files differ")
	}
}

// testLeaving tests that a solver that leaves its device keeps the first street of its solution, and what
// the next one begins with.
func testLeaving(t *testing.T, got, want *spot.Solver) {
	t.Helper()
	first, lines := got.Solution(), spot.Dealt(want)
	if err := got.LeaveDevice(); err != nil {
		t.Fatal(err)
	}
	a, err := first.Strategy("")
	b, errB := want.Solution().Strategy("")
	if err != nil || errB != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("the first decision differs after leaving: %v, %v", err, errB)
	}
	for _, line := range lines {
		for player := range 2 {
			a, err := first.Dealt(line, player)
			b, errB := want.Solution().Dealt(line, player)
			if err != nil || errB != nil || len(a) == 0 || !reflect.DeepEqual(a, b) {
				t.Fatalf("after %q player %d wins %v, want %v: %v, %v", line, player, a, b, err, errB)
			}
		}
	}
	if _, err := first.At(""); !errors.Is(err, spot.ErrLeft) {
		t.Errorf("a point after leaving: %v", err)
	}
	if first.Exploitability(); !errors.Is(first.Err(), spot.ErrLeft) || got.StepUntil(t.Context()) {
		t.Errorf("after leaving: %v", first.Err())
	}
	if len(lines) == 0 {
		return
	}
	if _, err := first.Strategy(lines[0]); !errors.Is(err, spot.ErrLeft) {
		t.Errorf("a strategy of the next street after leaving: %v", err)
	}
}

// onDevice returns the solver of a spot on a device.
func onDevice(d *cudalib.Device, s *spot.Spot, algorithm string) (*spot.Solver, error) {
	name, half := strings.CutSuffix(algorithm, "/16")
	a, _ := cfr.AlgorithmByName(name)
	a.Quantized = half
	device := func(*spot.Solver) (spot.Device, error) { return ondevice.Of(d), nil }
	return spot.New(s, spot.Options{Algorithm: a, Threads: 1, Memory: 1 << 32, Device: device})
}

// An operation is 200 iterations of a turn of 20 million entries.
func BenchmarkDevice(b *testing.B) {
	if !cudatest.OnGPU() {
		b.Skip("it needs -device cuda")
	}
	solver, err := onDevice(cudatest.Open(b, "", "spot"), spot.LargeTurn(b), "dcfr")
	if err != nil {
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
	_, err := onDevice(cudatest.OpenFake(t, "memory=1000", "spot"), s, "dcfr")
	if !errors.Is(err, spot.ErrDeviceMemory) || !errors.As(err, new(*cudalib.MemoryError)) {
		t.Errorf("little memory: %v", err)
	}
	device := ondevice.Of(cudatest.OpenFake(t, "memory=200000000", "spot"))
	_, err = spot.New(s, spot.Options{
		Algorithm: cfr.Algorithms[0], Memory: 1 << 30, DeviceMemory: 1000,
		Device: func(*spot.Solver) (spot.Device, error) { return device, nil },
	})
	if !errors.Is(err, spot.ErrDeviceMemory) {
		t.Errorf("a limit: %v", err)
	}
}

// A device that fails is noticed.
func TestDeviceFailure(t *testing.T) {
	s := spot.SpotOf(t, "2c3d7h8sTc", "AA", "99", 100, 100, "100", "")
	solver, err := onDevice(cudatest.OpenFake(t, "fail=cuLaunchKernel:719", "spot"), s, "dcfr")
	if err != nil {
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
