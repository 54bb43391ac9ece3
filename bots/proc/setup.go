package proc

import (
	"errors"
	"fmt"
	"slices"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// GTP lets a colour move several times in a row, which graphical boards use to set up
// positions. A bot only knows games in which turns alternate. So stones out of turn wait
// in Engine.extra until some order of all stones is such a game.

// arrange returns a game of Havannah that leads to some stones, with a seat to move, or
// nil if there is none. If it has to begin with a swap it does.
func arrange(stones []wire.Move, toMove int) []wire.Move {
	var of [2][]string
	for _, s := range stones {
		of[s.Seat] = append(of[s.Seat], s.Move)
	}
	var moves []wire.Move
	add := func(text string) {
		moves = append(moves, wire.Move{Turn: len(moves), Seat: len(moves) % 2, Move: text})
	}
	switch ahead := len(of[0]) - len(of[1]); {
	case ahead == toMove:
	case ahead == toMove-1 && len(of[1]) > 0:
		add(of[1][0])
		add(swap)
		of[1] = of[1][1:]
	default:
		return nil
	}
	for len(of[0])+len(of[1]) > 0 {
		seat := len(moves) % 2
		add(of[seat][0])
		of[seat] = of[seat][1:]
	}
	return moves
}

// stones returns all stones on the board, in the order of their moves, with the seats
// that own them.
func (e *Engine) stones() []wire.Move {
	moves := e.state.Moves
	if len(moves) > 1 && moves[1].Move == swap {
		moves = append([]wire.Move{{Seat: 1, Move: moves[0].Move}}, moves[2:]...)
	}
	return append(moves[:len(moves):len(moves)], e.extra...)
}

// turn returns the seat to move in the game without extra stones.
func (e *Engine) turn() (int, error) {
	switch to := e.game.ToMove(); {
	case !slices.Contains(to, true):
		return 0, errors.New("the game is over")
	case to[1]:
		return 1, nil
	}
	return 0, nil
}

// toMove returns the seat of a colour. It arranges the stones so that the colour is to
// move, and returns an error if no game leads to that.
func (e *Engine) toMove(colour string) (int, error) {
	seat := seatOf(colour)
	turn, err := e.turn()
	if err != nil || seat == turn && len(e.extra) == 0 {
		return seat, err
	}
	if len(e.played) == 0 && e.setsUp() {
		return turn, nil // black begins, as controllers of Go have it: the empty board is the same for both colours
	}
	stones := e.stones()
	if moves := arrange(stones, seat); moves != nil && e.setsUp() {
		return seat, e.replay(moves)
	}
	if len(e.extra) == 0 {
		return 0, fmt.Errorf("it is not the turn of %s", colour)
	}
	var count [2]int
	for _, s := range stones {
		count[s.Seat]++
	}
	return 0, fmt.Errorf("it cannot be the turn of %s with %d white and %d black stones", colour, count[0], count[1])
}

// place puts a stone of a seat on the board out of turn.
func (e *Engine) place(seat int, text string) error {
	stone := wire.Move{Seat: seat, Move: text}
	if text == swap || !e.setsUp() {
		return fmt.Errorf("it is not the turn of %s", colours[seat])
	}
	if slices.ContainsFunc(e.extra, func(s wire.Move) bool { return s.Move == text }) {
		return fmt.Errorf("illegal move: %s: the cell is taken", text)
	}
	stones := append(e.stones(), stone)
	for turn := range 2 {
		if moves := arrange(stones, turn); moves != nil {
			return e.replay(moves)
		}
	}
	e.extra = append(e.extra, stone)
	return nil
}

// setsUp reports whether positions can be set up: the order of moves must not matter.
func (e *Engine) setsUp() bool { return e.state.Rules == boards.HavannahName }

// replay replaces the game by one of other moves.
func (e *Engine) replay(moves []wire.Move) error {
	g, err := e.Rules.New(e.state.Options)
	if err != nil {
		return err
	}
	for _, m := range moves {
		if err := playOn(g, m.Seat, m.Move); err != nil {
			return fmt.Errorf("illegal position: %w", err)
		}
	}
	e.game, e.state.Moves, e.state.Turn, e.extra = g, moves, len(moves), nil
	return nil
}

// playOn plays a move of a seat.
func playOn(g game.Game, seat int, text string) error {
	moves := make([]string, 2)
	moves[seat] = text
	return g.Play(moves)
}
