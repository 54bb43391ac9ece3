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
	seats     []*account
	seed      []byte // of games with chance
	kind      string // of game, for ratings
	rated     bool
	started   int64
	moved     int64 // when the last move was made, or the game began

	clocks  clocks
	timer   *time.Timer // for the next clock that runs out
	moves   []wire.Move // of finished turns
	turn    int
	pending []string // moves of this turn by seat, while it waits for another
	took    []int64  // milliseconds that each pending move took
	offers  []wire.Standing
	offered map[wire.Standing]bool // to allow one offer of a kind each turn
	result  *wire.Result
	board   *wire.Board        // once someone has seen it
	final   map[int]*wire.View // of a game that is over, by the seat that has seen it

	gone     []int // seats that have left, in their order in time
	resumed  bool  // the clock of a player stands until the player is back
	watchers map[*conn]bool
	chat     []wire.Line
	bots     []*botPlayer // by seat
}

// maxChat is how many lines of chat are kept of a game.
const maxChat = 50

// seat returns the seat of an account, or -1.
func (t *table) seat(a *account) int { return slices.Index(t.seats, a) }

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
	t.send(tx, &wire.Presence{Game: t.id, Present: t.present(), Gone: slices.Clone(t.gone), Watchers: len(t.watchers)})
}

// announce sends the players the state of a game that has begun.
func (t *table) announce(tx *transaction) {
	for _, a := range t.seats {
		for c := range a.conns {
			tx.send(c, 0, t.state(t.seat(a), c.views))
		}
	}
}

// state returns the game as a seat sees it, or a spectator, whose seat is -1. In a game
// with hidden information a seat sees its own in the view, so it always has one.
func (t *table) state(seat int, views bool) *wire.Game {
	g := &wire.Game{
		Game: t.id, Tag: t.tag, Rules: t.rulesName, Options: t.options, Kind: t.kind, Rated: t.rated,
		Seats: t.players(), Names: t.rules.About().Seats,
		You: seat, Started: t.started,
		Clock: t.clocks.Clock, Time: t.time(), Turn: t.turn, ToMove: t.toMove(), Swap: t.result == nil && t.game.CanSwap(),
		Moves: slices.Clone(t.moves), Offers: slices.Clone(t.offers), Result: t.result,
		Present: t.present(), Gone: slices.Clone(t.gone), Watchers: len(t.watchers), Said: slices.Clone(t.chat),
	}
	if g.Moves == nil {
		g.Moves = []wire.Move{}
	}
	if seat >= 0 {
		g.Mine = t.pending[seat]
	}
	if views || t.hidden() != nil {
		if t.board == nil {
			t.board = t.game.Board()
		}
		g.Board, g.View = t.board, t.view(seat, -1)
	}
	return g
}

// recorded returns the game as its record has it for the caller of a request: as a
// spectator sees it, but with what the caller sees where there is hidden information.
func (t *table) recorded(caller any) *wire.Game {
	a, _ := caller.(*account)
	return t.state(t.viewer(t.seat(a)), false)
}

// hidden returns the game if it has hidden information, or nil.
func (t *table) hidden() game.Hidden {
	h, _ := t.game.(game.Hidden)
	return h
}

// viewer returns for whom a view is made that a seat gets: itself, or a spectator if all
// see the same.
func (t *table) viewer(seat int) int {
	if t.hidden() == nil {
		return -1
	}
	return seat
}

// view returns a seat's view of the position, with what ended in a turn from since on, or in
// any if that is -1. A game that is over has no legal moves.
func (t *table) view(seat, since int) *wire.View {
	seat = t.viewer(seat)
	if v := t.final[seat]; v != nil {
		return v
	}
	var v *wire.View
	if h := t.hidden(); h != nil {
		v = h.ViewOf(seat, since)
	} else {
		v = t.game.View()
	}
	if t.result != nil {
		v.Legal, v.LegalSecond = []string{}, nil
		if t.final == nil {
			t.final = map[int]*wire.View{}
		}
		t.final[seat] = v
	}
	return v
}

func (t *table) present() []bool {
	present := make([]bool, len(t.seats))
	for seat, a := range t.seats {
		present[seat] = a.present()
	}
	return present
}

