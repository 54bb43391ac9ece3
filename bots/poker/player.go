package poker

import "gamebots/acpc"

// Player decides for one seat of a match. It is asked when its position,
// s.Viewer, is to act, and answers with a legal action; s belongs to the caller
// and may be reused after the call. An error ends the match. A Player need not
// be safe for concurrent use.
type Player interface {
	Act(s *acpc.MatchState) (acpc.Action, error)
}
