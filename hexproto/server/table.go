package server

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// table is a game with its players and spectators. It is guarded by the server's
// lock.
type table struct {
	games     *games
	row       int64 // of the database
	id, tag   string
	maker     *account // of the challenge
	rules     game.Rules
	rulesName string
	options   json.RawMessage // complete, as the game returned them
	game      game.Game
	seats     [2]*account
	kind      string // of game, for ratings
	rated     bool
	started   int64
	moved     int64 // when the last move was made, or the game began

	clocks  clocks
	timer   *time.Timer // for the next clock that runs out
	moves   []wire.Move // of finished turns
	turn    int
	pending [2]string // moves of this turn, while it waits for another
	took    [2]int64  // milliseconds that each pending move took
	offers  []wire.Standing
	offered map[wire.Standing]bool // to allow one offer of a kind each turn
	result  *wire.Result
	ratings [2]int      // at the end
	board   *wire.Board // once someone has seen it
	final   *wire.View  // of a game that is over, once someone has seen it

	resumed  bool // the clock of a player stands until the player is back
	watchers map[*conn]bool
	chat     []wire.Line
	bots     [2]*botPlayer
}

// maxChat is how many lines of chat are kept of a game.
const maxChat = 50

// seat returns the seat of an account, or -1.
func (t *table) seat(a *account) int { return slices.Index(t.seats[:], a) }

// audience yields the connections that follow a game.
func (t *table) audience(yield func(*conn) bool) {
	for _, a := range t.seats {
		for c := range a.conns {
			if !yield(c) {
				return
			}
		}
	}
	for c := range t.watchers {
		if t.seat(c.account) < 0 && !yield(c) {
			return
		}
	}
}

// send sends a message to the audience.
func (t *table) send(tx *transaction, m wire.Message) {
	frame := encode(0, m)
	for c := range t.audience {
		tx.enqueue(c, frame)
	}
}

// sendPresence tells the audience which players are connected.
func (t *table) sendPresence(tx *transaction) {
	t.send(tx, &wire.Presence{Game: t.id, Present: t.present(), Watchers: len(t.watchers)})
}

// announce sends the players the state of a game that has begun.
func (t *table) announce(tx *transaction) {
	for _, a := range t.seats {
		for c := range a.conns {
			tx.send(c, 0, t.state(a, c.views))
		}
	}
}

// state returns the game as an account sees it.
func (t *table) state(a *account, views bool) *wire.Game {
	g := &wire.Game{
		Game: t.id, Tag: t.tag, Rules: t.rulesName, Options: t.options, Kind: t.kind, Rated: t.rated,
		Seats: t.players(), Names: t.rules.About().Seats,
		You: t.seat(a), Started: t.started,
		Clock: t.clocks.Clock, Time: t.time(), Turn: t.turn, ToMove: t.toMove(), Swap: t.result == nil && t.game.CanSwap(),
		Moves: slices.Clone(t.moves), Offers: slices.Clone(t.offers), Result: t.result,
		Present: t.present(), Watchers: len(t.watchers), Said: slices.Clone(t.chat),
	}
	if g.Moves == nil {
		g.Moves = []wire.Move{}
	}
	if g.You >= 0 {
		g.Mine = t.pending[g.You]
	}
	if views {
		if t.board == nil {
			t.board = t.game.Board()
		}
		g.Board, g.View = t.board, t.view()
	}
	return g
}

// view returns the view of the position. A game that is over has no legal moves.
func (t *table) view() *wire.View {
	if t.final != nil {
		return t.final
	}
	v := t.game.View()
	if t.result != nil {
		v.Legal, v.LegalSecond = []string{}, nil
		t.final = v
	}
	return v
}

func (t *table) present() [2]bool { return [2]bool{t.seats[0].present(), t.seats[1].present()} }

// players returns the players with their ratings in the kind of the game.
func (t *table) players() [2]wire.Player {
	return [2]wire.Player{t.seats[0].player(t.kind), t.seats[1].player(t.kind)}
}

// toMove lists the seats for which the turn waits.
func (t *table) toMove() []int {
	seats := []int{}
	if t.result != nil {
		return seats
	}
	for seat, to := range t.game.ToMove() {
		if to && t.pending[seat] == "" {
			seats = append(seats, seat)
		}
	}
	return seats
}

func (t *table) brief() wire.Brief {
	return wire.Brief{
		Game: t.id, Tag: t.tag, Rules: t.rulesName, Options: t.options, Kind: t.kind, Rated: t.rated,
		Seats: t.players(),
		Clock: t.clocks.Clock, Turn: t.turn, Started: t.started, Result: t.result,
	}
}

