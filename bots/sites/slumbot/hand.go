package slumbot

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/bots/sites"
)

// hand is a hand as an answer tells it: over, or at a decision of the client.
type hand struct {
	acpc.State
	position int    // the client's
	action   string // as the server writes it
	before   int32  // the chips that each player put in before this round
	hidden   bool   // the opponent's cards are not known
}

// readHand reads the hand of an answer.
func readHand(g *acpc.Game, id uint32, a *answer) (*hand, error) {
	if a.Position == nil || *a.Position != 0 && *a.Position != 1 {
		return nil, sites.Wrong("client_pos is neither 0 nor 1")
	}
	h := &hand{State: g.NewState(id), position: *a.Position, action: a.Action, hidden: len(a.OpponentHole) == 0}
	if err := h.play(a.Action); err != nil {
		return nil, sites.Wrong("in the action %.200q %v", a.Action, err)
	}
	if err := h.deal(a); err != nil {
		return nil, err
	}
	switch {
	case h.Finished() && a.Winnings == nil:
		return nil, sites.Wrong("after %.200q the hand is over, and winnings are missing", a.Action)
	case !h.Finished() && a.Winnings != nil:
		return nil, sites.Wrong("after %.200q it has winnings, and the hand goes on", a.Action)
	case !h.Finished() && h.Actor() != h.position:
		return nil, sites.Wrong("after %.200q it is Slumbot's turn", a.Action)
	case !h.Finished():
		return h, nil
	case h.hidden && h.AtShowdown():
		return nil, sites.Wrong("bot_hole_cards are missing at the showdown")
	}
	if won := h.Value(h.position); won != *a.Winnings {
		return nil, sites.Wrong("the winnings are %g, and the cards win %g", *a.Winnings, won)
	}
	return h, nil
}

// follows returns an error if a hand is not what an earlier one came to after an action.
func (h *hand) follows(earlier *hand, action string) error {
	dealt := earlier.Game().BoardCards(earlier.Round())
	switch {
	case !strings.HasPrefix(h.action, earlier.action+action):
		return sites.Wrong("the action is %.200q after %.200q", h.action, earlier.action+action)
	case h.position != earlier.position || h.Holes[h.position] != earlier.Holes[h.position] ||
		!slices.Equal(h.Board[:dealt], earlier.Board[:dealt]):
		return sites.Wrong("cards or client_pos change within a hand")
	}
	return nil
}

// play plays actions in the server's notation.
func (h *hand) play(text string) error {
	for round := 0; text != ""; { // rounds are separated by slashes
		if text[0] == '/' {
			if round++; round > h.Round() {
				return fmt.Errorf("a slash stands before the end of round %d", round)
			}
			text = text[1:]
			continue
		}
		if h.Finished() || round != h.Round() {
			return fmt.Errorf("%.20q comes after the end of round %d", text, round+1)
		}
		a, n, err := h.parse(text)
		if err == nil {
			err = h.Check(a)
		}
		if err != nil {
			return fmt.Errorf("%.20q is illegal: %w", text[:n], err)
		}
		h.Apply(a)
		if h.Round() > round {
			h.before = h.MaxSpent()
		}
		text = text[n:]
	}
	return nil
}

// parse reads the action at the start of a text, and returns how many bytes it takes.
func (h *hand) parse(text string) (a acpc.Action, n int, err error) {
	switch text[0] {
	case 'f':
		return acpc.Action{Type: acpc.Fold}, 1, nil
	case 'k', 'c':
		if h.CanFold() != (text[0] == 'c') {
			err = errors.New("k checks and c calls")
		}
		return acpc.Action{Type: acpc.Call}, 1, err
	case 'b':
		n = 1
		for n < len(text) && '0' <= text[n] && text[n] <= '9' {
			n++
		}
		chips, err := strconv.ParseUint(text[1:n], 10, 16) // all chips fit
		return acpc.Action{Type: acpc.Raise, Size: h.before + int32(chips)}, n, err
	}
	return a, 1, acpc.ErrUnknownAction
}

// notation returns a legal action of the client as the server reads it.
func (h *hand) notation(a acpc.Action) string {
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

// deal sets the cards.
func (h *hand) deal(a *answer) error {
	own, err := parseCards("hole_cards", a.Hole, h.Game().NumHoleCards)
	if err != nil {
		return err
	}
	board, err := parseCards("board", a.Board, h.Game().BoardCards(h.Round()))
	if err != nil {
		return err
	}
	copy(h.Holes[h.position][:], own)
	copy(h.Board[:], board)
	all := append(own, board...)
	if !h.hidden {
		other, err := parseCards("bot_hole_cards", a.OpponentHole, h.Game().NumHoleCards)
		if err != nil {
			return err
		}
		copy(h.Holes[1-h.position][:], other)
		all = append(all, other...)
	}
	if card.SetOf(all...).Len() < len(all) {
		return sites.Wrong("a card is dealt twice")
	}
	return nil
}

// parseCards reads the cards of a key, of which there must be a number.
func parseCards(key string, texts []string, want int) (cards []card.Card, err error) {
	if len(texts) != want {
		return nil, sites.Wrong("%s has %d cards, want %d", key, len(texts), want)
	}
	for _, text := range texts {
		c, err := card.Parse(text)
		if err != nil {
			return nil, sites.Wrong("%s: %v", key, err)
		}
		cards = append(cards, c)
	}
	return cards, nil
}
