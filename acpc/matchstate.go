package acpc

import "errors"

// MatchState is a hand as the player at position Viewer sees it.
type MatchState struct {
	State
	Viewer int
}

// ParseMatchState reads a MATCHSTATE text and returns how many bytes it took.
func (g *Game) ParseMatchState(line string) (MatchState, int, error) {
	return MatchState{}, 0, errors.ErrUnsupported
}

// Append appends the MATCHSTATE text.
func (m *MatchState) Append(dst []byte) []byte { return dst }

// ParseState reads a STATE text and returns how many bytes it took.
func (g *Game) ParseState(line string) (State, int, error) {
	return State{}, 0, errors.ErrUnsupported
}

// Append appends the STATE text with all cards.
func (s *State) Append(dst []byte) []byte { return dst }

// AppendResult appends a log line: the STATE text, the values and the names,
// both by position.
func (s *State) AppendResult(dst []byte, names []string) []byte { return dst }

// View returns the hand as a position sees it.
func (s *State) View(viewer int) MatchState { return MatchState{State: *s, Viewer: viewer} }
