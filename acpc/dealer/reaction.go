package dealer

import (
	"bytes"
	"errors"

	"gamebots/acpc"
)

// action returns the legal action that the text behind a reply's state comes
// to. What is wrong with it is warned of and made good as in the original: a
// no-limit raise of a wrong size becomes the nearest legal one, all else a call.
func (t *wire) action(s *acpc.State, text string) acpc.Action {
	call := acpc.Action{Type: acpc.Call}
	if text == "" || text[0] != ':' {
		t.printf("WARNING: bad action format in response, changed to call\n")
		return call
	}
	asked, _, err := s.Game().ParseAction(text[1:])
	if errors.Is(err, acpc.ErrNoRaiseSize) {
		t.printf("WARNING: bad action format in response, changed to call\n")
		return call
	}
	if err == nil && asked.Type == acpc.Raise && s.RaiseForbiddenByLength() {
		t.printf("WARNING: #actions in round is too close to MAX_NUM_ACTIONS, forcing call/fold\n")
	}
	legal, ok := s.Fix(asked)
	switch {
	case err != nil || !ok:
		t.printf("WARNING: invalid action, changed to call\n")
		return call
	case asked.Size < legal.Size:
		t.printf("WARNING: raise of %d increased to %d\n", asked.Size, legal.Size)
	case asked.Size > legal.Size:
		t.printf("WARNING: raise of %d decreased to %d\n", asked.Size, legal.Size)
	}
	return legal
}

// isComment says whether a line is to be ignored.
func isComment(line []byte) bool { return len(line) > 0 && (line[0] == '#' || line[0] == ';') }

// trimNewline cuts the newline off, and the newline only: the original echoes
// a carriage return.
func trimNewline(line []byte) []byte { return bytes.TrimSuffix(line, []byte("\n")) }
