package history

import (
	"fmt"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// Hand is a finished hand.
type Hand struct {
	acpc.State
	// Hidden marks unknown hole cards; those in State are meaningless.
	Hidden [acpc.MaxPlayers]bool
	Names  []string  // by position
	Values []float64 // chips won, by position
	// Line is the hand's line in a log if it differs from the one that a dealer
	// would write, for example because its values are expectations; else "".
	Line string
	// Before and After are the other lines of the log around the hand: comments,
	// scores and blank lines. Only the last hand of a log has any in After.
	Before, After []string
}

// AppendLog appends the hand as lines of a dealer's log.
func (h *Hand) AppendLog(dst []byte) []byte {
	dst = appendLines(dst, h.Before)
	if h.Line != "" {
		dst = append(append(dst, h.Line...), '\n')
	} else {
		dst = append(h.appendResult(dst), '\n')
	}
	return appendLines(dst, h.After)
}

func appendLines(dst []byte, lines []string) []byte {
	for _, line := range lines {
		dst = append(append(dst, line...), '\n')
	}
	return dst
}

// appendResult appends the hand's line, without hidden cards.
func (h *Hand) appendResult(dst []byte) []byte {
	text := string(h.State.Append(nil))
	for p := range h.Game().NumPlayers {
		if h.Hidden[p] {
			text = h.hide(text)
			break
		}
	}
	dst = append(dst, text...)
	return acpc.AppendScores(dst, h.Values, h.Names)
}

// hide removes the hidden hole cards from the text of the state.
func (h *Hand) hide(text string) string {
	g := h.Game()
	at := len(text) - len(text[strings.LastIndexByte(text, ':')+1:])
	out := []byte(text[:at])
	for p := range g.NumPlayers {
		if p > 0 {
			out = append(out, '|')
			at++
		}
		if !h.Hidden[p] {
			out = append(out, text[at:at+2*g.NumHoleCards]...)
		}
		at += 2 * g.NumHoleCards
	}
	return string(append(out, text[at:]...))
}

// check returns an error unless the hand is finished and its cards are of one deck.
func (h *Hand) check() error {
	g := h.Game()
	if !h.Finished() {
		return fmt.Errorf("the hand is not over")
	}
	deck := card.SetOf(g.Deck()...)
	var seen card.Set
	cards := slices.Clone(h.Board[:g.BoardCards(h.Round())])
	for p := range g.NumPlayers {
		if !h.Hidden[p] {
			cards = append(cards, h.Holes[p][:g.NumHoleCards]...)
		}
	}
	for _, c := range cards {
		one := card.SetOf(c)
		switch {
		case deck&one == 0:
			return fmt.Errorf("%v is not in the game's deck", c)
		case seen&one != 0:
			return fmt.Errorf("%v is dealt twice", c)
		}
		seen |= one
	}
	return nil
}

// Match returns the name of the match whose first hand this is, from the log's header
// before it; ok is false for other hands.
func (h *Hand) Match() (name string, ok bool) {
	for _, line := range h.Before {
		if name, _, ok = header(line); ok {
			return name, true
		}
	}
	return "", false
}
