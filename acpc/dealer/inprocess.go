package dealer

import (
	"gamebots/acpc"
)

// StatePlayer is a Player that can be shown the hand itself, with all cards, in place of
// a copy of what its position sees: making one takes longer than many a decision.
// It looks at nothing that the player to act does not see, and s is only valid
// until it returns.
type StatePlayer interface {
	acpc.Player
	ActOnState(s *acpc.State) (acpc.Action, error)
}

// Play plays the match in process, one player a seat, and returns the chips
// that each seat has won; with an error those of the hands before it. Every
// finished hand is shown to onHand if that is not nil (the state is only valid
// during the call), whose error ends the match. A player's error or illegal
// action ends it too, with a SeatError: in our own process it is a bug, and
// playing on as over the wire would hide it.
func (m *Match) Play(players []acpc.Player, onHand func(*acpc.State) error) (score []float64, err error) {
	if err := m.check(len(players)); err != nil {
		return nil, err
	}
	c := m.newProgress()
	r := &inProcessTable{match: m, players: players, onHand: onHand, statePlayers: make([]StatePlayer, len(players))}
	for seat, p := range players {
		r.statePlayers[seat], _ = p.(StatePlayer)
	}
	err = c.play(r)
	return c.score, err
}

// inProcessTable is the table of a match in process.
type inProcessTable struct {
	match        *Match
	players      []acpc.Player
	statePlayers []StatePlayer // by seat, nil for others
	onHand       func(*acpc.State) error
	view         acpc.MatchState // kept here, so that no decision allocates one
}

func (r *inProcessTable) act(s *acpc.State) (acpc.Action, error) {
	position := s.Actor()
	seat := r.match.Seat(s.HandID, position)
	var action acpc.Action
	var err error
	if insider := r.statePlayers[seat]; insider != nil {
		action, err = insider.ActOnState(s)
	} else {
		r.view = s.View(position)
		action, err = r.players[seat].Act(&r.view)
	}
	if err == nil {
		err = s.Check(action)
	}
	if err != nil {
		return action, r.match.seatError(seat, s.HandID, err)
	}
	return action, nil
}

func (r *inProcessTable) end(s *acpc.State) error {
	if r.onHand == nil {
		return nil
	}
	return r.onHand(s)
}
