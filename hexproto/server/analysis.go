package server

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// analysisTime is how long an analysis may take. The server runs one at a time.
const analysisTime = time.Second

// analyse rates the moves of a position and replies.
func (s *Server) analyse(c *conn, id uint64, m *wire.Analyse) {
	g, analyst, e := s.analysisPosition(c, m)
	if e != nil {
		c.reply(id, e)
		return
	}
	select {
	case s.analysing <- struct{}{}:
		defer func() { <-s.analysing }()
	case <-time.After(5 * analysisTime):
		c.reply(id, &wire.Error{Code: wire.TooFast, Text: "other analyses are running", Game: m.Game, Retry: analysisTime.Milliseconds()})
		return
	case <-s.ctx.Done():
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, analysisTime)
	defer cancel()
	by, moves, err := analyst.Analyse(ctx, g)
	if err != nil {
		c.reply(id, &wire.Error{Code: wire.Refused, Text: err.Error(), Game: m.Game})
		return
	}
	c.reply(id, &wire.Analysis{Game: m.Game, Turn: m.Turn, By: by, Moves: moves})
}

// analysisPosition returns a copy of a game before a turn, and its rules' analyst.
func (s *Server) analysisPosition(c *conn, m *wire.Analyse) (game.Game, game.Analyst, *wire.Error) {
	finished, err := s.archive.open(s.ctx, c.account, m.Game)
	if err != nil {
		return nil, nil, errFailed(m.Game)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := cmp.Or(s.games.tables[m.Game], finished)
	if t == nil {
		return nil, nil, &wire.Error{Code: wire.NotFound, Text: "no such game", Game: m.Game}
	}
	analyst, ok := t.rules.(game.Analyst)
	switch {
	case !ok:
		return nil, nil, &wire.Error{Code: wire.Refused, Text: t.rulesName + " is not analysed here", Game: m.Game}
	case t.rated && t.result == nil && t.seat(c.account) >= 0:
		return nil, nil, &wire.Error{Code: wire.Refused, Text: "no help in a rated game", Game: m.Game}
	case m.Turn < 0 || m.Turn > t.turn:
		return nil, nil, &wire.Error{Code: wire.WrongTurn, Text: fmt.Sprintf("the game has had %d turns", t.turn), Game: m.Game}
	}
	n := slices.IndexFunc(t.moves, func(made wire.Move) bool { return made.Turn >= m.Turn })
	if n < 0 {
		n = len(t.moves)
	}
	past := &table{id: t.id, rules: t.rules, options: t.options, clocks: newClocks(t.clocks.Clock)}
	if err := past.replay(t.moves[:n]); err != nil {
		return nil, nil, &wire.Error{Code: wire.Internal, Text: err.Error(), Game: m.Game}
	}
	if past.game.Result() != nil {
		return nil, nil, &wire.Error{Code: wire.GameOver, Text: "there is nothing to move", Game: m.Game}
	}
	return past.game, analyst, nil
}