// players returns the players with their ratings in the kind of the game.
func (t *table) players() []wire.Player {
	players := make([]wire.Player, len(t.seats))
	for seat, a := range t.seats {
		players[seat] = a.player(t.kind)
	}
	return players
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

// start starts the game by its rules.
func (t *table) start() (err error) {
	if dealer, ok := t.rules.(game.Dealer); ok {
		t.game, err = dealer.Deal(t.options, t.seed)
	} else {
		t.game, err = t.rules.New(t.options)
	}
	if err == nil {
		n := len(t.game.ToMove())
		t.clocks, t.pending, t.took = newClocks(t.clocks.Clock, n), make([]string, n), make([]int64, n)
	}
	return err
}

// past returns the game before a turn, without its players. Its moves have yet to be
// replayed, which needs no lock.
func (t *table) past(turn int) *table {
	n := slices.IndexFunc(t.moves, func(m wire.Move) bool { return m.Turn >= turn })
	if n < 0 {
		n = len(t.moves)
	}
	return &table{id: t.id, rules: t.rules, options: t.options, seed: t.seed, moves: slices.Clone(t.moves[:n])}
}

// replay starts the game again and plays moves that were legal before.
func (t *table) replay(moves []wire.Move) error {
	if err := t.start(); err != nil {
		return err
	}
	t.moves, t.turn = nil, 0
	for _, m := range moves {
		if m.Turn != t.turn || m.Seat < 0 || m.Seat >= len(t.pending) || !t.game.ToMove()[m.Seat] {
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
	clear(t.pending)
	clear(t.took)
	t.offers = nil
	if h := t.hidden(); h != nil && h.Counts() {
		t.clocks.beginAll()
	}
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
		if !t.clocks.begun[s] {
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
	if seat, at, ok := t.nextTimeout(t.games.limits.FirstMove); ok && !t.clocks.begun[seat] {
		m.Abort = at
	}
	return m
}

// clocks are the players' clocks of a game, by seat. Times are milliseconds.
type clocks struct {
	wire.Clock
	left  []int64
	since []int64 // when the clock was started, 0 while it stands
	begun []bool  // the clock runs: the first turn, which is not charged, is over
}

func newClocks(c wire.Clock, seats int) clocks {
	return clocks{Clock: c, left: slices.Repeat([]int64{c.Main}, seats), since: make([]int64, seats), begun: make([]bool, seats)}
}

// free reports whether a seat's turn is not charged: the game has no clocks, or
// the seat has not begun.
func (c *clocks) free(seat int) bool { return c.None() || !c.begun[seat] }

// start starts the clock of a seat.
func (c *clocks) start(seat int, now int64) { c.since[seat] = now }

// deadline returns when the seat's time is up, in a turn that is charged.
func (c *clocks) deadline(seat int) int64 { return c.since[seat] + c.PerMove + c.left[seat] }

// played charges a seat for a turn and stops its clock.
func (c *clocks) played(seat int, ms int64) {
	if !c.free(seat) {
		c.left[seat] += c.Increment - max(0, ms-c.PerMove)
	}
	c.begun[seat] = true
	c.since[seat] = 0
}

// beginAll ends the time in which first turns are not charged.
func (c *clocks) beginAll() {
	for seat := range c.begun {
		c.begun[seat] = true
	}
}

// stop stops all clocks and charges the running turns.
func (c *clocks) stop(now int64) {
	for seat, since := range c.since {
		if since != 0 && !c.free(seat) {
			c.left[seat] = max(0, c.left[seat]-max(0, now-since-c.PerMove))
		}
	}
	clear(c.since)
}

// time returns the clocks as messages have them. In a turn that is not charged the
// clock stands.
func (c *clocks) time(now int64) wire.Time {
	n := len(c.left)
	t := wire.Time{Left: slices.Clone(c.left), Running: make([]bool, n), Since: make([]int64, n), At: now}
	for seat, since := range c.since {
		if since != 0 && !c.free(seat) {
			t.Running[seat], t.Since[seat] = true, since
		}
	}
	return t
}
