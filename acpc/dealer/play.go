package dealer

import (
	"context"
	"errors"

	"gamebots/acpc"
)

// matchProgress is a match as far as it has been played.
type matchProgress struct {
	match    *Match
	shuffler *acpc.Shuffler
	hand     acpc.State // the current one
	score    []float64  // chips won in the hands before, by seat
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

// over reports whether all hands are played; the current one is then beyond the last.
func (c *matchProgress) over() bool { return c.hand.HandID >= c.match.Hands }

// next counts the finished hand and deals another.
func (c *matchProgress) next() {
	values := c.hand.Values()
	for p := range c.match.Game.NumPlayers {
		c.score[c.match.Seat(c.hand.HandID, p)] += values[p]
	}
	c.deal(c.hand.HandID + 1)
}

// table is the place of a match: in process or over connections.
type table interface {
	// act returns a legal action of the player whose turn it is.
	act(s *acpc.State) (acpc.Action, error)
	// end is called with every finished hand.
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
		if c.match.StrictOriginal && c.hand.AtShowdown() && c.hand.Pot().Spent == ([acpc.MaxPlayers]int32{}) {
			return errors.New("a showdown without chips, where the original server aborts")
		}
		if err := t.end(&c.hand); err != nil {
			return err
		}
	}
	return nil
}

// StatePlayer is a player that can act on the whole state of the hand, with all cards.
// That saves the copy of the part that its position sees, which takes longer than many
// decisions. ActOnState uses only the information that the player to act may see; s is
// valid until it returns.
type StatePlayer interface {
	acpc.Player
	ActOnState(ctx context.Context, s *acpc.State) (acpc.Action, error)
}

// Play plays the match in process, one player for each seat, and returns the chips that
// each seat has won; after an error they are those of the hands before it. onHand, if not
// nil, is called with every finished hand, which is valid during the call; its error ends
// the match, and so does the context after a hand, with its cause. A player's error or
// illegal action ends it with a SeatError: in process it is a bug, which a reaction as
// over the wire would hide.
func (m *Match) Play(
	ctx context.Context, players []acpc.Player, onHand func(*acpc.State) error,
) (score []float64, err error) {
	if err := m.check(len(players)); err != nil {
		return nil, err
	}
	c := m.newProgress()
	r := &inProcessTable{
		ctx: ctx, match: m, players: players, onHand: onHand, statePlayers: make([]StatePlayer, len(players)),
	}
	for seat, p := range players {
		r.statePlayers[seat], _ = p.(StatePlayer)
	}
	err = c.play(r)
	return c.score, err
}

// inProcessTable is the table of a match in process.
type inProcessTable struct {
	ctx          context.Context // the match's
	match        *Match
	players      []acpc.Player
	statePlayers []StatePlayer // players that know states, by seat; nil for others
	onHand       func(*acpc.State) error
	view         acpc.MatchState // reused, so that decisions do not allocate
}

func (r *inProcessTable) act(s *acpc.State) (acpc.Action, error) {
	position := s.Actor()
	seat := r.match.Seat(s.HandID, position)
	var action acpc.Action
	var err error
	if p := r.statePlayers[seat]; p != nil {
		action, err = p.ActOnState(r.ctx, s)
	} else {
		r.view = s.View(position)
		action, err = r.players[seat].Act(r.ctx, &r.view)
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
	if r.onHand != nil {
		if err := r.onHand(s); err != nil {
			return err
		}
	}
	return context.Cause(r.ctx)
}
