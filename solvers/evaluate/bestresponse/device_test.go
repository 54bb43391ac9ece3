//go:build linux

package bestresponse_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/driver"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/ondevice"
	"gamebots/solvers/evaluate/bestresponse"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
)

// A device has the bits of the CPU.
func TestDevice(t *testing.T) {
	games := []*acpc.Game{pokertest.Game(t, "kuhn"), pokertest.Game(t, "leduc"), pokertest.Holdem(t, 2, 3, 1, 1),
		pokertest.Holdem(t, 2, 3, 1)}
	if cudatest.OnGPU() {
		games = append(games, pokertest.Game(t, "rhode-island"), pokertest.Holdem(t, 4, 3, 3, 1, 1),
			pokertest.Holdem(t, 4, 5, 3, 1), pokertest.Game(t, "holdem-limit-flop"))
	}
	for _, g := range games {
		t.Run(g.Name, func(t *testing.T) {
			if !cudatest.OnGPU() { // the fake device is slow
				g.MaxRaises = [4]uint8{1, 1, 1, 1}
			}
			equalsCPU(t, g, betting.Actions{}, g.Name == "leduc") // two devices share the parts
		})
	}
}

// equalsCPU compares a device with the CPU.
func equalsCPU(t *testing.T, g *acpc.Game, raises betting.Actions, two bool) {
	t.Helper()
	l := bestresponse.LayoutWith(t, g, raises, abstraction.Lossless)
	s, err := bestresponse.FromWeights(l.Index, bestresponse.RandomWeights(l, 3), nil)
	if err != nil {
		t.Fatal(err)
	}
	sameOnDevice(t, bestresponse.New(s), two)
}

// sameOnDevice compares the values of all parts on a device, or on two, with those of the CPU.
func sameOnDevice(t *testing.T, r *bestresponse.Response, two bool) {
	t.Helper()
	ctx := context.Background()
	want := bestresponse.Collect(t, r, func(parts []int, take func(int, bestresponse.PartValues) error) error {
		return r.Value(ctx, parts, 2, take)
	})
	devices := ondevice.Responses(cudatest.Open(t, "memory=200000000", "br"))
	if two && !cudatest.OnGPU() {
		devices = append(devices, ondevice.Responses(cudatest.Open(t, "memory=200000000", "br"))...)
	}
	got := bestresponse.Collect(t, r, func(parts []int, take func(int, bestresponse.PartValues) error) error {
		return r.ValueOn(ctx, devices, parts, 2, take)
	})
	if !reflect.DeepEqual(got, want) {
		t.Errorf("a device's values differ: %v in all, %v on the CPU", r.Total(got), r.Total(want))
	}
}

// So it has in no-limit games, where the segments of a round differ.
func TestDeviceNoLimit(t *testing.T) {
	games := map[*acpc.Game]string{pokertest.Game(t, "leduc-nolimit"): "1,a/a",
		pokertest.NoLimit(t, 6, 2, 3, 1, 1): "preflop: a; flop: 1,a/a", pokertest.NoLimit(t, 9, 2, 3, 1): "1,a/1,a",
		pokertest.NoLimit(t, 200, 4, 3, 3, 1): "preflop: 1; flop: 0.5,1,a/1,a/a"} // many hands of a rank, long paths
	if cudatest.OnGPU() {
		games[pokertest.NoLimit(t, 200, 4, 3, 3, 1, 1)] = "fcpa"
		games[pokertest.NoLimit(t, 200, 4, 5, 3, 1)] = "0.5,1,a/1,a/a"
	}
	for g, raises := range games {
		t.Run(g.Name, func(t *testing.T) {
			a, err := betting.ParseActions(raises)
			if err != nil {
				t.Fatal(err)
			}
			equalsCPU(t, g, a, false)
		})
	}
}

// And so it has where a strategy translates the raises of the response in several ways.
func TestDeviceAnswers(t *testing.T) {
	own, err := betting.ParseActions("0.5,1,a/a")
	if err != nil {
		t.Fatal(err)
	}
	raises, err := betting.ParseActions("0.4,0.8/2")
	if err != nil {
		t.Fatal(err)
	}
	l := bestresponse.LayoutWith(t, pokertest.NoLimit(t, 20, 4, 2, 1, 1), own, abstraction.Lossless)
	s, err := bestresponse.FromWeights(l.Index, bestresponse.RandomWeights(l, 3), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := bestresponse.NewWith(s, raises)
	if err != nil {
		t.Fatal(err)
	}
	sameOnDevice(t, r, false)
}

// A device with too little memory for a game, or for a part of it, is an error that says so.
func TestDeviceMemory(t *testing.T) {
	s, err := bestresponse.PlainIn(policy.PlainHalf, pokertest.Game(t, "kuhn"), betting.Actions{})
	if err != nil {
		t.Fatal(err)
	}
	r, allocations, batches := bestresponse.New(s), 0, 0
	for memory := 1000; ; memory += memory / 8 {
		devices := ondevice.Responses(cudatest.OpenFake(t, fmt.Sprintf("memory=%d", memory), "br"))
		err := r.ValueOn(t.Context(), devices, []int{0}, 1, func(int, bestresponse.PartValues) error { return nil })
		switch {
		case err == nil && (allocations == 0 || batches == 0):
			t.Errorf("%d are enough, after failures of %d allocations and %d batches", memory, allocations, batches)
			fallthrough
		case err == nil:
			return
		case errors.As(err, new(*cudalib.MemoryError)):
			batches++
		case errors.Is(err, driver.ErrOutOfMemory):
			allocations++
		default:
			t.Fatalf("%d bytes: %v", memory, err)
		}
	}
}

var manyUnits = flag.Int("units", 0, "on a GPU, how many (flop, turn) boards of hold'em to compare with the CPU")

// ranksOnly are seven buckets a round that depend on the ranks of all cards.
type ranksOnly struct{ bestresponse.Blind }

func (ranksOnly) NumBuckets(int) int { return 7 }

func (ranksOnly) Bucket(_ int, d abstraction.Deal) int {
	sum := 0
	for suit := range card.NumSuits {
		for _, cards := range d.Board {
			sum += 3 * int(cards.Suit(suit))
		}
		sum += int(d.Hole.Suit(suit))
	}
	return sum % 7
}

// A device has the bits of the CPU on boards of the full game.
func TestDeviceHoldem(t *testing.T) {
	if *manyUnits == 0 {
		t.Skip("-units N compares N boards on a GPU, for some seconds each on a CPU")
	}
	g := pokertest.Game(t, "holdem-limit-2p")
	x := policy.NewIndex(betting.NewTree(g, betting.Actions{}.ShapeOf(g, 1<<20)), ranksOnly{})
	random := rand.New(rand.NewPCG(4, 2))
	weights := make([]float32, x.Entries)
	for i := range weights {
		weights[i] = max(0, random.Float32()-.2)
	}
	s, err := bestresponse.FromWeights(x, weights, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := ondevice.Responses(cudatest.Open(t, "memory=200000000", "br"))[0]
	bestresponse.New(s).CompareUnits(t, d, *manyUnits)
}

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestDevice)
	cudatest.Races(t, TestDeviceNoLimit)
}
