package hexsearch

import (
	"gamebots/cudalib"
	"gamebots/cudalib/havannahgpu"
	"gamebots/hexproto/havannah"
	"gamebots/solvers/mcts"
	"gamebots/solvers/playout"
)

// LeafDevice plays playouts on a GPU. Its results are those of an [Evaluator] with the same
// seed, to the bit.
type LeafDevice struct {
	game     *Game
	seed     uint64
	gpu      *havannahgpu.Leaves
	playouts int // per leaf

	// The root that the GPU has: a board and the number of its moves.
	board *havannah.Board
	moves int

	jobs   []havannahgpu.Leaf
	counts []havannahgpu.LeafCounts // counts of the batch that was waited for last
	err    error                    // the first one; nothing is started after it
}

var _ mcts.Evaluator = (*LeafDevice)(nil)

// NewLeafDevice returns an evaluator of leaves of a game, for searches with the given
// options. Close frees its memory on the GPU.
func NewLeafDevice(g *Game, d *cudalib.Device, o mcts.Options, seed uint64) (*LeafDevice, error) {
	gpu, err := havannahgpu.NewLeaves(d, playout.DeviceCells(g.grid),
		havannahgpu.LeavesShape{Leaves: o.Batch, Games: o.Playouts, Batches: mcts.BatchesAhead})
	if err != nil {
		return nil, err
	}
	jobs := make([]havannahgpu.Leaf, o.Batch)
	return &LeafDevice{game: g, seed: seed, gpu: gpu, playouts: o.Playouts, jobs: jobs}, nil
}

// Close frees the memory on the GPU. No batch may be in flight.
func (d *LeafDevice) Close() error { return d.gpu.Close() }

// Start begins playouts from leaves. Their number is that of the options of NewLeafDevice.
func (d *LeafDevice) Start(leaves []*mcts.Leaf, _ int) {
	if d.err == nil && (d.board != d.game.board || d.moves != d.game.board.NumMoves()) {
		d.board, d.moves = d.game.board, d.game.board.NumMoves()
		d.err = d.gpu.SetRoot(playout.DevicePosition(d.board)) // no batch is in flight when the root changes
	}
	if d.err != nil {
		return
	}
	for i, l := range leaves {
		d.jobs[i] = d.job(d.jobs[i].Stones[:0], l)
	}
	d.err = d.gpu.Start(d.jobs[:len(leaves)], d.seed, d.game.permanent)
}

// job describes a leaf to the GPU; it appends to stones.
func (d *LeafDevice) job(stones []havannahgpu.Stone, l *mcts.Leaf) havannahgpu.Leaf {
	turn, alone, last := d.board.Turn(), false, -1
	if d.moves > 0 {
		last = int(d.board.Move(d.moves - 1))
	}
	for _, m := range l.Path {
		if int(m) < d.game.grid.NumCells {
			last = int(m)
			stones = append(stones, havannahgpu.Stone{Cell: last, Black: turn == havannah.Black})
		} else {
			// The only stone becomes black, whether it is the root's or the path's.
			alone, stones = true, append(stones[:0], havannahgpu.Stone{Cell: last, Black: true})
		}
		turn = turn.Other()
	}
	return havannahgpu.Leaf{Stones: stones, Alone: alone, Turn: uint8(turn - havannah.White), Number: l.FirstPlayout}
}

// Wait waits for the earliest batch in flight.
func (d *LeafDevice) Wait() error {
	if d.err == nil {
		d.counts, d.err = d.gpu.Wait()
	}
	return d.err
}

// Read sets the results of a leaf of that batch.
func (d *LeafDevice) Read(l *mcts.Leaf) {
	c := &d.counts[l.Index]
	l.Set(d.playouts, c.Points, c.Taken)
}
