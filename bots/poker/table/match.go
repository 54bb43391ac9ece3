package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/history"
	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// match is a match in progress. Each turn of it is an action in a hand.
type match struct {
	options  Options
	game     *acpc.Game
	advisors map[string]Advisor
	shuffler *acpc.Shuffler
	hand     acpc.State   // hand that is played, or the last one
	finished []acpc.State // hands that are over, in their order
	ends     []int        // the number of turns after each finished hand
	turn     int
	won      []float64             // chips won in finished hands, by seat
	stacks   []int32               // chips of each seat, if they are kept from hand to hand
	again    [acpc.MaxPlayers]bool // seats that buy in again after the hand
	given    []*history.Hand       // hands of a record, which are dealt instead of others, else nil
}

var _ game.Hidden = (*match)(nil)

// deal deals the next hand, and records it at once if the blinds leave nobody a decision.
func (m *match) deal() {
	for !m.over() {
		m.hand = m.nextGame().NewState(uint32(len(m.finished)))
		if m.given != nil {
			h := m.given[len(m.finished)]
			m.hand.Holes, m.hand.Board = h.Holes, h.Board
		} else {
			m.shuffler.Deal(&m.hand)
		}
		if !m.hand.Finished() {
			return
		}
		m.settle()
	}
}

// nextGame returns the game of the next hand, in which seats have the chips that they have kept or bought.
func (m *match) nextGame() *acpc.Game {
	if m.stacks == nil {
		return m.game
	}
	g, next := *m.game, acpc.State{HandID: uint32(len(m.finished))}
	for seat, chips := range m.stacks {
		if chips < MinBuyIn*g.MaxBlind() || m.again[seat] {
			m.stacks[seat] = max(chips, int32(m.options.BuyIn)*g.MaxBlind())
		}
		g.Stack[m.positionOf(&next, seat)] = m.stacks[seat]
	}
	clear(m.again[:])
	return &g
}

// settle adds the hand, which is over, to the finished ones.
func (m *match) settle() {
	m.finished, m.ends = append(m.finished, m.hand), append(m.ends, m.turn)
	values := m.values(&m.hand)
	odd := 0.0 // chips of pots that cannot be divided: stacks have whole ones, the first of who divide one more
	for p := range m.game.NumPlayers {
		m.won[m.seatAt(&m.hand, p)] += values[p]
		odd += values[p] - whole(values[p])
	}
	for p := range len(m.stacks) {
		chips := whole(values[p])
		if chips < values[p] && odd > 0.5 {
			chips, odd = chips+1, odd-1
		}
		m.stacks[m.seatAt(&m.hand, p)] += int32(chips)
	}
}

// whole returns the whole chips of an amount, which may be a third too little by rounding.
func whole(chips float64) float64 { return math.Floor(chips + 1e-6) }

func (m *match) over() bool { return len(m.finished) == m.options.Hands }

// seatAt returns the seat at a position in a hand, as an ACPC dealer rotates them.
func (m *match) seatAt(s *acpc.State, position int) int {
	return (position + int(s.HandID)) % m.game.NumPlayers
}

// positionOf returns the position of a seat in a hand, -1 for a spectator.
func (m *match) positionOf(s *acpc.State, seat int) int {
	if seat < 0 {
		return -1
	}
	n := m.game.NumPlayers
	return (seat + n - int(s.HandID)%n) % n
}

// actor returns the seat to act, -1 if the match is over.
func (m *match) actor() int {
	if m.over() {
		return -1
	}
	return m.seatAt(&m.hand, m.hand.Actor())
}

func (m *match) Options() json.RawMessage {
	text, _ := json.Marshal(m.options) // numbers cannot fail
	return text
}

// Bytes implements [game.Measured].
func (m *match) Bytes() int {
	hand := int(reflect.TypeFor[acpc.State]().Size())
	for round := range m.game.NumRounds {
		hand += min(acpc.MaxActions, m.game.NumPlayers*(1+int(m.game.MaxRaises[round]))) * game.MoveBytes
	}
	if m.stacks != nil {
		hand += int(reflect.TypeFor[acpc.Game]().Size())
	}
	return m.options.Hands * hand
}

