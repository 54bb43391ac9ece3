package boardwise

import (
	"gamebots/cudalib"
	"gamebots/cudalib/boardwisegpu"
	"gamebots/solvers/cfr"
)

// NewDeviceTrainer returns a trainer on a device that has done no iteration, for an algorithm
// that [Supports] allows. Its results have the bits of one on the CPU. The error is a
// [*cudalib.MemoryError] where the device has too little memory free, and errors.ErrUnsupported
// where the hands of a board are too many for it: as in hold'em with 52 cards.
func NewDeviceTrainer(d *cudalib.Device, g *Game, a cfr.Algorithm) (*Trainer, error) {
	solver, err := boardwisegpu.New(d, g.forDevice(a.Quantized), g.Bytes(a))
	if err != nil {
		return nil, err
	}
	return &Trainer{Game: g, Algorithm: a, machine: &gpu{solver, g, a.Quantized}}, nil
}

// gpu is the machine of a device.
type gpu struct {
	*boardwisegpu.Solver
	game   *Game
	packed bool
}

func (m *gpu) entriesOf(sums bool, player, r int) (entries, error) {
	e := newEntries(m.game.entries(r, player), m.packed)
	return e, m.Download(sums, player, r, e.packed, e.floats)
}

// forDevice returns what the kernels need.
func (g *Game) forDevice(packed bool) boardwisegpu.Game {
	to := boardwisegpu.Game{Packed: packed}
	for r, round := range g.rounds {
		b := g.boards[r]
		x := boardwisegpu.Round{
			Betting: round.Betting, Cards: b.cards, List: b.list, Most: b.most,
			Hands: b.hands, Lists: b.lists, Positions: b.positions, Up: b.up, Weight: b.weight,
		}
		for i, board := range b.boards {
			x.Boards = append(x.Boards,
				boardwisegpu.Board{Row: uint32(board.row), Rows: uint32(board.rows), Hand: uint32(board.hand),
					Hands: uint32(board.hands)})
			for range board.rows {
				x.BoardOf = append(x.BoardOf, uint32(i))
			}
		}
		if r > 0 {
			x.Follow, x.Refined = g.boards[r-1].follow, g.boards[r-1].refined
		}
		to.Rounds = append(to.Rounds, x)
	}
	return to
}
