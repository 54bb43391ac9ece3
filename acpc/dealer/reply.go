package dealer

import (
	"errors"
	"slices"
	"strings"

	"gamebots/acpc"
)

// parseReply returns the legal action of a player's line, or false if the line does not
// answer the current state.
func (t *wire) parseReply(s *acpc.State, p *seat, line string) (acpc.Action, bool) {
	state := p.message[:len(p.message)-len("\r\n")]
	if text, ok := strings.CutPrefix(line, string(state)); ok && strings.HasPrefix(text, ":") && isEchoed(s.Game()) {
		return t.action(s, text), true // the usual answer, not parsed
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

// isEchoed reports whether a match state of the game is parsed as itself. With board cards
// in the first round it is not: they look like hole cards.
func isEchoed(g *acpc.Game) bool { return g.NumBoardCards[0] == 0 }

// answers reports whether a reply has the current state of the hand; the cards of other
// players are not compared.
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

// action returns the legal action of the text after a reply's state. An invalid one is
// corrected with a warning, as in the original: a no-limit raise of an illegal size becomes
// the nearest legal one, and anything else a call.
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

// isComment reports whether a line is a comment, which is ignored.
func isComment(line []byte) bool { return len(line) > 0 && (line[0] == '#' || line[0] == ';') }
