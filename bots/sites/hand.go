package sites

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/history"
)

// Hand is a hand of two players as a site tells it to one of them. The actions are f, which folds, k, which checks, c,
// which calls, and b with the chips that the player has put into the round by this bet or raise.
type Hand struct {
	acpc.State
	Position int      // the player's
	Actions  []string // as the site writes them, with the ends of rounds
	Hidden   bool     // the opponent's cards are not known

	before int32 // chips that each player put in before this round
	own    int   // actions of the player
}

// ReadHand plays the actions of a hand. A round has to end with the text end if actions of another one follow.
func ReadHand(g *acpc.Game, id uint32, position int, actions []string, end string) (*Hand, error) {
	h := &Hand{State: g.NewState(id), Position: position, Actions: actions}
	if err := h.play(end); err != nil {
		return nil, Wrong("in the actions %s %v", h.actions(), err)
	}
	return h, nil
}

// actions returns the actions for an error.
func (h *Hand) actions() string { return fmt.Sprintf("%.200q", strings.Join(h.Actions, " ")) }

func (h *Hand) play(end string) error {
	round := 0 // the last one that the actions have come to
	for _, text := range h.Actions {
		if text == end {
			if round++; round > h.Round() {
				return fmt.Errorf("%q stands before the end of round %d", end, round)
			}
			continue
		}
		if h.Finished() || round != h.Round() {
			return fmt.Errorf("%.20q comes after the end of round %d", text, round+1)
		}
		a, err := h.parse(text)
		if err == nil {
			err = h.Check(a)
		}
		if err != nil {
			return fmt.Errorf("%.20q is illegal: %w", text, err)
		}
		if h.Actor() == h.Position {
			h.own++
		}
		if h.Apply(a); h.Round() > round {
			h.before = h.MaxSpent()
		}
	}
	return nil
}

func (h *Hand) parse(text string) (acpc.Action, error) {
	chips, isBet := strings.CutPrefix(text, "b")
	switch {
	case isBet:
		n, err := strconv.ParseUint(chips, 10, 24) // all chips fit
		return acpc.Action{Type: acpc.Raise, Size: h.before + int32(n)}, err
	case text == "f":
		return acpc.Action{Type: acpc.Fold}, nil
	case text != "k" && text != "c":
		return acpc.Action{}, acpc.ErrUnknownAction
	case h.CanFold() != (text == "c"):
		return acpc.Action{}, errors.New("k checks and c calls")
	}
	return acpc.Action{Type: acpc.Call}, nil
}

// PlayerError is an error of a player, not of the site.
type PlayerError struct{ Err error }

func (e *PlayerError) Error() string { return e.Err.Error() }

func (e *PlayerError) Unwrap() error { return e.Err }

// Decide returns a player's action as the site reads it, or a [PlayerError].
func (h *Hand) Decide(ctx context.Context, p acpc.Player) (string, error) {
	seen := h.View(h.Position)
	action, err := p.Act(ctx, &seen)
	if err == nil {
		err = h.Check(action)
	}
	if err != nil {
		return "", &PlayerError{err}
	}
	return h.notation(action), nil
}

func (h *Hand) notation(a acpc.Action) string {
	switch {
	case a.Type == acpc.Fold:
		return "f"
	case a.Type == acpc.Raise:
		return "b" + strconv.Itoa(int(a.Size-h.before))
	case h.CanFold():
		return "c"
	}
	return "k"
}

// Deal sets the cards of the player, of the board, and of the opponent, who may have none.
func (h *Hand) Deal(own, board, other []string) error {
	g := h.Game()
	hole, err := ParseCards("the hand", own, g.NumHoleCards)
	if err != nil {
		return Wrong("%v", err)
	}
	table, err := ParseCards("the board", board, g.BoardCards(h.Round()))
	if err != nil {
		return Wrong("%v", err)
	}
	all := slices.Concat(hole, table)
	copy(h.Holes[h.Position][:], hole)
	copy(h.Board[:], table)
	if h.Hidden = len(other) == 0; !h.Hidden {
		hole, err := ParseCards("the opponent's hand", other, g.NumHoleCards)
		if err != nil {
			return Wrong("%v", err)
		}
		copy(h.Holes[1-h.Position][:], hole)
		all = append(all, hole...)
	}
	if card.SetOf(all...).Len() < len(all) {
		return Wrong("a card is dealt twice")
	}
	return nil
}

// ParseCards reads cards, a text each, of which there must be a number. Errors begin with what the cards are.
func ParseCards(what string, texts []string, want int) (cards []card.Card, err error) {
	if len(texts) != want {
		return nil, fmt.Errorf("%s has %d cards, want %d", what, len(texts), want)
	}
	for _, text := range texts {
		c, err := card.Parse(text)
		if err != nil || len(text) != 2 {
			return nil, fmt.Errorf("%s: %.20q is not a card", what, text)
		}
		cards = append(cards, c)
	}
	return cards, nil
}

// CheckTurn returns an error unless it is the player's turn, or the hand is over and the cards pay the winnings, which
// are nil in a hand that goes on.
func (h *Hand) CheckTurn(winnings *float64) error {
	switch {
	case h.Finished() && winnings == nil:
		return Wrong("after %s the hand is over, and winnings are missing", h.actions())
	case !h.Finished() && winnings != nil:
		return Wrong("after %s it has winnings, and the hand goes on", h.actions())
	case !h.Finished() && h.Actor() != h.Position:
		return Wrong("after %s it is the opponent's turn", h.actions())
	case !h.Finished():
		return nil
	case h.Hidden && h.AtShowdown():
		return Wrong("the opponent's hand is missing at the showdown")
	}
	if won := h.Value(h.Position); won != *winnings {
		return Wrong("the winnings are %g, and the cards win %g", *winnings, won)
	}
	return nil
}

// Follows returns an error if a hand is not what an earlier one came to after one action of the player.
func (h *Hand) Follows(earlier *Hand, action string) error {
	before := append(slices.Clone(earlier.Actions), action)
	dealt := earlier.Game().BoardCards(earlier.Round())
	switch {
	case len(h.Actions) < len(before) || !slices.Equal(h.Actions[:len(before)], before):
		return Wrong("the actions are %s after %.200q", h.actions(), strings.Join(before, " "))
	case h.own != earlier.own+1:
		return Wrong("one action of the player was taken %d times: %s", h.own-earlier.own, h.actions())
	case h.Position != earlier.Position || h.Holes[h.Position] != earlier.Holes[h.Position] ||
		!slices.Equal(h.Board[:dealt], earlier.Board[:dealt]):
		return Wrong("cards or positions change within a hand")
	}
	return nil
}

// Record returns a finished hand for a log.
func (h *Hand) Record(player, opponent string) *history.Hand {
	return Record(&h.State, h.Position, h.Hidden, player, opponent)
}

// Record returns a finished hand for the log of the player in a position. The cards of the opponent may be hidden.
func Record(s *acpc.State, position int, hidden bool, player, opponent string) *history.Hand {
	h := &history.Hand{State: *s, Names: []string{opponent, opponent}}
	h.Names[position] = player
	h.Hidden[1-position] = hidden
	values := s.Values()
	h.Values = values[:s.Game().NumPlayers]
	return h
}