func (m *match) ToMove() []bool {
	to := make([]bool, m.game.NumPlayers)
	if seat := m.actor(); seat >= 0 {
		to[seat] = true
	}
	return to
}

// errText is the error of a move that is no action.
var errText = errors.New("it is f, c, or r with its total in a no-limit game")

// buyAgain ends a move whose seat buys in again after the hand, if it has less than the buy-in then.
const buyAgain = "+"

// parse returns the action of a move, and how the move ends.
func (m *match) parse(move string) (a acpc.Action, end string, err error) {
	text := move
	if m.stacks != nil && strings.HasSuffix(move, buyAgain) {
		text, end = strings.TrimSuffix(move, buyAgain), buyAgain
	}
	a, n, err := m.game.ParseAction(text)
	if err != nil || n != len(text) {
		err = fmt.Errorf("%q: %w", move, errText)
	}
	return a, end, err
}

func (m *match) Parse(_ int, move string) (string, error) {
	a, end, err := m.parse(move)
	if err != nil {
		return "", err
	}
	return a.String() + end, nil
}

func (m *match) Check(_ int, move string) (string, error) {
	if m.over() {
		return "", errors.New("the match is over")
	}
	a, end, err := m.parse(move)
	if err != nil {
		return "", err
	}
	if err := m.hand.Check(a); err != nil {
		return "", err
	}
	return a.String() + end, nil
}

func (m *match) Play(moves []string) error {
	seat := m.actor()
	a, end, err := m.parse(moves[seat])
	if err != nil {
		return err
	}
	m.again[seat] = m.again[seat] || end == buyAgain
	m.hand.Apply(a)
	m.turn++
	if m.hand.Finished() {
		m.settle()
		m.deal()
	}
	return nil
}

func (m *match) CanSwap() bool { return false }

func (m *match) Result() *wire.Result {
	if !m.over() {
		return nil
	}
	return m.End(nil, "chips")
}

// Idle returns a fold, or a check, which is free, if there is nothing to call.
func (m *match) Idle() (move string, free bool) {
	if m.hand.CanFold() {
		return acpc.Action{Type: acpc.Fold}.String(), false
	}
	return acpc.Action{Type: acpc.Call}.String(), true
}

// End returns the result if the match ends now. A hand in progress ends as if the seats that
// have left had folded in that order: the last of them takes a side pot in which nobody else is
// left, so a bet that nobody has called is its own. Several seats that stay divide a pot. Who
// of them has most chips wins, if there is only one.
func (m *match) End(gone []int, how string) *wire.Result {
	r := &wire.Result{Winner: -1, Score: slices.Clone(m.won), How: how}
	if !m.over() {
		pot := m.hand.Pot()
		var ranks [acpc.MaxPlayers]int
		for p := range pot.Players {
			switch left := slices.Index(gone, m.seatAt(&m.hand, p)); {
			case pot.Folded[p]:
				ranks[p] = -1
			case left >= 0:
				ranks[p] = left
			default:
				ranks[p] = len(gone)
			}
		}
		for p := range pot.Players {
			r.Score[m.seatAt(&m.hand, p)] += pot.Value(p, &ranks)
		}
	}
	most := math.Inf(-1)
	for seat, chips := range r.Score {
		switch {
		case slices.Contains(gone, seat):
		case chips > most:
			r.Winner, most = seat, chips
		case chips == most:
			r.Winner = -1
		}
	}
	return r
}

// shows reports whether a seat, or a spectator, sees the hole cards at a position.
func (m *match) shows(s *acpc.State, seat, position int) bool {
	return position == m.positionOf(s, seat) || s.AtShowdown() && !s.Folded(position)
}

// seenBy returns a hand as a seat sees it, with names by seat.
func (m *match) seenBy(s *acpc.State, seat int, names []string) *history.Hand {
	h := &history.Hand{State: *s}
	for p := range m.game.NumPlayers {
		if h.Hidden[p] = !m.shows(s, seat, p); m.given != nil {
			h.Hidden[p] = m.given[s.HandID].Hidden[p]
		}
		h.Names = append(h.Names, names[m.seatAt(s, p)])
	}
	if s.Finished() {
		h.Values = m.values(s)
	}
	return h
}
