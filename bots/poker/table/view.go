package table

import (
	"encoding/json"
	"fmt"
	"slices"

	"gamebots/acpc"
	"gamebots/hexproto/wire"
)

func (m *match) Board() *wire.Board {
	return &wire.Board{Kind: "poker", Hands: m.options.Hands, HoleCards: m.game.NumHoleCards,
		Positions: m.game.PositionNames(), Streets: m.game.RoundNames()}
}

// View returns what a spectator sees.
func (m *match) View() *wire.View { return m.ViewOf(-1, -1) }

func (m *match) ViewOf(seat, since int) *wire.View {
	v := &wire.View{
		Legal: []string{}, Text: m.describe(),
		Poker: &wire.Poker{Hand: m.jsonOf(&m.hand, seat), Won: slices.Clone(m.won)},
	}
	if position := m.positionOf(&m.hand, seat); position >= 0 {
		seen := acpc.MatchState{State: m.hand, Viewer: position}
		v.Poker.Match = string(seen.Append(nil))
	}
	first, _ := slices.BinarySearch(m.ends, since+1)
	for h := range m.finished[first:] {
		v.Poker.Finished = append(v.Poker.Finished, m.jsonOf(&m.finished[first+h], seat))
	}
	if m.over() {
		return v
	}
	v.Poker.Call = int(m.toCall())
	for _, a := range m.choices() {
		v.Legal = append(v.Legal, a.String())
		v.Poker.Names = append(v.Poker.Names, m.hand.Describe(a))
	}
	if least, most, ok := m.hand.RaiseBounds(); ok && m.game.Betting == acpc.NoLimit {
		v.Poker.RaiseTo, v.Poker.Before = []int{int(least), int(most)}, int(most-m.hand.InRound(most))
	}
	return v
}

// choices returns the legal actions of who is to act. Of the raises without a limit they
// are the smallest, half the pot, the pot, and all-in.
func (m *match) choices() []acpc.Action {
	choices := []acpc.Action{{Type: acpc.Call}}
	if m.hand.CanFold() {
		choices = slices.Insert(choices, 0, acpc.Action{Type: acpc.Fold})
	}
	least, most, ok := m.hand.RaiseBounds()
	if !ok {
		return choices
	}
	to := int64(m.hand.MaxSpent())
	pot := m.hand.Pot().Chips() + to - int64(m.hand.Spent(m.hand.Actor())) // after a call
	sizes := []int64{int64(least), to + pot/2, to + pot, int64(most)}
	slices.Sort(sizes)
	for _, size := range slices.Compact(sizes) {
		if size >= int64(least) && size <= int64(most) {
			choices = append(choices, acpc.Action{Type: acpc.Raise, Size: int32(size)})
		}
	}
	return choices
}

// toCall returns the chips that a call costs who is to act, of whom a short stack has no more.
func (m *match) toCall() int32 {
	actor := m.hand.Actor()
	return min(m.hand.MaxSpent(), m.hand.Game().Stack[actor]) - m.hand.Spent(actor)
}

// describe returns the position in words.
func (m *match) describe() string {
	text := fmt.Sprintf("hand %d of %d", m.hand.HandID+1, m.options.Hands)
	if m.over() {
		return text + ", which is over"
	}
	return fmt.Sprintf("%s, %s, %d in the pot, %d to call",
		text, m.game.RoundNames()[m.hand.Round()], m.hand.Pot().Chips(), m.toCall())
}

// Hand describes the hand for lists.
func (m *match) Hand() *wire.PokerHand {
	return &wire.PokerHand{
		Number: int(m.hand.HandID) + 1, Of: m.options.Hands,
		Street: m.game.RoundNames()[m.hand.Round()], Pot: m.hand.Pot().Chips(),
	}
}

// jsonOf returns a hand as a seat sees it.
func (m *match) jsonOf(s *acpc.State, seat int) json.RawMessage {
	text, _ := json.Marshal(m.seenBy(s, seat, Rules{Game: m.game}.About().Seats).JSON("")) // plain values cannot fail
	return text
}
