//go:build linux

package hexnetgpu_test

import (
	"math"
	"slices"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
	"gamebots/internal/testkit"
	"gamebots/solvers/hexnet"
	encoding "gamebots/solvers/hexnet/havannah"
)

// Tiles of all kinds give the same outputs of cells, to the bit, as they add the same products in
// the same order. What is pooled is added by as many threads as there are, so the value is not.
func TestTiles(t *testing.T) {
	const numBoards = 10
	grid, err := havannah.GridOf(2)
	if err != nil {
		t.Fatal(err)
	}
	shape, stream := encoding.ShapeOf(grid), rng.Stream(1)
	planes := make([]uint8, numBoards*shape.Cells*hexnet.Planes)
	for i := range planes {
		planes[i] = uint8(stream.IntN(2) * hexnet.Unit)
	}
	n := hexnet.New(hexnet.Config{Blocks: 1, Channels: 64}, 1)
	for i := range n.Parameters {
		n.Parameters[i] += float32(stream.Float64()-0.5) / 10
	}
	gpu := cudatest.OpenFake(t, "capability=80", "hexnet")
	var first hexnet.Outputs
	for tile, more := 0, true; more; tile++ {
		d, err := hexnet.NewDevice(n, gpu, shape, numBoards, 1)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		more = tile+1 < d.GPU().NumTiles()
		d.GPU().OnlyTile(tile)
		var o hexnet.Outputs
		if err := d.Evaluate(planes, &o); err != nil {
			t.Fatal(err)
		}
		if tile == 0 {
			first = o
			continue
		}
		if !slices.Equal(o.Policy, first.Policy) || !slices.Equal(o.Own, first.Own) {
			t.Errorf("tile %d: other outputs of cells than tile 0", tile)
		}
		for i := range o.Value {
			if math.Abs(float64(o.Value[i]-first.Value[i])) > 1e-4 {
				t.Errorf("tile %d: values %v, tile 0 %v", tile, o.Value, first.Value)
				break
			}
		}
	}
}

// The kernels of wide tiles, which no network of the other tests needs, have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestTiles)
}
