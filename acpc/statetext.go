package acpc

import (
	"errors"
	"fmt"
	"strings"

	"gamebots/acpc/card"
)

// ParseMatchState reads the MATCHSTATE text at the start of line, replays its betting by
// the game's rules, and returns the number of bytes read; text after the last board card
// is ignored. It is as lenient as the original: slashes, bars and hole cards may be
// missing, and a short stack may have raised to less than the bet even if the game does
// not have UnderRaise.
func (g *Game) ParseMatchState(line string) (MatchState, int, error) {
	var m MatchState
	t := stateText{rest: line}
	t.literal("MATCHSTATE:")
	viewer := t.number()
	t.literal(":")
	if uint8(viewer) >= uint8(g.NumPlayers) && t.err == nil {
		t.err = fmt.Errorf("viewer %d of %d players", uint8(viewer), g.NumPlayers)
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

// ParseBetting returns the hand after the actions of a text in the notation of
// AppendBetting, without cards. The slashes may be missing.
func (g *Game) ParseBetting(text string) (State, error) {
	s := g.NewState(0)
	t := stateText{rest: text}
	t.betting(&s)
	if at := len(text) - len(t.rest); t.err != nil {
		return State{}, fmt.Errorf("betting %q, byte %d: %w", text, at+1, t.err)
	} else if at > 0 && text[at-1] == ':' {
		return State{}, fmt.Errorf("betting %q, byte %d: %w ':'", text, at, ErrUnknownAction)
	}
	return s, nil
}

// stateText reads a text. It stops at the first error.
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

func (t *stateText) number() uint64 {
	if t.err != nil {
		return 0
	}
	v, n := ScanUint(t.rest)
	if n == 0 {
		t.err = errors.New("a number is missing")
	}
	t.rest = t.rest[n:]
	return v
}

// state reads the part that STATE and MATCHSTATE have in common.
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

// betting replays the actions up to the next colon or the end of the text. Raises that the
// original allows are replayed in every game.
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
			err = s.check(a, true)
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
		// Empty fields are common: no error is allocated for them.
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
