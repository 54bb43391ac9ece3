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
	"gamebots/hexproto/boards"
	"gamebots/hexproto/gtp"
	"gamebots/hexproto/wire"
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
	e, err := b.start(ctx, seat, func(e *engine) error { return e.begin(ctx, game) })
	if err != nil {
		return nil, err
	}
	return e, nil
}

// Check starts the engine, sets up a game's board, and ends it again.
func (b Bot) Check(ctx context.Context, game *wire.Game) error {
	e, err := b.start(ctx, 0, func(e *engine) error {
		// A refusal is an answer too.
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

// start starts the engine and runs the setup, then first.
func (b Bot) start(ctx context.Context, seat int, first func(*engine) error) (*engine, error) {
	if len(b.Command) == 0 {
		return nil, errors.New("the engine has no command")
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

// colours are the seats in GTP.
var colours = [2]string{"white", "black"}

type engine struct {
	process *Process
	gtp     *gtp.Controller
	seat    int
	colour  string
	moves   []wire.Move // on the engine's board
}

// prepare sends the commands of the setup.
func (e *engine) prepare(ctx context.Context, setup []string) error {
	for _, line := range setup {
		if _, err := e.gtp.Ask(ctx, strings.Fields(line)...); err != nil {
			return fmt.Errorf("setup: %w", err)
		}
	}
	return nil
}

// begin sets up the board of a game: with boardsize if the options have a side, and
// with gamebots' own command "options" otherwise.
func (e *engine) begin(ctx context.Context, game *wire.Game) error {
	var o boards.HavannahOptions
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

// follow plays the game's moves that the engine's board does not have.
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

// Decide asks for a move. GTP cannot interrupt an engine: after ctx ended before the
// answer came, the engine cannot be used any more.
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
	if err := e.sendTime(ctx, game, budget); err != nil {
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

// sendTime sends the engine its clock in whole seconds, rounded down. An engine that
// does not know the command goes without. GTP has no increments: with a clock of
// increments or of a fixed time a move alone, the engine gets its share of the time
// for one stone.
func (e *engine) sendTime(ctx context.Context, game *wire.Game, budget hexproto.Budget) error {
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

// Close ends the engine: "quit" first, and then the steps of Process.Close.
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
