package havannahbot

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
)

// Best plays as [Gumbel] or as [MCTS], the one that is stronger on a board. It has the settings of MCTS, and a network.
// It is Gumbel on boards from the smallest on which the network was trained, unless simulations limit the search:
// docs/player.md has the matches on one core, in which that was stronger with 3 ms and with a second a move.
// Auto uses a GPU for the network if there is one.
type Best struct{ MCTS }

// Open returns an error without a network.
func (b Best) Open(ctx context.Context, at hexproto.Position) (hexproto.Decider, error) {
	if b.Net == nil {
		return nil, errors.New("no network")
	}
	board := boards.HavannahBoard(at.Game)
	trained := b.Net.Origin.Sides
	if b.Simulations > 0 || len(trained) == 0 || board.Grid().Side < slices.Min(trained) {
		search := b.MCTS
		if b.Device.GPU() {
			search.Net = nil // it would keep the search on the CPU
		}
		return search.Open(ctx, at)
	}
	network := Gumbel{Net: b.Net, Time: cmp.Or(b.Time, time.Second), Device: b.Device, Threads: b.Threads,
		Memory: cmp.Or(b.Memory, DefaultMemory)}
	gpu, _, err := b.Device.Open()
	if err != nil {
		return nil, err
	}
	e, err := network.open(board.Grid(), gpu)
	if err != nil && gpu != nil && !b.Device.GPU() {
		return network.open(board.Grid(), nil) // a network that is not for a GPU
	}
	return e, err
}

// Check returns an error if there is no GPU that was asked for.
func (b Best) Check() error { return b.Device.Check() }
