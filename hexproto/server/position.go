package server

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"gamebots/hexproto/game"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"
)

// position is how far a game has come by its rules: the turns that are over, and the one in
// progress, which may wait for the moves of several seats.
type position struct {
	rules   game.Rules
	options options
	seed    []byte // chance in the game follows from it
	game    game.Game
	first   game.Game // before the first turn, of a record whose options do not tell that, else nil

	moves    []wire.Move // moves of finished turns
	turn     int         // number of the turn in progress, from 0
	pending  []string    // moves of this turn by seat, while it waits for another
	took     []int64     // milliseconds that each pending move took
	offers   []wire.Standing
	offered  map[wire.Standing]bool // allows one offer of a kind, and one analysis, each turn
	outlined string                 // the position as outline returns it, "" if nobody has asked
}

// options are those of a game: complete, as its rules have returned them, and as lists show them.
type options struct {
	whole, short json.RawMessage
	cut          bool // they differ
}

func optionsOf(whole json.RawMessage) options {
	o := options{whole: whole}
	o.short, o.cut = database.ShortenOptions(whole)
	return o
}

// startGame starts a game by its rules. That may take many milliseconds if the options have much to read: too
// long for an operation under the lock.
func startGame(rules game.Rules, options json.RawMessage, seed []byte) (game.Game, error) {
	if dealer, ok := rules.(game.Dealer); ok {
		return dealer.Deal(options, seed)
	}
	return rules.New(options)
}

// begin sets the game and its clocks to the first turn.
func (p *position) begin(c *clocks) {
	n := len(p.game.ToMove())
	p.moves, p.turn, p.pending, p.took, p.outlined = nil, 0, make([]string, n), make([]int64, n), ""
	away := c.away
	*c = newClocks(c.Clock, n)
	copy(c.away, away)
	if p.hidden() != nil { // the first turn counts too: the cards are dealt
		c.begun = slices.Repeat([]bool{true}, n)
	}
}

// past returns the position before a turn. Its moves have yet to be replayed, which needs no
// lock.
func (p *position) past(turn int) *position {
	n := slices.IndexFunc(p.moves, func(m wire.Move) bool { return m.Turn >= turn })
	if n < 0 {
		n = len(p.moves)
	}
	return &position{rules: p.rules, options: p.options, seed: p.seed, first: p.first, moves: slices.Clone(p.moves[:n])}
}

// replay starts the game again and plays moves that were legal before, for which the clocks
// are charged.
func (p *position) replay(moves []wire.Move, c *clocks) (err error) {
	if again, ok := cmp.Or(p.first, p.game).(game.Restarter); ok {
		p.game = again.Restart()
	} else if p.game, err = startGame(p.rules, p.options.whole, p.seed); err != nil {
		return err
	}
	p.begin(c)
	for _, m := range moves {
		if m.Turn != p.turn || m.Seat < 0 || m.Seat >= len(p.pending) || !p.game.ToMove()[m.Seat] {
			return fmt.Errorf("the move %+v belongs to no turn", m)
		}
		text, err := p.game.Check(m.Seat, m.Move)
		if err != nil {
			return err
		}
		if _, err := p.play(m.Seat, text, m.Ms, c); err != nil {
			return err
		}
	}
	return nil
}

// play makes a legal move of a seat, which took some milliseconds. If that completes the
// turn, it returns all moves of the turn.
func (p *position) play(seat int, text string, ms int64, c *clocks) ([]wire.Move, error) {
	p.pending[seat], p.took[seat] = text, ms
	c.played(seat, ms)
	if len(p.waiting()) > 0 {
		return nil, nil
	}
	var played []wire.Move
	for seat, to := range p.game.ToMove() {
		if to {
			played = append(played, wire.Move{Turn: p.turn, Seat: seat, Move: p.pending[seat], Ms: p.took[seat]})
		}
	}
	if err := p.game.Play(p.pending); err != nil {
		return nil, fmt.Errorf("turn %d: %w", p.turn, err)
	}
	p.moves = append(p.moves, played...)
	p.turn++
	clear(p.pending)
	clear(p.took)
	p.offers, p.outlined = nil, ""
	return played, nil
}

// outline returns what there is to analyse in the position, or "" by rules that rate no moves. A game that
// sleeps still knows it.
func (p *position) outline() string {
	if analyst, ok := p.rules.(game.Analyst); ok && p.outlined == "" && p.game != nil {
		p.outlined = analyst.Outline(p.game)
	}
	return p.outlined
}

// replayCost is what it costs to replay the game, in bytes of options that take about as long to read.
func (p *position) replayCost() int { return len(p.options.whole) + 8*len(p.moves) + leastOptions }

// waiting lists the seats for which the turn waits.
func (p *position) waiting() []int {
	seats := []int{}
	for seat, to := range p.game.ToMove() {
		if to && p.pending[seat] == "" {
			seats = append(seats, seat)
		}
	}
	return seats
}

// hasPlayed reports whether a seat has made a move already, however it was written.
func (p *position) hasPlayed(seat int, m *wire.Play) bool {
	move, err := p.game.Parse(seat, m.Move)
	if err != nil {
		return false
	}
	if m.Turn == p.turn {
		return p.pending[seat] == move
	}
	i, ok := slices.BinarySearchFunc(p.moves, m.Turn, func(made wire.Move, turn int) int { return made.Turn - turn })
	for ; ok && i < len(p.moves) && p.moves[i].Turn == m.Turn; i++ {
		if p.moves[i].Seat == seat && p.moves[i].Move == move {
			return true
		}
	}
	return false
}

// hasMoved reports whether a seat has made a move that stands.
func (p *position) hasMoved(seat int) bool {
	return slices.ContainsFunc(p.moves, func(m wire.Move) bool { return m.Seat == seat })
}

// stands reports whether a seat's offer stands.
func (p *position) stands(seat int, offer string) bool {
	return slices.ContainsFunc(p.offers, func(o wire.Standing) bool { return o.Seat == seat && o.Offer == offer })
}

// hidden returns the game if it has hidden information, or nil.
func (p *position) hidden() game.Hidden {
	h, _ := p.game.(game.Hidden)
	return h
}

// viewer returns the seat whose view is sent to a seat: itself, or a spectator's, which is
// -1, if all see the same.
func (p *position) viewer(seat int) int {
	if p.hidden() == nil {
		return -1
	}
	return seat
}
