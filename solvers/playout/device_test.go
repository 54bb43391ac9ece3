//go:build linux

package playout

import (
	"context"
	"errors"
	"slices"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/havannahgpu"
	"gamebots/hexproto/havannah"
	"gamebots/internal/testkit"
)

// few is a small grid for the fake device, which is slow.
var few = havannahgpu.Grid{Blocks: 2, Threads: 4}

// TestDevice compares counts of a device and the CPU: from empty boards, after a swap and
// before one, with moves that end the game, and with set-up positions.
func TestDevice(t *testing.T) {
	d := cudatest.Open(t, "", "havannah")
	for _, c := range []struct {
		game     string
		playouts uint64
		grid     havannahgpu.Grid
	}{
		{"side=2 :", 9, few},
		{"side=2 : a1", 9, few},
		{"side=2 : a1 c3", 9, few},
		{"side=3 : b2 swap", 9, havannahgpu.Grid{Blocks: 3, Threads: 5, Compress: true}},
		{"side=4 : d4", 5, havannahgpu.Grid{Blocks: 2, Threads: 64, Compress: true}},
		{"side=4 : a1 g7 a2 g6 a3 g5", 3, few},
		{"side=5 : e5 swap c3 g7", 3, few},
		{"side=7 : e5", 1, few},
		{"side=10 aw=j10,j11,k9 ab=a1,a2 pl=black :", 1, few},
		{"side=13 aw=m12,m14 ab=l12 pl=black :", 1, few},
	} {
		b := board(t, c.game)
		o := Options{Playouts: c.playouts, Seed: 1<<40 + 3, Threads: 2}
		want, err := Rate(t.Context(), b, o)
		if err != nil {
			t.Fatal(err)
		}
		if o.Device, err = NewDevice(d, b.Grid().Side, c.grid); err != nil {
			t.Fatal(err)
		}
		got, err := Rate(t.Context(), b, o)
		if err := o.Device.Close(); err != nil {
			t.Fatal(err)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: the device counts otherwise: %v", c.game, err)
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("%s: %+v, want %+v", b.Grid().Format(got[i].Move), got[i], want[i])
				}
			}
		}
	}
}

func TestDeviceFails(t *testing.T) {
	gpu := cudatest.Open(t, "", "havannah")
	for side, threads := range map[int]int{1: 4, 4: 4096, 5: 33, 10: 1024} {
		if d, err := NewDevice(gpu, side, havannahgpu.Grid{Blocks: 1, Threads: threads}); err == nil {
			t.Errorf("%d threads a block for side %d: %v", threads, side, d.Close())
		}
	}
	d, err := NewDevice(gpu, 4, few)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close() // nothing is running
	if _, err := Rate(t.Context(), board(t, "side=5 :"), Options{Playouts: 1, Device: d}); err == nil {
		t.Error("a board of another side")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Rate(ctx, board(t, "side=4 :"), Options{Playouts: 1, Device: d}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestReferenceHavannahOnGPU plays enough games to distinguish moves.
func TestReferenceHavannahOnGPU(t *testing.T) {
	if !cudatest.OnGPU() {
		t.Skip("the fake device is too slow: -device cuda")
	}
	gpu := cudatest.Open(t, "", "havannah")
	onGPU := func(t *testing.T, b *havannah.Board, playouts uint64) []Rating {
		t.Helper()
		d, err := NewDevice(gpu, b.Grid().Side, havannahgpu.Grid{})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close() // nothing is running
		ratings, err := Rate(t.Context(), b, Options{Playouts: playouts, Seed: 1, Device: d})
		if err != nil {
			t.Fatal(err)
		}
		return ratings
	}
	t.Run("statistics", func(t *testing.T) { testStatistics(t, 50_000_000, onGPU) })
	t.Run("first moves", func(t *testing.T) { testFirstMoves(t, 271_000_000, onGPU) })
}

// The kernel of playouts has no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestDevice)
}
