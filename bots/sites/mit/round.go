package mit

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/bots/sites"
)

// round is a round as the engine has told it so far.
type round struct {
	acpc.State
	position int   // the bot's
	unit     int32 // chips of the game for one of the engine
	board    []card.Card
	shown    bool   // the opponent's cards
	givenUp  bool   // somebody folded without a bet, which no hand of the game can say
	sent     string // the bot's last answer, until the engine repeats it
	bounty   string // the bot's, "" for a year without
	hits     string // the text of Y
}

// newRound begins a round with the bot's cards.
func newRound(g *acpc.Game, id uint32, position int, unit int32, text string) (*round, error) {
	r := &round{State: g.NewState(id), position: position, unit: unit}
	cards, err := sites.ParseCards("the hand", strings.Split(text, ","), g.NumHoleCards)
	copy(r.Holes[position][:], cards)
	return r, err
}

// clause takes a clause of the round.
func (r *round) clause(kind byte, text string) (err error) {
	switch kind {
	case 'F', 'C', 'K', 'R':
		return r.act(kind, text)
	case 'B':
		board, err := sites.ParseCards("the board", strings.Split(text, ","), r.Game().BoardCards(r.boardRound()))
		if err == nil && (len(board) < len(r.board) || !slices.Equal(board[:len(r.board)], r.board)) {
			err = errors.New("the board changes")
		}
		if err != nil {
			return err
		}
		r.board = board
		copy(r.Board[:], board)
	case 'O':
		if r.shown {
			return errors.New("the opponent's cards are known already")
		}
		cards, err := sites.ParseCards("the opponent's hand", strings.Split(text, ","), r.Game().NumHoleCards)
		if err != nil {
			return err
		}
		copy(r.Holes[1-r.position][:], cards)
		r.shown = true
	case 'G':
		r.bounty = text
	case 'Y':
		r.hits = text
	default:
		return acpc.ErrUnknownAction
	}
	if cards := r.cards(); card.SetOf(cards...).Len() < len(cards) {
		return errors.New("a card is dealt twice")
	}
	return nil
}

// boardRound returns the round of betting whose cards come next: after an all-in those of all rounds come one by one.
func (r *round) boardRound() int {
	if r.Finished() {
		for i := range r.Game().NumRounds {
			if r.Game().BoardCards(i) > len(r.board) {
				return i
			}
		}
	}
	return r.Round()
}

// cards returns the cards that are known.
func (r *round) cards() []card.Card {
	n := r.Game().NumHoleCards
	cards := append(slices.Clone(r.board), r.Holes[r.position][:n]...)
	if r.shown {
		cards = append(cards, r.Holes[1-r.position][:n]...)
	}
	return cards
}

// act takes an action of either player.
func (r *round) act(kind byte, text string) error {
	switch {
	case r.givenUp:
		return errors.New("the round is over")
	case r.Finished() && r.AtShowdown() && kind == 'K': // both are asked in every round of betting after an all-in
		return nil
	case kind == 'F' && (r.Finished() && r.AtShowdown() || !r.Finished() && !r.CanFold()):
		r.givenUp = true
		return nil
	case r.Finished():
		return errors.New("the betting is over")
	case len(r.board) < r.Game().BoardCards(r.Round()):
		return errors.New("the board is missing")
	}
	if sent := r.sent; sent != "" {
		if r.sent = ""; sent != string(kind)+text {
			return fmt.Errorf("the engine has replaced the answer %s", sent)
		}
	}
	a := acpc.Action{Type: acpc.Call}
	switch kind {
	case 'F':
		a.Type = acpc.Fold
	case 'R':
		chips, err := strconv.ParseUint(text, 10, 16)
		if err != nil {
			return err
		}
		a = acpc.Action{Type: acpc.Raise, Size: r.MaxSpent() - r.InRound(r.MaxSpent()) + int32(chips)*r.unit}
	default:
		if r.CanFold() != (kind == 'C') {
			return errors.New("a check is K, and a call C")
		}
	}
	if err := r.Check(a); err != nil {
		return err
	}
	r.Apply(a)
	return nil
}

// notation returns a legal action of the bot as the engine reads it. A raise is rounded to chips of the engine.
func (r *round) notation(a acpc.Action) string {
	switch {
	case a.Type == acpc.Fold:
		return "F"
	case a.Type == acpc.Raise: // the bounds are chips of the engine, and so the rounded raise is between them
		return "R" + strconv.Itoa(int((r.InRound(a.Size)+r.unit/2)/r.unit))
	case r.CanFold():
		return "C"
	}
	return "K"
}

// Bounties of 2025: a pot that is won by a player whose bounty is dealt is larger.
const (
	bountyRatio    = 1.5
	bountyConstant = 10
)

// check returns an error unless the bot was awarded what the hand says.
func (r *round) check(awarded int) error {
	if r.givenUp {
		return nil
	}
	if !r.Finished() || r.AtShowdown() && (!r.shown || len(r.board) < r.Game().BoardCards(r.Game().NumRounds-1)) {
		return errors.New("the round is over before the hand is")
	}
	want := r.Value(r.position) / float64(r.unit)
	if r.bounty != "" {
		var err error
		if want, err = r.withBounties(want); err != nil {
			return err
		}
	}
	if math.Abs(want-float64(awarded)) >= 1 { // half a chip is rounded to either side
		return fmt.Errorf("awarded %d chips, and the cards win %g: is this the engine of a year with other rules?",
			awarded, want)
	}
	return nil
}

// withBounties returns what the bot wins of 2025, if it wins an amount without bounties.
func (r *round) withBounties(won float64) (float64, error) {
	if len(r.hits) != 2 {
		return 0, errors.New("it is not said whose bounty was dealt")
	}
	own, other := r.hits[0] == '1', r.hits[1] == '1'
	pot := float64(min(r.Spent(0), r.Spent(1))) / float64(r.unit) // half of it
	switch {
	case won > 0 && own:
		won = won*bountyRatio + bountyConstant
	case won < 0 && other:
		won = won*bountyRatio - bountyConstant
	case won == 0 && own != other:
		won = pot*(bountyRatio-1)/2 + bountyConstant
		if other {
			won = -won
		}
	}
	return won, nil
}
