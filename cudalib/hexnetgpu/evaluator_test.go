//go:build linux

package hexnetgpu_test

import (
	"reflect"
	"slices"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
	"gamebots/internal/testkit"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/hexsearch"
)

// The outputs for a board are the same to the bit in tiles of all kinds and in any batch, because the same products are
// added in the same order.
func TestTiles(t *testing.T) {
	const numBoards = 4
	grid, err := havannah.GridOf(2)
	if err != nil {
		t.Fatal(err)
	}
	shape, stream := hexsearch.ShapeOf(grid), rng.Stream(1)
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
		for _, batch := range []int{numBoards, 3} {
			var all hexnet.Outputs
			for part := range slices.Chunk(planes, batch*shape.Cells*hexnet.Planes) {
				var o hexnet.Outputs
				if err := d.Evaluate(part, &o); err != nil {
					t.Fatal(err)
				}
				all.Policy, all.Own = append(all.Policy, o.Policy...), append(all.Own, o.Own...)
				all.Value, all.Kinds = append(all.Value, o.Value...), append(all.Kinds, o.Kinds...)
			}
			if first.Value == nil {
				first = all
			}
			if !reflect.DeepEqual(all, first) {
				t.Errorf("tile %d, batches of %d: other outputs than in one batch in tile 0", tile, batch)
			}
		}
	}
}

// The kernels of wide tiles, which no network of the other tests needs, have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestTiles)
}
