package server

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// analysisTime is how long an analysis may take. The server runs one at a time.
const analysisTime = time.Second

// analyse rates the moves of a position and replies.
func (s *Server) analyse(c *conn, id uint64, m *wire.Analyse) {
	a, e := s.analysisOf(c, m)
	if e != nil {
		c.reply(id, e)
		return
	}
	if moves, ok := s.analyses.get(a.analysisKey); ok {
		c.reply(id, a.answer(moves))
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
	moves, err := a.analyst.Analyse(ctx, a.game, a.method)
	if err != nil {
		c.reply(id, &wire.Error{Code: wire.Refused, Text: err.Error(), Game: m.Game})
		return
	}
	if a.finished && s.ctx.Err() == nil {
		s.analyses.add(a.analysisKey, moves)
	}
	c.reply(id, a.answer(moves))
}

// analysis is a position that is to be analysed.
type analysis struct {
	analysisKey
	analyst  game.Analyst
	game     game.Game // before the turn
	finished bool      // the result can be kept
}

// answer returns the answer with rated moves.
func (a *analysis) answer(moves []wire.Rated) *wire.Analysis {
	return &wire.Analysis{Game: a.id, Turn: a.turn, By: a.method, Moves: moves}
}

// analysisOf finds the position that an account may have analysed.
func (s *Server) analysisOf(c *conn, m *wire.Analyse) (*analysis, *wire.Error) {
	finished, err := s.archive.open(s.ctx, c.account, m.Game)
	if err != nil {
		return nil, errFailed(m.Game)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := cmp.Or(s.games.tables[m.Game], finished)
	if t == nil {
		return nil, &wire.Error{Code: wire.NotFound, Text: "no such game", Game: m.Game}
	}
	analyst, ok := t.rules.(game.Analyst)
	if !ok {
		return nil, &wire.Error{Code: wire.Refused, Text: t.rulesName + " is not analysed here", Game: m.Game}
	}
	methods := analyst.Methods()
	method := cmp.Or(m.By, methods[0])
	switch seat := t.seat(c.account); {
	case !slices.Contains(methods, method):
		return nil, &wire.Error{Code: wire.NotFound, Text: fmt.Sprintf("%q is not one of the methods %s", method, strings.Join(methods, ", ")), Game: m.Game}
	case t.result == nil && seat >= 0 && t.rated:
		return nil, &wire.Error{Code: wire.Refused, Text: "no help in a rated game", Game: m.Game}
	case t.result == nil && seat >= 0 && !t.seats[1-seat].bot:
		return nil, &wire.Error{Code: wire.Refused, Text: "no help in a game against a person", Game: m.Game}
	case m.Turn < 0 || m.Turn > t.turn:
		return nil, &wire.Error{Code: wire.WrongTurn, Text: fmt.Sprintf("the game has had %d turns", t.turn), Game: m.Game}
	}
	n := slices.IndexFunc(t.moves, func(made wire.Move) bool { return made.Turn >= m.Turn })
	if n < 0 {
		n = len(t.moves)
	}
	past := &table{id: t.id, rules: t.rules, options: t.options, clocks: newClocks(t.clocks.Clock)}
	if err := past.replay(t.moves[:n]); err != nil {
		return nil, &wire.Error{Code: wire.Internal, Text: err.Error(), Game: m.Game}
	}
	if past.game.Result() != nil {
		return nil, &wire.Error{Code: wire.GameOver, Text: "there is nothing to move", Game: m.Game}
	}
	return &analysis{analysisKey{t.id, m.Turn, method}, analyst, past.game, t.result != nil}, nil
}

// maxAnalyses is how many analyses of finished games are kept.
const maxAnalyses = 1000

// analysisKey names an analysis of a finished game.
type analysisKey struct {
	id     string
	turn   int
	method string
}

// analysisCache keeps the latest analyses of finished games. Any goroutine may use it.
type analysisCache struct {
	mu    sync.Mutex
	moves map[analysisKey][]wire.Rated
	keys  []analysisKey // oldest first
}

func (c *analysisCache) get(key analysisKey) ([]wire.Rated, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	moves, ok := c.moves[key]
	return moves, ok
}

func (c *analysisCache) add(key analysisKey, moves []wire.Rated) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.moves[key]; !known {
		if len(c.keys) == maxAnalyses {
			delete(c.moves, c.keys[0])
			c.keys = c.keys[1:]
		}
		c.keys = append(c.keys, key)
	}
	c.moves[key] = moves
}
