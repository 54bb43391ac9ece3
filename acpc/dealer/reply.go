package dealer

import (
	"errors"
	"slices"
	"strings"

	"gamebots/acpc"
)

// parseReply returns the legal action that a line comes to, or false for a
// line that answers nothing.
func (t *wire) parseReply(s *acpc.State, p *seat, line string) (acpc.Action, bool) {
	state := p.message[:len(p.message)-len("\r\n")]
	if text, ok := strings.CutPrefix(line, string(state)); ok && strings.HasPrefix(text, ":") && isEchoed(s.Game()) {
		return t.action(s, text), true // the usual answer, understood without being read
	}
	var n int
	var err error
	if t.reply, n, err = t.match.Game.ParseMatchState(line); err != nil {
		t.stderr.printf("WARNING: bad state format in response\n")
		return acpc.Action{}, false
	}
	if !answers(&t.reply, s) {
		t.stderr.printf("WARNING: ignoring un-requested response\n")
		return acpc.Action{}, false
	}
	return t.action(s, line[n:]), true
}

// isEchoed says whether a match state of the game, sent back as it is, is that
// state to who reads it: board cards of the first round look like hole cards.
func isEchoed(g *acpc.Game) bool { return g.NumBoardCards[0] == 0 }

// answers says whether a player's idea of the hand is that of the moment; the
// cards of others are not looked at.
func answers(reply *acpc.MatchState, s *acpc.State) bool {
	p, g := s.Actor(), s.Game()
	if reply.Viewer != p || reply.HandID != s.HandID || reply.Round() != s.Round() {
		return false
	}
	for round := range s.Round() + 1 {
		if !slices.Equal(reply.Actions(round), s.Actions(round)) {
			return false
		}
	}
	board := g.BoardCards(s.Round())
	return slices.Equal(reply.Board[:board], s.Board[:board]) &&
		slices.Equal(reply.Holes[p][:g.NumHoleCards], s.Holes[p][:g.NumHoleCards])
}

// action returns the legal action that the text behind a reply's state comes
// to. What is wrong with it is warned of and made good as in the original: a
// no-limit raise of a wrong size becomes the nearest legal one, all else a call.
func (t *wire) action(s *acpc.State, text string) acpc.Action {
	call := acpc.Action{Type: acpc.Call}
	if text == "" || text[0] != ':' {
		t.stderr.printf("WARNING: bad action format in response, changed to call\n")
		return call
	}
	asked, _, err := s.Game().ParseAction(text[1:])
	if errors.Is(err, acpc.ErrNoRaiseSize) {
		t.stderr.printf("WARNING: bad action format in response, changed to call\n")
		return call
	}
	if err == nil && asked.Type == acpc.Raise && s.RaiseForbiddenByLength() {
		t.stderr.printf("WARNING: #actions in round is too close to MAX_NUM_ACTIONS, forcing call/fold\n")
	}
	legal, ok := s.Fix(asked)
	switch {
	case err != nil || !ok:
		t.stderr.printf("WARNING: invalid action, changed to call\n")
		return call
	case asked.Size < legal.Size:
		t.stderr.printf("WARNING: raise of %d increased to %d\n", asked.Size, legal.Size)
	case asked.Size > legal.Size:
		t.stderr.printf("WARNING: raise of %d decreased to %d\n", asked.Size, legal.Size)
	}
	return legal
}

// isComment says whether a line is to be ignored.
func isComment(line []byte) bool { return len(line) > 0 && (line[0] == '#' || line[0] == ';') }
