//go:build linux

package hexnet_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/internal/testkit"
	"gamebots/solvers/hexnet"
)

// The outputs of a GPU are near those of the CPU, on tensor cores (capability 8.0) and without.
func TestDevice(t *testing.T) {
	type testCase struct {
		name, settings string
		config         hexnet.Config
		side, boards   int
		batch          int
	}
	tests := []testCase{
		{"shuffles", "capability=70", hexnet.Config{Blocks: 1, Channels: 32}, 3, 3, 2},
		{"tensor cores, blocks of several boards", "capability=80", hexnet.Config{Blocks: 2, Channels: 32}, 2, 7, 7},
		{"tiles of 64 columns", "capability=80", hexnet.Config{Blocks: 1, Channels: 64}, 2, 37, 37},
	}
	if cudatest.OnGPU() { // a GPU would take minutes
		tests = append(tests,
			testCase{"6x64", "", hexnet.Config{Blocks: 6, Channels: 64}, 8, 700, 640},
			testCase{"10x128", "", hexnet.Config{Blocks: 10, Channels: 128}, 10, 50, 50},
			testCase{"batches in parts", "", hexnet.Config{Blocks: 2, Channels: 64}, 4, 5000, 5000},
			testCase{"tiles of 32 columns", "", hexnet.Config{Blocks: 3, Channels: 96}, 13, 20, 20})
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			gpu := cudatest.Open(t, test.settings, "hexnet")
			_, s := shapeOf(t, test.side)
			n := randomNet(test.config, 3)
			d, err := hexnet.NewDevice(n, gpu, s, test.batch, 2)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			planes := randomPlanes(s, test.boards, 9)
			want := evaluate(t, hexnet.NewEvaluator(n, s, 1), planes)
			var got hexnet.Outputs
			if err := d.Evaluate(planes, &got); err != nil {
				t.Fatal(err)
			}
			for name, pair := range map[string][2][]float32{
				"policy": {got.Policy, want.Policy}, "reply": {got.Reply, want.Reply}, "own": {got.Own, want.Own},
				"other": {got.Other, want.Other}, "value": {got.Value, want.Value}, "kinds": {got.Kinds, want.Kinds},
			} {
				compare(t, name, pair[0], pair[1])
			}
		})
	}
}

// Batches that are under way together have the outputs that they have alone, in order. There are no
// more of them than the device has memory for, and none of too many boards.
func TestDeviceStart(t *testing.T) {
	gpu := cudatest.Open(t, "capability=80", "hexnet")
	_, s := shapeOf(t, 2)
	n := randomNet(hexnet.Config{Blocks: 1, Channels: 32}, 3)
	d, err := hexnet.NewDevice(n, gpu, s, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Start(randomPlanes(s, 3, 1)); err == nil {
		t.Error("a batch of three boards was started")
	}
	const most = 4
	var batches [][]uint8
	var want [most + 1]hexnet.Outputs
	for i := range want {
		batches = append(batches, randomPlanes(s, 1+i%2, uint64(i)))
		if err := d.Evaluate(batches[i], &want[i]); err != nil {
			t.Fatal(err)
		}
	}
	for i := range len(want) + most {
		if i >= most {
			var got hexnet.Outputs
			if err := d.Wait(&got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want[i-most]) {
				t.Errorf("batch %d has other outputs", i-most)
			}
		}
		if i < len(want) {
			planes := slices.Clone(batches[i])
			if err := d.Start(planes); err != nil {
				t.Fatal(err)
			}
			clear(planes)
		}
		if i == most-1 && d.Start(batches[0]) == nil {
			t.Errorf("%d batches were started", most+1)
		}
	}
}

// compare allows differences of a hundredth of the largest number.
func compare(t *testing.T, name string, got, want []float32) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", name, len(got), len(want))
	}
	largest, worst := 0., 0.
	for i := range want {
		largest = max(largest, math.Abs(float64(want[i])))
		worst = max(worst, math.Abs(float64(got[i]-want[i])))
	}
	if !(worst <= 0.01*largest) {
		t.Errorf("%s: off by %g, the largest is %g", name, worst, largest)
	}
	t.Logf("%s: off by %.2g of %.2g", name, worst, largest)
}

func TestNewDeviceRefusesSizes(t *testing.T) {
	gpu := cudatest.OpenFake(t, "shared=4096", "hexnet")
	_, s := shapeOf(t, 5)
	for _, channels := range []int{16, 64} { // no multiple of 32; too much shared memory
		n := hexnet.New(hexnet.Config{Blocks: 1, Channels: channels}, 1)
		if _, err := hexnet.NewDevice(n, gpu, s, 1, 1); err == nil {
			t.Errorf("%d channels: no error", channels)
		}
	}
}

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestDevice, TestDeviceStart, TestDeviceTrainer)
}
