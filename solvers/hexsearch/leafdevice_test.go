//go:build linux

package hexsearch

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/driver"
	"gamebots/cudalib/havannahgpu"
	"gamebots/internal/testkit"
	"gamebots/solvers/mcts"
	"gamebots/solvers/playout"
)

// TestLeafDevice grows the same trees on a GPU, with several threads, as on the CPU, and continues
// them after moves: from the empty board, before and after swaps, and near the end.
func TestLeafDevice(t *testing.T) {
	gpu := cudatest.Open(t, "", "havannah")
	for _, c := range []struct {
		game        string
		batch       int
		playouts    int
		simulations int
	}{
		{"side=4 :", 3, 33, 6},
		{"side=4 : d4", 4, 5, 8},
		{"side=4 : d4 swap c3", 1, 64, 2},
		{"side=5 aw=a1,b2,c3 ab=e5,e6 pl=black :", 4, 40, 4},
		{"side=3 : b2 c2 d2 b3 a1 a3", 3, 3, 9},
		{"side=8 : h8 g7", 2, 32, 2},
		{"side=4 : c3 d4 e5", 20, 3, 60},
	} {
		t.Run(c.game, func(t *testing.T) {
			o := mcts.Options{Batch: c.batch, Playouts: c.playouts, Memory: 4 << 20}
			var trees [2][]string
			for i := range trees {
				game := NewGame(boardOf(t, c.game))
				var eval mcts.Evaluator
				if i == 0 {
					e := NewEvaluator(game, 2, 1<<40+5)
					defer e.Close()
					eval = e
				} else {
					o.Threads = 3
					e, err := NewLeafDevice(game, gpu, o, 1<<40+5)
					if err != nil {
						t.Fatal(err)
					}
					defer e.Close()
					eval = e
				}
				s := mcts.New(game, eval, o)
				for range 2 {
					if err := s.Run(t.Context(), c.simulations); err != nil {
						t.Fatal(err)
					}
					trees[i] = append(trees[i], fmt.Sprint(s.Stats()))
					if s.Proof() != mcts.Unknown {
						break
					}
					s.Advance(s.Best())
				}
			}
			for k := range trees[0] {
				if trees[0][k] != trees[1][k] {
					t.Errorf("after %d moves:\n%s on the CPU\n%s", k, trees[0][k], trees[1][k])
				}
			}
		})
	}
}

// TestLeaf compares all counts of a few leaves.
func TestLeaf(t *testing.T) {
	gpu := cudatest.Open(t, "", "havannah")
	const games = 70
	for i, c := range []struct {
		game string
		path []string
	}{
		{"side=4 :", nil},
		{"side=4 : a1", []string{"swap", "d4"}},
		{"side=4 :", []string{"a1", "swap", "d4"}},
		{"side=8 : h8 g7 g8 h9 i9 f6 h7 i8 g9", []string{"j9", "f7"}},
		{"side=5 aw=a1,b2,c3,e2,f3 ab=e5,e6,f6,g7 pl=black :", []string{"d4", "c5"}},
		{"side=10 : j10 a1", []string{"k9"}},
		{"side=10 : j10 a1", nil},
	} {
		game := NewGame(boardOf(t, c.game))
		game.permanent = 1 + i%3
		var leaves [2]*mcts.Leaf
		for i := range leaves {
			l := &mcts.Leaf{FirstPlayout: 1<<33 + 7}
			for side := range l.AMAF {
				l.AMAF[side] = make([]uint32, game.NumMoves())
			}
			for _, m := range c.path {
				move, err := game.grid.Parse(m)
				if err != nil {
					t.Fatal(err)
				}
				l.Path = append(l.Path, game.Number(move))
			}
			leaves[i] = l
		}
		cpu := NewEvaluator(game, 1, 9)
		onGPU, err := NewLeafDevice(game, gpu, mcts.Options{Batch: 1, Playouts: games}, 9)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range []mcts.Evaluator{cpu, onGPU} {
			e.Start(leaves[i:i+1], games)
			if err := e.Wait(); err != nil {
				t.Fatal(err)
			}
			e.Read(leaves[i])
		}
		if err := onGPU.Close(); err != nil {
			t.Fatal(err)
		}
		if want, got := fmt.Sprintf("%+v", *leaves[0]), fmt.Sprintf("%+v", *leaves[1]); got != want {
			t.Errorf("%s %v: %s, want %s", c.game, c.path, got, want)
		}
	}
}

// TestBatches has several batches of different sizes in flight: each gets the results that it
// gets alone, in their order.
func TestBatches(t *testing.T) {
	game := NewGame(boardOf(t, "side=4 : c3 d4 e5"))
	gpu, err := havannahgpu.NewLeaves(cudatest.Open(t, "", "havannah"), playout.DeviceCells(game.grid),
		havannahgpu.LeavesShape{Leaves: 3, Games: 5, Batches: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer gpu.Close()
	if err := gpu.SetRoot(playout.DevicePosition(game.board)); err != nil {
		t.Fatal(err)
	}
	start := func(batch int) {
		var leaves []havannahgpu.Leaf
		for i := range batch%3 + 1 {
			leaves = append(leaves, havannahgpu.Leaf{Stones: []havannahgpu.Stone{{Cell: batch, Black: true}},
				Number: uint64(10*batch + i)})
		}
		if err := gpu.Start(leaves, 7, 2); err != nil {
			t.Fatal(err)
		}
	}
	wait := func() string {
		counts, err := gpu.Wait()
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(counts)
	}
	var alone []string
	for batch := range 6 {
		start(batch)
		alone = append(alone, wait())
	}
	for batch := range 6 + 4 {
		if batch >= 4 {
			if got := wait(); got != alone[batch-4] {
				t.Errorf("batch %d: %s, alone %s", batch-4, got, alone[batch-4])
			}
		}
		if batch < 6 {
			start(batch)
		}
	}
	if _, err := gpu.Wait(); err == nil {
		t.Error("there is a batch that was not started")
	}
}

// TestLeafDeviceFails waits for results after a fault of the device.
func TestLeafDeviceFails(t *testing.T) {
	fake := cudatest.Load(t, cudatest.Families(t, "havannah"), "")
	gpu, err := fake.Device(0)
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewLeafDevice(NewGame(boardOf(t, "side=4 :")), gpu, mcts.Options{Batch: 1, Playouts: 3}, 1)
	if err != nil {
		t.Fatal(err)
	}
	d.Start([]*mcts.Leaf{{}}, 3)
	fake.Configure("fail=cuStreamSynchronize:719")
	for range 2 {
		if err := d.Wait(); !errors.Is(err, driver.ErrFault) ||
			!strings.Contains(err.Error(), "kernel havannah_leaves") {
			t.Errorf("after a fault: %v", err)
		}
	}
	fake.Recover()
	if err := errors.Join(d.Close(), gpu.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestLeafDeviceRefuses(t *testing.T) {
	gpu := cudatest.Open(t, "", "havannah")
	game := NewGame(boardOf(t, "side=4 :"))
	for _, o := range []mcts.Options{{}, {Batch: 1, Playouts: 1 << 15}} {
		if d, err := NewLeafDevice(game, gpu, o, 1); err == nil {
			t.Errorf("%+v: %v", o, d.Close())
		}
	}
}

// The kernel of leaves has no races.
func TestLeafRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestLeafDevice, TestLeaf, TestBatches)
}
