package bestresponse

import (
	"reflect"
	"runtime"
	"testing"

	"gamebots/internal/parallel"
)

// What the tests of package bestresponse_test use, which imports ondevice.
var (
	LayoutOf      = layoutOf
	LayoutWith    = layoutWith
	RandomWeights = randomWeights
	Collect       = collect
)

// Blind has one bucket a round.
type Blind = blind

// CompareUnits compares n boards on a device with the CPU.
func (r *Response) CompareUnits(t *testing.T, d Device, n int) {
	batch := make([]*prepared, n)
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
	boards, err := d(r.deviceGame(f))
	if err != nil {
		t.Fatal(err)
	}
	defer boards.Close()
	if err := r.valueBatch(boards, f, batch); err != nil {
		t.Fatal(err)
	}
	for i, p := range batch {
		for player := range want[i] {
			width := r.rounds[player][2].width
			for _, h := range p.units[0].hands {
				got, want := p.sums[player][int(h)*width:][:width], want[i][player][int(h)*width:][:width]
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("unit %d, hand %d: %v on the device, %v on the CPU", i, h, got, want)
				}
			}
		}
	}
}
