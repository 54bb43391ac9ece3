package proc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/gtp"
	"gamebots/hexproto/wire"
)

// Bot is an engine that speaks GTP, started anew for each game.
type Bot struct {
	Command []string
	Setup   []string      // commands for it before each game
	Grace   time.Duration // for each step of its end
}

var _ interface {
	hexproto.Bot
	hexproto.Checker
} = Bot{}

// Open starts the engine and sets the game's board up. An engine that does not
// answer in time is ended.
func (b Bot) Open(ctx context.Context, game *wire.Game, seat int) (hexproto.Engine, error) {
	e, err := b.start(ctx, seat, func(e *engine) error { return e.begin(ctx, game) })
	if err != nil {
		return nil, err
	}
	return e, nil
}

// Check starts the engine, gives it the commands of its setup and a game's board,
// and ends it again.
func (b Bot) Check(ctx context.Context, game *wire.Game) error {
	e, err := b.start(ctx, 0, func(e *engine) error {
		// One that does not know the command answers too.
		if _, err := e.gtp.Ask(ctx, "protocol_version"); err != nil && !errors.As(err, new(*gtp.Refusal)) {
			return err
		}
		if game == nil {
			return nil
		}
		return e.begin(ctx, game)
	})
	if err != nil {
		return fmt.Errorf("engine %s: %w", strings.Join(b.Command, " "), err)
	}
	return e.Close()
}

// start starts the engine and does what comes first.
func (b Bot) start(ctx context.Context, seat int, first func(*engine) error) (*engine, error) {
	if len(b.Command) == 0 {
		return nil, errors.New("no engine to start")
	}
	p, err := Start(b.Command, b.Grace)
	if err != nil {
		return nil, err
	}
	e := &engine{process: p, gtp: gtp.NewController(p.In, p.Out), colour: colours[seat], seat: seat}
	if err = e.prepare(ctx, b.Setup); err == nil {
		err = first(e)
	}
	if err != nil {
		err = p.explain(err)
		e.Close()
		return nil, err
	}
	return e, nil
}

// colours are GTP's names of the seats.
var colours = [2]string{"white", "black"}

type engine struct {
	process *Process
	gtp     *gtp.Controller
	seat    int
	colour  string
	moves   []wire.Move // that the engine knows of
}

// prepare gives the engine the commands of its setup.
func (e *engine) prepare(ctx context.Context, setup []string) error {
	for _, line := range setup {
		if _, err := e.gtp.Ask(ctx, strings.Fields(line)...); err != nil {
			return fmt.Errorf("setup: %w", err)
		}
	}
	return nil
}

// begin sets up the empty board of a game's options: by the size of a board that
// has sides, by our own command options of any other.
func (e *engine) begin(ctx context.Context, game *wire.Game) error {
	var o struct{ Side int }
	if err := json.Unmarshal(game.Options, &o); err != nil {
		return fmt.Errorf("options: %w", err)
	}
	command := []string{"options", string(game.Options)}
	if o.Side > 0 {
		command = []string{"boardsize", fmt.Sprint(o.Side)}
	}
	if _, err := e.gtp.Ask(ctx, command...); err != nil {
		return err
	}
	if _, err := e.gtp.Ask(ctx, "clear_board"); err != nil {
		return err
	}
	e.moves = nil
	return e.follow(ctx, game)
}

// follow has the engine make the moves that it does not know of.
func (e *engine) follow(ctx context.Context, game *wire.Game) error {
	known := len(e.moves)
	if known > len(game.Moves) || !slices.EqualFunc(e.moves, game.Moves[:known], func(a, b wire.Move) bool { return a.Seat == b.Seat && a.Move == b.Move }) {
		if _, err := e.gtp.Ask(ctx, "clear_board"); err != nil {
			return err
		}
		e.moves = nil
	}
	for _, m := range game.Moves[len(e.moves):] {
		if _, err := e.gtp.Ask(ctx, "play", colours[m.Seat], m.Move); err != nil {
			return err
		}
		e.moves = append(e.moves, m)
	}
	return nil
}

// Decide asks for a move. An engine cannot be interrupted: when ctx ends before
// it answers, it is of no more use.
func (e *engine) Decide(ctx context.Context, game *wire.Game, budget hexproto.Budget) (hexproto.Decision, error) {
	d, err := e.decide(ctx, game, budget)
	if err != nil {
		err = e.process.explain(err)
	}
	return d, err
}

func (e *engine) decide(ctx context.Context, game *wire.Game, budget hexproto.Budget) (hexproto.Decision, error) {
	if err := e.follow(ctx, game); err != nil {
		return hexproto.Decision{}, err
	}
	if err := e.tellTime(ctx, game, budget); err != nil {
		return hexproto.Decision{}, err
	}
	move, err := e.gtp.Ask(ctx, "genmove", e.colour)
	if err != nil {
		return hexproto.Decision{}, err
	}
	move = strings.ToLower(strings.TrimSpace(move))
	if move == "resign" {
		return hexproto.Decision{Resign: true}, nil
	}
	e.moves = append(e.moves, wire.Move{Turn: game.Turn, Seat: e.seat, Move: move})
	return hexproto.Decision{Move: move}, nil
}

// tellTime tells the engine its clock in whole seconds, rounded down. Engines
// that do not know the command are left without. GTP has no increments: the fair
// share of the time is what it may use now, where that is a fixed time a move.
func (e *engine) tellTime(ctx context.Context, game *wire.Game, budget hexproto.Budget) error {
	if budget.None() {
		return nil
	}
	left, stones := budget.Left, 0
	if game.Clock.Main == 0 {
		left, stones = budget.Share, 1
	}
	_, err := e.gtp.Ask(ctx, "time_left", e.colour, fmt.Sprint(int(left.Seconds())), fmt.Sprint(stones))
	if refusal := (*gtp.Refusal)(nil); errors.As(err, &refusal) {
		return nil
	}
	return err
}

// Close ends the engine as the package's manual says.
func (e *engine) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), min(e.process.grace, time.Second))
	defer cancel()
	go e.gtp.Ask(ctx, "quit") // if it is not busy
	select {
	case <-e.process.ended:
	case <-ctx.Done():
	}
	e.gtp.Close()
	return e.process.Close()
}
