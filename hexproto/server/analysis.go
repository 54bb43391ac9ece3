package server

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// analysisTime is how long an analysis may take, analysisWait how long it may wait for
// those of others. The server runs one at a time.
const (
	analysisTime = time.Second
	analysisWait = 5 * time.Second
)

// startAnalysis rates the moves of a position and replies, in a goroutine of its own.
// Of a connection there is one at a time.
func (s *Server) startAnalysis(c *conn, id uint64, m *wire.Analyse) {
	if !c.analysing.CompareAndSwap(false, true) {
		c.reply(id, &wire.Error{Code: wire.TooFast, Text: "one analysis at a time", Game: m.Game, Retry: analysisTime.Milliseconds()})
		return
	}
	go s.answered(c, id, func() {
		answer := func() wire.Message {
			defer c.analysing.Store(false) // before the answer, after which the next may come
			return s.analyse(c, m)
		}()
		c.reply(id, answer)
	})
}

// analyse returns an analysis, or the error why there is none.
func (s *Server) analyse(c *conn, m *wire.Analyse) wire.Message {
	a, e := s.analysisOf(c, m)
	if e != nil {
		return e
	}
	if moves, ok := s.analyses.get(a.analysisKey); ok {
		return a.answer(moves)
	}
	patience, cancel := context.WithTimeout(c.ctx, analysisWait)
	defer cancel()
	done, err := s.analysing.Take(patience, c.account)
	if err != nil {
		return &wire.Error{Code: wire.TooFast, Text: "other analyses are running", Game: m.Game, Retry: analysisTime.Milliseconds()}
	}
	defer done()
	past := &table{id: a.id, rules: a.rules, options: a.options}
	if err := past.replay(a.moves); err != nil {
		panic(err) // the same moves were legal in the game
	}
	if past.game.Result() != nil {
		return &wire.Error{Code: wire.GameOver, Text: "there is nothing to move", Game: m.Game}
	}
	ctx, cancel := context.WithTimeout(c.ctx, analysisTime)
	defer cancel()
	moves, err := a.analyst.Analyse(ctx, past.game, a.method)
	if err != nil {
		return &wire.Error{Code: wire.Refused, Text: err.Error(), Game: m.Game}
	}
	if a.finished && c.ctx.Err() == nil {
		s.analyses.add(a.analysisKey, moves)
	}
	return a.answer(moves)
}

// analysis is a position that is to be analysed.
type analysis struct {
	analysisKey
	analyst  game.Analyst
	rules    game.Rules
	options  json.RawMessage
	moves    []wire.Move // before the turn
	finished bool        // the result can be kept
}

// answer returns the answer with rated moves.
func (a *analysis) answer(moves []wire.Rated) *wire.Analysis {
	return &wire.Analysis{Game: a.id, Turn: a.turn, By: a.method, Moves: moves}
}

// analysisOf finds the position that an account may have analysed.
func (s *Server) analysisOf(c *conn, m *wire.Analyse) (*analysis, *wire.Error) {
	var finished *table
	if !s.games.inMemory(m.Game) {
		var err error
		if finished, err = s.archive.open(c.ctx, c.account, m.Game); err != nil {
			return nil, errFailed(m.Game)
		}
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
	return &analysis{analysisKey{t.id, m.Turn, method}, analyst, t.rules, t.options, slices.Clone(t.moves[:n]), t.result != nil}, nil
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
