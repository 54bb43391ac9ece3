package havannah

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/wire"
)

// Best plays as [Gumbel] or as [MCTS], the one that is stronger on a board. It has the settings of MCTS, and a network.
// It is Gumbel on boards from the smallest on which the network was trained, unless simulations limit the search:
// docs/player.md has the matches on one core, in which that was stronger with 3 ms and with a second a move.
// Auto uses a GPU for the network if there is one.
type Best struct{ MCTS }

var (
	_ hexproto.Bot     = Best{}
	_ hexproto.Checker = Best{}
)

// Open returns an error for a game that is not Havannah, and without a network.
func (b Best) Open(ctx context.Context, game *wire.Game, seat int) (hexproto.Engine, error) {
	board, err := boards.HavannahPosition(game)
	if err != nil {
		return nil, err
	}
	if b.Net == nil {
		return nil, errors.New("no network")
	}
	trained := b.Net.Origin.Sides
	if b.Simulations > 0 || len(trained) == 0 || board.Grid().Side < slices.Min(trained) {
		search := b.MCTS
		if b.Device.GPU() {
			search.Net = nil // it would keep the search on the CPU
		}
		return search.Open(ctx, game, seat)
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
func (b Best) Check(context.Context, *wire.Game) error { return b.Device.Check() }
