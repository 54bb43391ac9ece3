//go:build linux

package bestresponse

import (
	"context"
	"flag"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/cudalib"
	"gamebots/cudalib/brgpu"
	"gamebots/cudalib/cudatest"
	"gamebots/internal/parallel"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
)

// collect values all parts.
func collect(t *testing.T, r *Response, value func(parts []int, take func(int, PartValues) error) error) []PartValues {
	t.Helper()
	all := make([]PartValues, r.Parts())
	var parts []int
	for i := range all {
		parts = append(parts, i)
	}
	if err := value(parts, func(part int, values PartValues) error {
		if all[part][0] != nil {
			t.Errorf("part %d came twice", part)
		}
		all[part] = values
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

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
			l := layout(t, g, abstraction.Lossless)
			s, err := FromWeights(l.Index, randomWeights(l, 3))
			if err != nil {
				t.Fatal(err)
			}
			r, ctx := New(s), context.Background()
			want := collect(t, r, func(parts []int,
				take func(int, PartValues) error) error {
				return r.Value(ctx, parts, 2, take)
			})
			devices := []*cudalib.Device{cudatest.Open(t, "memory=200000000", "br")}
			if g.Name == "leduc" && !cudatest.OnGPU() { // two devices share the parts
				devices = append(devices, cudatest.Open(t, "memory=200000000", "br"))
			}
			got := collect(t, r, func(parts []int, take func(int, PartValues) error) error {
				return r.ValueOn(ctx, devices, parts, 2, take)
			})
			if !reflect.DeepEqual(got, want) {
				t.Errorf("a device's values differ: %v in all, %v on the CPU", r.Total(got), r.Total(want))
			}
		})
	}
}

var manyUnits = flag.Int("units", 0, "on a GPU, how many (flop, turn) boards of hold'em to compare with the CPU")

// ranksOnly are seven buckets a round that depend on the ranks of all cards.
type ranksOnly struct{ blind }

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
	s, err := FromWeights(x, weights)
	if err != nil {
		t.Fatal(err)
	}
	r := New(s)
	batch := make([]*prepared, *manyUnits)
	want := make([][2][]float64, len(batch))
	parallel.For(runtime.NumCPU(), len(batch), func(_, i int) {
		part := (i * 97) % r.Parts()
		b := &r.boards[part]
		units := r.dealer.units(b)
		u := r.unit(&units[i%len(units)], [][]uint32{r.bucketsOf(b, 0), r.bucketsOf(b, 1)})
		batch[i] = &prepared{part: part, units: []*unit{u}}
		for p := range want[i] {
			want[i][p] = r.unitSums(p)
			r.addUnit(want[i][p], p, u)
		}
	})
	f := r.newFinals(runtime.NumCPU())
	boards, err := brgpu.New(cudatest.Open(t, "memory=200000000", "br"), r.deviceGame(f))
	if err != nil {
		t.Fatal(err)
	}
	defer boards.Close()
	if err := r.valueBatch(boards, f, batch); err != nil {
		t.Fatal(err)
	}
	for i, p := range batch {
		for player := range want[i] {
			width := r.players[player].rounds[2].Lanes
			stride := r.players[player].rounds[2].Width
			for _, h := range p.units[0].hands {
				got, want := p.sums[player][int(h)*stride:][:width], want[i][player][int(h)*stride:][:width]
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("unit %d, hand %d: %v on the device, %v on the CPU", i, h, got, want)
				}
			}
		}
	}
}

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestDevice)
}
