package havannah

import (
	"gamebots/cudalib"
	"gamebots/hexproto/havannah"
	"gamebots/solvers/mcts"
)

// Device plays random games on a GPU: the same as an [Evaluator], of the same
// seed, to the bit.
type Device struct {
	game  *Game
	seed  uint64
	gpu   *cudalib.HavannahLeaves
	games int // from each leaf

	board *havannah.Board // whose position is the GPU's root, to see that it is another
	moves int

	jobs   []cudalib.HavannahLeaf
	counts []cudalib.HavannahLeafCounts // of the batch that was waited for last
	failed error                        // of a batch that was not started
}

var _ mcts.Evaluator = (*Device)(nil)

// NewDevice returns an evaluator of leaves of a game for searches with some
// options. Close frees what is on the GPU.
func NewDevice(g *Game, d *cudalib.Device, o mcts.Options, seed uint64) (*Device, error) {
	gpu, err := cudalib.NewHavannahLeaves(d, cells(g.grid), cudalib.HavannahLeavesShape{Leaves: o.Batch, Games: o.Playouts, Batches: mcts.BatchesAhead})
	if err != nil {
		return nil, err
	}
	return &Device{game: g, seed: seed, gpu: gpu, games: o.Playouts, jobs: make([]cudalib.HavannahLeaf, o.Batch)}, nil
}

// cells describes an empty board.
func cells(g *havannah.Grid) (board []cudalib.HavannahCell) {
	for cell := range g.NumCells {
		board = append(board, cudalib.HavannahCell{Row: g.Row(cell), Col: g.Col(cell), Border: uint16(g.Border(cell))})
	}
	return board
}

// Close frees what is on the GPU. Nothing may be under way.
func (d *Device) Close() error { return d.gpu.Close() }

// Start begins to play from leaves. How many games are played from each was said
// at the beginning.
func (d *Device) Start(leaves []*mcts.Leaf, _ int) {
	if d.failed == nil && (d.board != d.game.board || d.moves != d.game.board.NumMoves()) {
		d.board, d.moves = d.game.board, d.game.board.NumMoves()
		d.failed = d.gpu.SetRoot(position(d.board)) // a new root, nothing is under way
	}
	if d.failed != nil {
		return
	}
	for i, l := range leaves {
		d.jobs[i] = d.job(d.jobs[i].Stones[:0], l)
	}
	d.failed = d.gpu.Start(d.jobs[:len(leaves)], d.seed, d.game.style.Permanent, d.game.style.Replies)
}

func position(b *havannah.Board) (p cudalib.HavannahPosition) {
	for cell := range b.Grid().NumCells {
		p.Stones = append(p.Stones, uint8(b.Stone(cell)-havannah.NoColour))
	}
	return p
}

// job describes a leaf.
func (d *Device) job(stones []cudalib.HavannahStone, l *mcts.Leaf) cudalib.HavannahLeaf {
	turn, alone, last := d.board.Turn(), false, -1
	if d.moves > 0 && d.board.Move(d.moves-1) != havannah.Swap {
		last = int(d.board.Move(d.moves - 1))
	}
	for _, m := range l.Path {
		if int(m) < d.game.grid.NumCells {
			last = int(m)
			stones = append(stones, cudalib.HavannahStone{Cell: last, Black: turn == havannah.Black})
		} else {
			// The only stone becomes black, be it the root's or the path's.
			alone, stones = true, append(stones[:0], cudalib.HavannahStone{Cell: last, Black: true})
		}
		turn = turn.Other()
	}
	return cudalib.HavannahLeaf{Stones: stones, Alone: alone, Last: last, Turn: uint8(turn - havannah.White), Number: l.Number}
}

// Wait waits for the leaves that were started first.
func (d *Device) Wait() error {
	if d.failed == nil {
		d.counts, d.failed = d.gpu.Wait()
	}
	return d.failed
}

// Read sets the results of one of those leaves.
func (d *Device) Read(l *mcts.Leaf) {
	c := &d.counts[l.Place]
	l.Set(d.games, c.Points, c.Taken)
}
