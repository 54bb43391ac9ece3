package dealer

import (
	"errors"

	"gamebots/acpc"
)

// matchProgress is a match as far as it has been played.
type matchProgress struct {
	match    *Match
	shuffler *acpc.Shuffler
	hand     acpc.State // the current one
	score    []float64  // of the hands before it, by seat
}

func (m *Match) newProgress() *matchProgress {
	c := &matchProgress{match: m, shuffler: acpc.NewShuffler(m.Seed), score: make([]float64, m.Game.NumPlayers)}
	c.deal(0)
	return c
}

func (c *matchProgress) deal(hand uint32) {
	c.hand = c.match.Game.NewState(hand)
	c.shuffler.Deal(&c.hand)
}

// over says whether all hands are played; the current one is none of them then.
func (c *matchProgress) over() bool { return c.hand.HandID >= c.match.Hands }

// next counts the finished hand and deals another.
func (c *matchProgress) next() {
	values := c.hand.Values()
	for p := range c.match.Game.NumPlayers {
		c.score[c.match.Seat(c.hand.HandID, p)] += values[p]
	}
	c.deal(c.hand.HandID + 1)
}

// table is where a match is played.
type table interface {
	// act returns a legal action of the player whose turn it is.
	act(s *acpc.State) (acpc.Action, error)
	// end takes every finished hand.
	end(s *acpc.State) error
}

// play plays the rest of the match at a table.
func (c *matchProgress) play(t table) error {
	for ; !c.over(); c.next() {
		for !c.hand.Finished() {
			action, err := t.act(&c.hand)
			if err != nil {
				return err
			}
			c.hand.Apply(action)
		}
		if c.match.StrictOriginal && noChips(&c.hand) {
			return errors.New("a showdown without chips, where the original server aborts")
		}
		if err := t.end(&c.hand); err != nil {
			return err
		}
	}
	return nil
}

// noChips says whether a hand is at a showdown for nothing.
func noChips(s *acpc.State) bool {
	for p := range s.Game().NumPlayers {
		if s.Spent(p) != 0 {
			return false
		}
	}
	return s.AtShowdown()
}

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
