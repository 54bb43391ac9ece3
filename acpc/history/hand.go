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
	Names  []string  // names of the players by position
	Values []float64 // chips won, by position
	// Line is the hand's line in a log if it differs from the one that a dealer
	// would write, for example because its values are expectations; else "".
	Line string
	// Doubt says, with the place, why the record is hardly right, though it can be read: its winnings
	// are more than the cards give. Else "".
	Doubt string
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
	if slices.Contains(h.Hidden[:h.Game().NumPlayers], true) {
		text = h.hide(text)
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

// checkWinnings returns an error if a player won a chip more than the cards give, or all together
// won anything. Less is a rake, and a part of a chip an odd one of a pot that is split.
func (h *Hand) checkWinnings() error {
	exact, known, sum := h.State.Values(), h.showsAll(), 0.0
	for p, v := range h.Values {
		if sum += v; known && v > exact[p]+1-1e-6 {
			return fmt.Errorf("%s wins %s, where the cards give %s",
				h.Names[p], acpc.AppendValue(nil, v), acpc.AppendValue(nil, exact[p]))
		}
	}
	if sum > 1e-6 {
		return fmt.Errorf("the winnings add up to %s, not to 0", acpc.AppendValue(nil, sum))
	}
	return nil
}

// In returns the hand as one of g, another definition of the game in which it was played. Hands of
// PHH files come with definitions of their own. It fails if players, cards, blinds, bets or stacks
// differ.
func (h *Hand) In(g *acpc.Game) (*Hand, error) {
	own := h.Game()
	if own == g {
		return h, nil
	}
	n, rounds := own.NumPlayers, own.NumRounds
	switch {
	case n != g.NumPlayers:
		return nil, fmt.Errorf("hand %d has %d players, %s %d", h.HandID, n, g.Name, g.NumPlayers)
	case !slices.Equal(own.Deck(), g.Deck()) || own.NumHoleCards != g.NumHoleCards ||
		!slices.Equal(own.NumBoardCards[:rounds], g.NumBoardCards[:g.NumRounds]):
		return nil, fmt.Errorf("hand %d has other cards than %s", h.HandID, g.Name)
	case own.Blind != g.Blind || !slices.Equal(own.FirstPlayer[:rounds], g.FirstPlayer[:rounds]):
		return nil, fmt.Errorf("hand %d has the blinds %v, %s %v, or others begin",
			h.HandID, own.Blind[:n], g.Name, g.Blind[:n])
	case own.Betting != g.Betting || own.Betting == acpc.Limit &&
		!slices.Equal(own.RaiseSize[:rounds], g.RaiseSize[:rounds]):
		return nil, fmt.Errorf("hand %d has other bets than %s", h.HandID, g.Name)
	case own.Betting == acpc.NoLimit && !slices.Equal(own.Stack[:n], g.Stack[:n]):
		return nil, fmt.Errorf("hand %d has the stacks %v, %s %v", h.HandID, own.Stack[:n], g.Name, g.Stack[:n])
	}
	again, err := ParseLog(g, string(h.appendResult(nil)))
	if err != nil {
		return nil, fmt.Errorf("hand %d is not possible in %s: %w", h.HandID, g.Name, err)
	}
	again.Before, again.After, again.Doubt = h.Before, h.After, h.Doubt
	return again, nil
}

// Match returns the name of the match whose first hand this is, from the log's header
// before it; ok is false for other hands.
func (h *Hand) Match() (name string, ok bool) {
	for _, line := range h.Before {
		if name, _, _, _, ok = acpc.ParseLogTitle(line); ok {
			return name, true
		}
	}
	return "", false
}