// replay starts the game again and plays moves that were legal before.
func (t *table) replay(moves []wire.Move) error {
	g, err := t.rules.New(t.options)
	if err != nil {
		return err
	}
	t.game, t.clocks = g, newClocks(t.clocks.Clock)
	t.moves, t.turn, t.pending, t.took = nil, 0, [2]string{}, [2]int64{}
	for _, m := range moves {
		if m.Turn != t.turn || m.Seat < 0 || m.Seat > 1 || !t.game.ToMove()[m.Seat] {
			return fmt.Errorf("game %s: the move %+v is of no turn", t.id, m)
		}
		text, err := t.game.Check(m.Seat, m.Move)
		if err != nil {
			return fmt.Errorf("game %s: %w", t.id, err)
		}
		t.pending[m.Seat], t.took[m.Seat] = text, m.Ms
		t.clocks.played(m.Seat, m.Ms)
		if _, err := t.finishTurn(); err != nil {
			return err
		}
	}
	return nil
}

// finishTurn plays the turn if all of its moves are pending, and returns them.
func (t *table) finishTurn() ([]wire.Move, error) {
	if len(t.toMove()) > 0 {
		return nil, nil
	}
	var played []wire.Move
	for seat, to := range t.game.ToMove() {
		if to {
			played = append(played, wire.Move{Turn: t.turn, Seat: seat, Move: t.pending[seat], Ms: t.took[seat]})
		}
	}
	if err := t.game.Play(t.pending); err != nil {
		return nil, fmt.Errorf("game %s, turn %d: %w", t.id, t.turn, err)
	}
	t.moves = append(t.moves, played...)
	t.turn++
	t.pending, t.took, t.offers = [2]string{}, [2]int64{}, nil
	return played, nil
}

// hasPlayed reports whether a seat has made a move already.
func (t *table) hasPlayed(seat int, m *wire.Play) bool {
	if m.Turn == t.turn {
		return t.pending[seat] != "" && t.pending[seat] == m.Move
	}
	i, ok := slices.BinarySearchFunc(t.moves, m.Turn, func(made wire.Move, turn int) int { return made.Turn - turn })
	for ; ok && i < len(t.moves) && t.moves[i].Turn == m.Turn; i++ {
		if t.moves[i].Seat == seat && t.moves[i].Move == m.Move {
			return true
		}
	}
	return false
}

// hasMoved reports whether a seat has made a move that stands.
func (t *table) hasMoved(seat int) bool {
	return slices.ContainsFunc(t.moves, func(m wire.Move) bool { return m.Seat == seat })
}

// nextTimeout returns the seat whose clock runs out first, and when. It returns
// false if no clock runs.
func (t *table) nextTimeout(firstMove time.Duration) (seat int, at int64, ok bool) {
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

// time returns the clocks as messages have them, and when the game is aborted unless a
// player who has not moved yet does.
func (t *table) time() wire.Time {
	m := t.clocks.time(now())
	if seat, at, ok := t.nextTimeout(t.games.limits.FirstMove); ok && t.clocks.turns[seat] == 0 {
		m.Abort = at
	}
	return m
}

// clocks are both players' clocks of a game. Times are milliseconds.
type clocks struct {
	wire.Clock
	left  [2]int64
	since [2]int64 // when the clock was started, 0 while it stands
	turns [2]int   // that each player has played
}

func newClocks(c wire.Clock) clocks { return clocks{Clock: c, left: [2]int64{c.Main, c.Main}} }

// free reports whether a seat's turn is not charged: the game has no clocks, or
// the turn is the seat's first.
func (c *clocks) free(seat int) bool { return c.None() || c.turns[seat] == 0 }

// start starts the clock of a seat.
func (c *clocks) start(seat int, now int64) { c.since[seat] = now }

// deadline returns when the seat's time is up, in a turn that is charged.
func (c *clocks) deadline(seat int) int64 { return c.since[seat] + c.PerMove + c.left[seat] }

// played charges a seat for a turn and stops its clock.
func (c *clocks) played(seat int, ms int64) {
	if !c.free(seat) {
		c.left[seat] += c.Increment - max(0, ms-c.PerMove)
	}
	c.turns[seat]++
	c.since[seat] = 0
}

// stop stops both clocks and charges the running turns.
func (c *clocks) stop(now int64) {
	for seat, since := range c.since {
		if since != 0 && !c.free(seat) {
			c.left[seat] = max(0, c.left[seat]-max(0, now-since-c.PerMove))
		}
	}
	c.since = [2]int64{}
}

// time returns the clocks as messages have them. In a turn that is not charged the
// clock stands.
func (c *clocks) time(now int64) wire.Time {
	t := wire.Time{Left: c.left, At: now}
	for seat, since := range c.since {
		if since != 0 && !c.free(seat) {
			t.Running[seat], t.Since[seat] = true, since
		}
	}
	return t
}
