package server

import (
	"fmt"
	"slices"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// table is a game with its players. All is guarded by the server's lock.
type table struct {
	row     int64
	id, tag string
	maker   *account // of the challenge
	rules   game.Rules
	name    string // of the rules
	game    game.Game
	seats   [2]*account
	rated   bool
	started int64

	clocks  clocks
	timer   *time.Timer // until somebody's time is up
	moves   []wire.Move
	turn    int
	mine    [2]string // of this turn, while another's move is awaited
	took    [2]int64
	offers  []wire.Standing
	offered map[wire.Standing]bool // one of each a turn
	result  *wire.Result
	after   [2]int // ratings at the end

	resumed  bool // clocks stand until the players are back
	watchers map[*conn]bool
	said     []wire.Line
	drivers  [2]*driver // of the server's bots
}

// keptLines is how much of the chat a state has.
const keptLines = 50

// seat returns that of an account, or -1.
func (t *table) seat(a *account) int { return slices.Index(t.seats[:], a) }

// state returns the game as an account sees it.
func (t *table) state(a *account, views bool) *wire.Game {
	g := &wire.Game{
		Game: t.id, Tag: t.tag, Rules: t.name, Options: t.game.Options(), Rated: t.rated,
		Seats: [2]wire.Player{t.seats[0].player(), t.seats[1].player()}, Names: t.rules.About().Seats,
		You: t.seat(a), Started: t.started,
		Clock: t.clocks.Clock, Time: t.clocks.time(now()), Turn: t.turn, ToMove: t.toMove(), Swap: t.result == nil && t.game.CanSwap(),
		Moves: slices.Clone(t.moves), Offers: slices.Clone(t.offers), Result: t.result,
		Present: t.present(), Watchers: len(t.watchers), Said: slices.Clone(t.said),
	}
	if g.Moves == nil {
		g.Moves = []wire.Move{}
	}
	if g.You >= 0 {
		g.Mine = t.mine[g.You]
	}
	if views {
		g.Board, g.View = t.game.Board(), t.view()
	}
	return g
}

// view is the picture as it stands; a game that is over has no legal moves.
func (t *table) view() *wire.View {
	v := t.game.View()
	if t.result != nil {
		v.Legal, v.LegalSecond = []string{}, nil
	}
	return v
}

func (t *table) present() [2]bool { return [2]bool{t.seats[0].present(), t.seats[1].present()} }

// toMove lists the seats that a turn waits for.
func (t *table) toMove() []int {
	seats := []int{}
	if t.result != nil {
		return seats
	}
	for seat, to := range t.game.ToMove() {
		if to && t.mine[seat] == "" {
			seats = append(seats, seat)
		}
	}
	return seats
}

func (t *table) brief() wire.Brief {
	return wire.Brief{
		Game: t.id, Tag: t.tag, Rules: t.name, Options: t.game.Options(), Rated: t.rated,
		Seats: [2]wire.Player{t.seats[0].player(), t.seats[1].player()},
		Clock: t.clocks.Clock, Turn: t.turn, Started: t.started, Result: t.result,
	}
}

// replay puts the table at the end of moves, which were legal before.
func (t *table) replay(moves []wire.Move) error {
	game, err := t.rules.New(t.game.Options())
	if err != nil {
		return err
	}
	t.game, t.clocks = game, newClocks(t.clocks.Clock)
	t.moves, t.turn, t.mine, t.took = nil, 0, [2]string{}, [2]int64{}
	for _, m := range moves {
		if m.Turn != t.turn || m.Seat < 0 || m.Seat > 1 || !t.game.ToMove()[m.Seat] {
			return fmt.Errorf("game %s: the move %+v is of no turn", t.id, m)
		}
		text, err := t.game.Check(m.Seat, m.Move)
		if err != nil {
			return fmt.Errorf("game %s: %w", t.id, err)
		}
		t.mine[m.Seat], t.took[m.Seat] = text, m.Ms
		t.clocks.played(m.Seat, m.Ms)
		if _, err := t.finishTurn(); err != nil {
			return err
		}
	}
	return nil
}

// finishTurn plays the turn if all its moves are there, and returns them.
func (t *table) finishTurn() ([]wire.Move, error) {
	if len(t.toMove()) > 0 {
		return nil, nil
	}
	var played []wire.Move
	for seat, to := range t.game.ToMove() {
		if to {
			played = append(played, wire.Move{Turn: t.turn, Seat: seat, Move: t.mine[seat], Ms: t.took[seat]})
		}
	}
	if err := t.game.Play(t.mine); err != nil {
		return nil, fmt.Errorf("game %s, turn %d: %w", t.id, t.turn, err)
	}
	t.moves = append(t.moves, played...)
	t.turn++
	t.mine, t.took, t.offers = [2]string{}, [2]int64{}, nil
	return played, nil
}

// due says when the next clock runs out: of whom, and the time. It is false
// where none runs.
func (t *table) due(firstMove time.Duration) (seat int, at int64, ok bool) {
	if t.result != nil || t.clocks.None() {
		return 0, 0, false
	}
	for s, since := range t.clocks.since {
		if since == 0 {
			continue
		}
		d := t.clocks.deadline(s)
		if t.clocks.turns[s] == 0 {
			d = since + firstMove.Milliseconds()
		}
		if !ok || d < at {
			seat, at, ok = s, d, true
		}
	}
	return seat, at, ok
}
