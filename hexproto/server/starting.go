package server

import (
	"crypto/rand"
	"encoding/json"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"
)

// started is a game that was started by its rules and has no table yet. Games are started before
// the server's lock is taken: their options may be the text of a game, which takes long to read.
type started struct {
	rules game.Rules
	seed  []byte // what chance in the game follows from, if there is any
	game  game.Game
}

// start starts the game that a message may begin: that of a challenge, or of the one that it
// accepts. Other messages have none.
func (s *Server) start(c *conn, m wire.Message, at time.Time) (g started, refused *wire.Error) {
	defer func() {
		if fault := recover(); fault != nil {
			s.failed(nil, fault)
			refused = errFailed("")
		}
	}()
	switch m := m.(type) {
	case *wire.Challenge:
		rules := s.rules[m.Rules]
		if rules == nil {
			return started{}, refusal(wire.NotFound, "", "there are no rules %q", m.Rules)
		}
		if g, refused = s.startOf(c, rules, m.Options, at); refused == nil && m.Rated {
			refused = checkRated(rules, m, g.game)
		}
		return g, refused
	case *wire.Accept:
		ch := parallel.Get(&s.state, func(st *state) *challenge { return st.lobby.challenges[m.Challenge] })
		if ch == nil {
			return started{}, errNoChallenge()
		}
		return s.startOf(c, ch.rules, ch.options.whole, at)
	}
	return started{}, nil
}

// largeOptions is how many bytes of options are large. The server starts one game with such options
// at a time.
const largeOptions = 1 << 10

// startOf starts a game with options for the account of a connection, which has to wait after many
// bytes of options.
func (s *Server) startOf(c *conn, rules game.Rules, options json.RawMessage, at time.Time) (g started, _ *wire.Error) {
	if wait := take(c.account.started, at, max(len(options), leastOptions)); wait > 0 {
		return g, later(wait, refusal(wire.TooFast, "", "too many challenges with large options"))
	}
	if len(options) >= largeOptions {
		done, err := s.starting.Take(c.ctx, c.account)
		if err != nil {
			return g, errFailed("") // the client has left
		}
		defer done()
	}
	g.rules = rules
	if _, ok := rules.(game.Dealer); ok {
		g.seed = make([]byte, game.SeedSize)
		rand.Read(g.seed) // never fails
	}
	var err error
	if g.game, err = startGame(rules, options, g.seed); err != nil {
		return g, refusal(wire.Illegal, "", "%v", err)
	}
	return g, nil
}
