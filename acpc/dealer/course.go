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
