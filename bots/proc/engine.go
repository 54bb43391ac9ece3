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
	"gamebots/hexproto/game"
	"gamebots/hexproto/gtp"
	"gamebots/hexproto/wire"
)

// Engine plays a bot of this module as a GTP engine. It is a [gtp.Engine].
type Engine struct {
	Rules   game.Rules
	Bot     hexproto.Bot
	Program string // name of the program
	Release string // version of the program

	game   game.Game
	state  wire.Game
	seats  [2]hexproto.Engine
	played []wire.Move // as the controller played them
	extra  []wire.Move // stones that the game does not have, see arrange
}

var _ gtp.Engine = (*Engine)(nil)

// Name returns Program.
func (e *Engine) Name() string { return e.Program }

// Version returns Release.
func (e *Engine) Version() string { return e.Release }

// Start begins a game with options, which may be empty.
func (e *Engine) Start(options json.RawMessage) error {
	game, err := e.Rules.New(options)
	if err != nil {
		return err
	}
	e.Close()
	e.game, e.played, e.extra = game, nil, nil
	e.state = wire.Game{
		Game: "gtp", Rules: e.Rules.About().Name, Options: game.Options(), Clock: e.state.Clock, Moves: []wire.Move{},
	}
	e.resetClocks()
	return nil
}

// Close closes the bot's engines.
func (e *Engine) Close() {
	for seat, s := range e.seats {
		if s != nil {
			s.Close()
			e.seats[seat] = nil
		}
	}
}

// Size starts a game on a board of a side. It returns an error for rules whose
// boards have no side.
func (e *Engine) Size(n int) error {
	if err := e.Start(boards.HavannahOptions{Side: n}.JSON()); err != nil {
		return errors.New("unacceptable size")
	}
	return nil
}

// Clear starts a game with the same options.
func (e *Engine) Clear() error { return e.Start(e.state.Options) }

// Commands lists the commands beyond the standard. "options" starts a game with
// options as JSON, or shows them; "result" and "winner" report how the game ended and
// which colour won, "final_score" as if by a point; "moves" lists the legal moves and "history" those that were
// played; "swap" plays that move. HexGui asks each engine by "hexgui-analyze_commands"
// which commands to offer in its window of analyses.
func (e *Engine) Commands() []string {
	return []string{"options", "result", "winner", "final_score", "moves", "history", swap, hexguiCommands}
}

const hexguiCommands = "hexgui-analyze_commands"

// Extra runs a command that Commands lists.
func (e *Engine) Extra(name string, args []string) (string, error) {
	switch name {
	case "options":
		if len(args) == 0 {
			return string(e.state.Options), nil
		}
		return "", e.Start(json.RawMessage(strings.Join(args, " ")))
	case "moves", "result", "winner", "final_score":
		if len(e.extra) > 0 {
			return "", errors.New("turns do not alternate yet")
		}
	}
	switch name {
	case hexguiCommands: // each as the kind of its answer, a title and the command
		return "string/Legal moves/moves\nstring/Moves made/history\nstring/Result/result", nil
	case "moves":
		return strings.Join(e.game.View().Legal, "\n"), nil
	case "history":
		var lines []string
		for _, m := range e.played {
			lines = append(lines, colours[m.Seat]+" "+m.Move)
		}
		return strings.Join(lines, "\n"), nil
	case swap:
		return "", e.Play(colours[max(0, slices.Index(e.game.ToMove(), true))], swap)
	}
	r := e.game.Result()
	switch {
	case name == "final_score" && r == nil:
		return "", errors.New("the game is not over")
	case name == "final_score":
		return []string{"0", "W+1", "B+1"}[r.Winner+1], nil
	case name == "winner" && r == nil:
		return "unknown", nil
	case name == "winner" && r.Winner < 0:
		return "draw", nil
	case name == "winner":
		return colours[r.Winner], nil
	case r == nil:
		return "unfinished", nil
	case r.Winner < 0:
		return "draw " + r.How, nil
	}
	return colours[r.Winner] + " " + r.How, nil
}

func seatOf(colour string) int { return max(0, slices.Index(colours[:], colour)) }

