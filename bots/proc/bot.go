package proc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/gtp"
	"gamebots/hexproto/wire"
	"gamebots/internal/shutdown"
)

// Bot is a program that speaks GTP, with a process for each game.
type Bot struct {
	Command []string
	Setup   []string      // GTP commands before each game
	Grace   time.Duration // limit of each step of the process's end
}

var _ interface {
	hexproto.Bot
	hexproto.Checker
} = Bot{}

// Open starts the engine and sets up the game's board. It ends an engine that does
// not answer before the context ends.
func (b Bot) Open(ctx context.Context, game *wire.Game, seat int) (hexproto.Engine, error) {
	e, err := b.start(ctx, seat, func(e *engine) error { return e.board.begin(ctx, game) })
	if err != nil {
		return nil, err
	}
	return e, nil
}

// Check starts the engine, sets up a game's board, and ends it again.
func (b Bot) Check(ctx context.Context, game *wire.Game) error {
	e, err := b.start(ctx, 0, func(e *engine) error {
		// A refusal is an answer too.
		if _, err := e.gtp.Ask(ctx, "protocol_version"); unlessRefused(err) != nil {
			return err
		}
		if game == nil {
			return nil
		}
		return e.board.begin(ctx, game)
	})
	if err != nil {
		return fmt.Errorf("engine %s: %w", strings.Join(b.Command, " "), err)
	}
	return e.Close()
}

// start starts the engine and runs the setup, then first.
func (b Bot) start(ctx context.Context, seat int, first func(*engine) error) (*engine, error) {
	if len(b.Command) == 0 {
		return nil, errors.New("the engine has no command")
	}
	p, err := Start(b.Command, b.Grace)
	if err != nil {
		return nil, err
	}
	c := gtp.NewController(p.In, p.Out)
	e := &engine{process: p, gtp: c, seat: seat, board: position{gtp: c}}
	if err = e.prepare(ctx, b.Setup); err == nil {
		err = first(e)
	}
	if err != nil {
		err = p.Explain(err)
		_ = e.Close()
		return nil, err
	}
	return e, nil
}

// colours are the seats in GTP.
var colours = [2]string{"white", "black"}

type engine struct {
	process *Process
	gtp     *gtp.Controller
	seat    int
	board   position
}

// prepare sends the commands of the setup.
func (e *engine) prepare(ctx context.Context, setup []string) error {
	for _, line := range setup {
		if _, err := e.gtp.Ask(ctx, strings.Fields(line)...); err != nil {
			return fmt.Errorf("setup: %w", unable(err))
		}
	}
	return nil
}

// Decide asks for a move. GTP cannot interrupt an engine: after ctx ended before the
// answer came, the engine cannot be used any more.
func (e *engine) Decide(ctx context.Context, game *wire.Game, budget hexproto.Budget) (hexproto.Decision, error) {
	d, err := e.decide(ctx, game, budget)
	if err != nil {
		err = e.process.Explain(err)
	}
	return d, err
}

func (e *engine) decide(ctx context.Context, game *wire.Game, budget hexproto.Budget) (hexproto.Decision, error) {
	if err := e.board.follow(ctx, game.Moves); err != nil {
		return hexproto.Decision{}, err
	}
	colour := e.board.colour(e.seat)
	if err := e.sendTime(ctx, game, colour, budget); err != nil {
		return hexproto.Decision{}, err
	}
	move, err := e.gtp.Ask(ctx, "genmove", colour)
	if err != nil {
		return hexproto.Decision{}, unable(err)
	}
	switch move = strings.ToLower(strings.TrimSpace(move)); {
	case move == resign:
		return hexproto.Decision{Resign: true}, nil
	case game.Swap && move == strings.ToLower(game.Moves[0].Move):
		move = swap // as HGui writes it
	}
	e.board.moves = append(e.board.moves, wire.Move{Turn: game.Turn, Seat: e.seat, Move: move})
	return hexproto.Decision{Move: move}, nil
}

// unable marks the refusal of a command, which another attempt would not change.
func unable(err error) error {
	if refused(err) {
		return &hexproto.UnableError{Err: err}
	}
	return err
}

// sendTime sends the engine its clock in whole seconds, rounded down. An engine that
// does not know the command goes without. GTP has no increments: with a clock of
// increments or of a fixed time a move alone, the engine gets its share of the time
// for one stone.
func (e *engine) sendTime(ctx context.Context, game *wire.Game, colour string, budget hexproto.Budget) error {
	if budget.None() {
		return nil
	}
	left, stones := budget.Left, 0
	if game.Clock.Main == 0 {
		left, stones = budget.Share, 1
	}
	_, err := e.gtp.Ask(ctx, "time_left", colour, fmt.Sprint(int(left.Seconds())), fmt.Sprint(stones))
	return unlessRefused(err)
}

// Close ends the engine: "quit" first, and then the steps of Process.Close.
func (e *engine) Close() error {
	go func() { _, _ = e.gtp.Ask(context.Background(), "quit") }() // if it is not busy; until the controller is closed
	shutdown.Wait(e.process.ended, min(e.process.grace, time.Second))
	e.gtp.Close()
	return e.process.Close()
}
