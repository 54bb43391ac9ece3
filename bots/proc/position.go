package proc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/gtp"
	"gamebots/hexproto/wire"
)

// position is the position on a GTP engine's board.
//
// GTP has no swap. An engine is told of its opponent's swap in one of three ways, and
// the first that it does not refuse is kept: as the move "swap"; as HGui tells it, by
// the first stone's cell again; or not at all. In the last case the two seats exchange
// their colours for the rest of the game, because the first stone does not change its
// colour on the engine's board.
type position struct {
	gtp       *gtp.Controller
	moves     []wire.Move // moves that led to the board
	exchanges bool        // colours after a swap
}

// swap is the move that takes over the first stone.
const swap = "swap"

// begin sets up the board of a game: with boardsize if the options have a side, and
// with gamebots' own command "options" otherwise.
func (p *position) begin(ctx context.Context, game *wire.Game) error {
	var o boards.HavannahOptions
	if err := json.Unmarshal(game.Options, &o); err != nil {
		return fmt.Errorf("options: %w", err)
	}
	command := []string{"options", string(game.Options)}
	if o.Side > 0 {
		command = []string{"boardsize", fmt.Sprint(o.Side)}
	}
	if _, err := p.gtp.Ask(ctx, command...); err != nil {
		return unable(err)
	}
	if err := p.sendTimeControl(ctx, game.Clock); err != nil {
		return err
	}
	return p.setUp(ctx, game.Moves)
}

// sendTimeControl sends the engine the game's clock in whole seconds. A fixed time a
// move is rounded up, because GTP would read 0 as no limit. An engine that does not know the
// command goes without.
func (p *position) sendTimeControl(ctx context.Context, c wire.Clock) error {
	if c.None() {
		return nil
	}
	seconds, stones := (c.PerMove+999)/1000, 0
	if seconds > 0 {
		stones = 1
	}
	_, err := p.gtp.Ask(ctx, "time_settings", fmt.Sprint(c.Main/1000), fmt.Sprint(seconds), fmt.Sprint(stones))
	return unlessRefused(err)
}

// follow plays the moves that the board does not have. If the board has others, or the
// engine refuses one, it sets up the position from its start.
func (p *position) follow(ctx context.Context, moves []wire.Move) error {
	known := len(p.moves)
	if known <= len(moves) &&
		slices.EqualFunc(p.moves, moves[:known],
			func(a, b wire.Move) bool { return a.Seat == b.Seat && a.Move == b.Move }) {
		if err := p.play(ctx, moves); !refused(err) {
			return err
		}
	}
	return p.setUp(ctx, moves)
}

// setUp clears the board and plays moves.
func (p *position) setUp(ctx context.Context, moves []wire.Move) error {
	p.moves = nil
	if _, err := p.gtp.Ask(ctx, "clear_board"); err != nil {
		return unable(err)
	}
	return unable(p.play(ctx, moves))
}

// play plays those of the moves that follow the board's.
func (p *position) play(ctx context.Context, moves []wire.Move) error {
	for _, m := range moves[len(p.moves):] {
		var err error
		if m.Move == swap {
			err = p.swap(ctx, m)
		} else {
			_, err = p.gtp.Ask(ctx, "play", p.colour(m.Seat), m.Move)
		}
		if err != nil {
			return err
		}
		p.moves = append(p.moves, m)
	}
	return nil
}

// swap plays a swap, the second move. Before colours are exchanged the position is set up again,
// in case a refused command has changed it.
func (p *position) swap(ctx context.Context, m wire.Move) error {
	if p.exchanges {
		return nil
	}
	first := p.moves[0]
	for _, text := range []string{swap, first.Move} {
		if _, err := p.gtp.Ask(ctx, "play", colours[m.Seat], text); !refused(err) {
			return err
		}
	}
	p.exchanges = true
	return p.setUp(ctx, []wire.Move{first})
}

// colour returns the colour of a seat on the board.
func (p *position) colour(seat int) string {
	if p.exchanges && len(p.moves) > 1 && p.moves[1].Move == swap {
		seat = 1 - seat
	}
	return colours[seat]
}

// refused reports whether an error is the refusal of a command.
func refused(err error) bool { return errors.As(err, new(*gtp.Refusal)) }

// unlessRefused returns an error of a command that an engine need not know.
func unlessRefused(err error) error {
	if refused(err) {
		return nil
	}
	return err
}