// Play makes a move of a colour. In Havannah a colour may move several times in a row, to
// set up a position.
func (e *Engine) Play(colour, move string) error {
	seat := seatOf(colour)
	turn, err := e.turn()
	if err != nil {
		return err
	}
	text, err := e.game.Check(turn, move)
	if err != nil && seat == turn && e.repeatsFirst(move) {
		text, err = swap, nil
	}
	switch {
	case err != nil:
		err = fmt.Errorf("illegal move: %w", err)
	case seat == turn && len(e.extra) == 0:
		if err = playOn(e.game, seat, text); err == nil {
			e.state.Moves = append(e.state.Moves, wire.Move{Turn: e.state.Turn, Seat: seat, Move: text})
			e.state.Turn++
		}
	default:
		err = e.place(seat, text)
	}
	if err == nil {
		e.played = append(e.played, wire.Move{Seat: seat, Move: text})
	}
	return err
}

// repeatsFirst reports whether a move is a swap as HGui writes it: the cell of the first stone
// again.
func (e *Engine) repeatsFirst(move string) bool {
	if len(e.extra) > 0 || !e.game.CanSwap() {
		return false
	}
	cell, err := e.game.Parse(1, move)
	return err == nil && cell == e.state.Moves[0].Move
}

// Generate has the bot decide on a move, and makes it. It charges the colour's clock,
// because not every controller sends time_left.
func (e *Engine) Generate(ctx context.Context, colour string) (string, error) {
	left, start := &e.state.Time.Left[seatOf(colour)], time.Now()
	move, err := e.Consider(ctx, colour)
	*left = max(0, *left-time.Since(start).Milliseconds())
	if err != nil || move == resign {
		return move, err
	}
	return move, e.Play(colour, move)
}

const resign = "resign"

// Consider has the bot decide on a move within what the clocks allow.
func (e *Engine) Consider(ctx context.Context, colour string) (string, error) {
	seat, err := e.toMove(colour)
	if err != nil {
		return "", err
	}
	state := e.state
	state.You, state.ToMove, state.Swap = seat, []int{seat}, e.game.CanSwap()
	if e.seats[seat] == nil {
		if e.seats[seat], err = e.Bot.Open(ctx, &state, seat); err != nil {
			return "", err
		}
	}
	decision, err := e.seats[seat].Decide(ctx, &state, hexproto.NewBudget(&state, seat, time.Now(), 0))
	switch {
	case err != nil:
		return "", err
	case decision.Resign:
		return resign, nil
	}
	return decision.Move, nil
}

// Undo takes back the last move.
func (e *Engine) Undo() error {
	n := len(e.played)
	if n == 0 {
		return errors.New("cannot undo")
	}
	rest := e.played[:n-1]
	if err := e.replay([]wire.Move{}); err != nil {
		return err
	}
	e.played = nil
	for _, m := range rest {
		if err := e.Play(colours[m.Seat], m.Move); err != nil {
			return err
		}
	}
	return nil
}

// Show draws the board, or describes it.
func (e *Engine) Show() string {
	if len(e.extra) > 0 { // only Havannah has such stones
		text, err := boards.SketchHavannah(e.state.Options, e.stones())
		if err != nil {
			return err.Error()
		}
		return text
	}
	if d, ok := e.game.(interface{ Text() string }); ok {
		return d.Text()
	}
	return e.game.View().Text
}

// Settings sets both clocks, in seconds. Canadian byo-yomi becomes a fixed time a
// move: the byo-yomi time divided by the stones.
func (e *Engine) Settings(main, byoyomi, stones int) error {
	e.state.Clock = wire.Clock{Main: 1000 * int64(main)}
	if stones > 0 {
		e.state.Clock.PerMove = 1000 * int64(byoyomi) / int64(stones)
	}
	e.resetClocks()
	return nil
}

// resetClocks sets both clocks to the main time.
func (e *Engine) resetClocks() {
	e.state.Time.Left = []int64{e.state.Clock.Main, e.state.Clock.Main}
}

// Left sets the time that a colour has left, in seconds.
func (e *Engine) Left(colour string, seconds, stones int) error {
	seat := seatOf(colour)
	if stones > 0 {
		e.state.Time.Left[seat], e.state.Clock.PerMove = 0, 1000*int64(seconds)/int64(stones)
	} else {
		e.state.Time.Left[seat] = 1000 * int64(seconds)
	}
	if e.state.Clock.None() { // time_left came without time_settings
		e.state.Clock.Main = max(1000, 1000*int64(seconds))
	}
	return nil
}
