package dealer

import (
	"gamebots/acpc"
)

// Player decides what one seat does. Act is called with a hand in which it is
// the turn of m.Viewer and returns a legal action; m is only valid until then.
type Player interface {
	Act(m *acpc.MatchState) (acpc.Action, error)
}

// Insider is a Player that can be shown the hand itself, with all cards, in place of
// a copy of what its position sees: making one takes longer than many a decision.
// It looks at nothing that the player to act does not see, and s is only valid
// until it returns.
type Insider interface {
	Player
	ActInside(s *acpc.State) (acpc.Action, error)
}

// Play plays the match in process, one player a seat, and returns the chips
// that each seat has won; with an error those of the hands before it. Every
// finished hand is shown to onHand if that is not nil (the state is only valid
// during the call), whose error ends the match. A player's error or illegal
// action ends it too, with a SeatError: in our own process it is a bug, and
// playing on as over the wire would hide it.
func (m *Match) Play(players []Player, onHand func(*acpc.State) error) (score []float64, err error) {
	if err := m.check(len(players)); err != nil {
		return nil, err
	}
	c := m.newCourse()
	r := &room{match: m, players: players, onHand: onHand, insiders: make([]Insider, len(players))}
	for seat, p := range players {
		r.insiders[seat], _ = p.(Insider)
	}
	err = c.play(r)
	return c.score, err
}

// room is the table of a match in process.
type room struct {
	match    *Match
	players  []Player
	insiders []Insider // by seat, nil for others
	onHand   func(*acpc.State) error
	view     acpc.MatchState // kept here, so that no decision allocates one
}

func (r *room) act(s *acpc.State) (acpc.Action, error) {
	position := s.Actor()
	seat := r.match.Seat(s.HandID, position)
	var action acpc.Action
	var err error
	if insider := r.insiders[seat]; insider != nil {
		action, err = insider.ActInside(s)
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

func (r *room) end(s *acpc.State) error {
	if r.onHand == nil {
		return nil
	}
	return r.onHand(s)
}
