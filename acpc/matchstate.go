package acpc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gamebots/acpc/card"
)

// MatchState is a hand as the player at position Viewer sees it. Cards that
// the viewer does not see are zero, which reads as the deuce of clubs: ask
// Shows before using another player's hole cards, and use the board only up to
// the current round.
type MatchState struct {
	State
	Viewer int
}

// everyone is the viewer of a STATE text, who sees all cards.
const everyone = -1

// View returns what a position sees of the hand, and nothing else of it.
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

// Shows says whether the viewer sees the hole cards of a position: its own
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

// append appends the hand's number, betting and the cards that a viewer sees.
func (s *State) append(dst []byte, viewer int) []byte {
	g := s.game
	dst = strconv.AppendUint(dst, uint64(s.HandID), 10)
	dst = append(dst, ':')
	for r := range s.Round() + 1 {
		if r > 0 {
			dst = append(dst, '/')
		}
		for _, a := range s.Actions(r) {
			dst = a.Append(dst)
		}
	}
	dst = append(dst, ':')
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

// ParseMatchState reads the MATCHSTATE text at the start of line, replays its
// betting by the game's rules, and returns how many bytes it took; what
// follows the last board card is not looked at. Like the original it is
// lenient: slashes and bars may be missing and hole cards unknown.
func (g *Game) ParseMatchState(line string) (MatchState, int, error) {
	var m MatchState
	t := stateText{rest: line}
	t.literal("MATCHSTATE:")
	viewer := t.number()
	t.literal(":")
	if uint8(viewer) >= uint8(g.NumPlayers) && t.err == nil {
		t.err = fmt.Errorf("viewer %d of %d players", viewer, g.NumPlayers)
	}
	m.Viewer = int(uint8(viewer))
	t.state(g, &m.State)
	if t.err != nil {
		return MatchState{}, 0, fmt.Errorf("match state, byte %d: %w", len(line)-len(t.rest)+1, t.err)
	}
	return m, len(line) - len(t.rest), nil
}

// ParseState is ParseMatchState for the STATE text of a log or of Append.
func (g *Game) ParseState(line string) (State, int, error) {
	var s State
	t := stateText{rest: line}
	t.literal("STATE:")
	t.state(g, &s)
	if t.err != nil {
		return State{}, 0, fmt.Errorf("state, byte %d: %w", len(line)-len(t.rest)+1, t.err)
	}
	return s, len(line) - len(t.rest), nil
}

// stateText is a text being read. After the first error it stays where that
// error is.
type stateText struct {
	rest string
	err  error
}

func (t *stateText) literal(want string) {
	if t.err != nil {
		return
	}
	rest, ok := strings.CutPrefix(t.rest, want)
	if !ok {
		t.err = fmt.Errorf("%q is missing", want)
		return
	}
	t.rest = rest
}

func (t *stateText) number() int64 {
	if t.err != nil {
		return 0
	}
	v, n := scanInt(t.rest)
	if n == 0 {
		t.err = errors.New("a number is missing")
	}
	t.rest = t.rest[n:]
	return v
}

// state reads what STATE and MATCHSTATE have in common.
func (t *stateText) state(g *Game, s *State) {
	handID := uint32(t.number())
	t.literal(":")
	if t.err != nil {
		return
	}
	*s = g.NewState(handID)
	t.betting(s)
	for p := range g.NumPlayers {
		if p > 0 {
			t.skip('|')
		}
		if n := t.cards(s.Holes[p][:g.NumHoleCards]); n != 0 && n != g.NumHoleCards {
			t.fail("%d hole cards for position %d, not %d", n, p, g.NumHoleCards)
		}
	}
	board := s.Board[:]
	for r, k := range g.NumBoardCards[:s.Round()+1] {
		if r > 0 {
			t.skip('/')
		}
		if n := t.cards(board[:k]); n != int(k) {
			t.fail("%d board cards in round %d, not %d", n, r+1, k)
		}
		board = board[k:]
	}
}

// betting replays the actions up to the next colon or the end of the text.
func (t *stateText) betting(s *State) {
	for t.err == nil && t.rest != "" {
		switch t.rest[0] {
		case ':':
			t.rest = t.rest[1:]
			return
		case '/':
			t.rest = t.rest[1:]
			continue
		}
		a, n, err := s.game.ParseAction(t.rest)
		if err == nil {
			err = s.Check(a)
		}
		if err != nil {
			t.err = err
			return
		}
		s.Apply(a)
		t.rest = t.rest[n:]
	}
}

// cards reads as many cards as there are, up to the length of dst.
func (t *stateText) cards(dst []card.Card) int {
	for i := range dst {
		// An empty field is the usual case: no error is made for it.
		if t.err != nil || t.rest == "" || t.rest[0] == '|' || t.rest[0] == '/' {
			return i
		}
		c, err := card.Parse(t.rest)
		if err != nil {
			return i
		}
		dst[i] = c
		t.rest = t.rest[2:]
	}
	return len(dst)
}

// skip passes over a separator, which may be missing.
func (t *stateText) skip(c byte) {
	if t.err == nil && t.rest != "" && t.rest[0] == c {
		t.rest = t.rest[1:]
	}
}

// fail notes the first error.
func (t *stateText) fail(format string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf(format, args...)
	}
}
