package acpc

import (
	"context"
	"strconv"

	"gamebots/acpc/card"
)

// MatchState is a hand as the player at position Viewer sees it. Cards that the viewer
// does not see are zero, which is the deuce of clubs: call Shows before using another
// player's hole cards, and use the board up to the current round only.
type MatchState struct {
	State
	Viewer int
}

// Player decides for one seat of a match. Act is called with a hand in which it is the
// turn of m.Viewer, and returns a legal action; m belongs to the caller and may be
// reused after the call. The context ends when the action is no longer wanted: with the
// match, or with the time for the decision. An error ends the match. The calls of one match
// never overlap, so a Player need not be safe for concurrent use.
type Player interface {
	Act(ctx context.Context, m *MatchState) (Action, error)
}

// everyone is the viewer of a STATE text, who sees all cards.
const everyone = -1

// View returns the part of the hand that a position sees.
func (s *State) View(viewer int) MatchState {
	m := MatchState{State: *s, Viewer: viewer}
	for p := range m.Holes {
		if !m.Shows(p) {
			m.Holes[p] = [MaxHoleCards]card.Card{}
		}
	}
	clear(m.Board[m.game.BoardCards(m.Round()):])
	return m
}

// Shows reports whether the viewer sees the hole cards of a position: its own
// always, those of the others who have not folded at a showdown.
func (m *MatchState) Shows(p int) bool { return m.shows(m.Viewer, p) }

func (s *State) shows(viewer, p int) bool {
	return viewer == everyone || p == viewer || s.AtShowdown() && !s.folded[p]
}

// Append appends the text that a dealer sends to the viewer, such as
// "MATCHSTATE:0:7:cr:Ks|", without an end of line.
func (m *MatchState) Append(dst []byte) []byte {
	dst = append(dst, "MATCHSTATE:"...)
	dst = strconv.AppendInt(dst, int64(m.Viewer), 10)
	return m.append(append(dst, ':'), m.Viewer)
}

// Append appends the hand with the hole cards of all players, such as
// "STATE:7:cr:Ks|As".
func (s *State) Append(dst []byte) []byte { return s.append(append(dst, "STATE:"...), everyone) }

// AppendBetting appends the actions of the hand, with a slash after each round that is
// over, such as "crc/".
func (s *State) AppendBetting(dst []byte) []byte {
	for r := range s.Round() + 1 {
		if r > 0 {
			dst = append(dst, '/')
		}
		for _, a := range s.Actions(r) {
			dst = a.Append(dst)
		}
	}
	return dst
}

// append appends the hand's number, betting and the cards that a viewer sees.
func (s *State) append(dst []byte, viewer int) []byte {
	g := s.game
	dst = strconv.AppendUint(dst, uint64(s.HandID), 10)
	dst = append(dst, ':')
	dst = append(s.AppendBetting(dst), ':')
	for p := range g.NumPlayers {
		if p > 0 {
			dst = append(dst, '|')
		}
		if s.shows(viewer, p) {
			dst = appendCards(dst, s.Holes[p][:g.NumHoleCards])
		}
	}
	board := s.Board[:]
	for r, k := range g.NumBoardCards[:s.Round()+1] {
		if r > 0 {
			dst = append(dst, '/')
		}
		dst = appendCards(dst, board[:k])
		board = board[k:]
	}
	return dst
}

func appendCards(dst []byte, cards []card.Card) []byte {
	for _, c := range cards {
		dst = c.Append(dst)
	}
	return dst
}
