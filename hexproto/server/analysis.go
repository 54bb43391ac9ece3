package server

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

const (
	// analysisTime is how long an analysis may take while no other account waits. The
	// server runs one at a time.
	analysisTime = time.Second
	// minAnalysisTime is how long it may take however many wait.
	minAnalysisTime = analysisTime / 5
)

// analysisWait is how long an analysis may wait for those of others. Tests lengthen it.
var analysisWait = 5 * time.Second

// startAnalysis rates the moves of a position and replies, in a goroutine of its own.
// Of a connection there is one at a time.
func (s *Server) startAnalysis(c *conn, id uint64, m *wire.Analyse) {
	if !c.analysing.CompareAndSwap(false, true) {
		c.reply(id, later(analysisTime, refusal(wire.TooFast, m.Game, "one analysis at a time")))
		return
	}
	go s.answered(c, id, func() {
		var tx transaction
		answer := func() wire.Message {
			defer c.analysing.Store(false) // before the answer, after which the next may come
			return s.analyse(&tx, c, m)
		}()
		if tx.empty() {
			c.reply(id, answer)
			return
		}
		tx.send(c, id, answer)
		tx.failed = func() { c.reply(id, answer) }
		s.store.submit(tx)
	})
}

// analyse returns an analysis, or the error why there is none. A new one of a finished
// game is written by the transaction.
func (s *Server) analyse(tx *transaction, c *conn, m *wire.Analyse) wire.Message {
	st, e := s.studyOf(c, m.Game, m.Turn, m.Line)
	if e != nil {
		return e
	}
	a, e := s.analysisOf(st, m)
	if e != nil {
		return e
	}
	if (len(m.Line) > 0 || st.foreign) && s.inGuarded(c.account, st.rules) {
		return refusal(wire.Refused, st.id, "no variations are rated while you play a game that is rated or between "+
			"players, nor games from elsewhere")
	}
	if e = s.reach(c, st); e == nil {
		e = s.checkStudy(st)
	}
	if e != nil {
		return e
	}
	if moves := s.stored(c.ctx, a); moves != nil {
		return a.answer(moves)
	}
	patience, cancel := context.WithTimeout(c.ctx, analysisWait)
	defer cancel()
	done, err := s.analysing.Take(patience, c.account)
	if err != nil {
		return later(analysisTime, refusal(wire.TooFast, m.Game, "other analyses are running"))
	}
	defer done()
	if e := s.checkStudy(st); e != nil { // a game may have come to it meanwhile
		return e
	}
	if a.past.game.Result() != nil {
		return refusal(wire.GameOver, m.Game, "there is nothing to move")
	}
	share := analysisTime / time.Duration(s.analysing.Clients())
	ctx, cancel := context.WithTimeout(c.ctx, max(share, minAnalysisTime))
	defer cancel()
	moves, err := a.analyst.Analyse(ctx, a.past.game, a.method)
	if err != nil {
		return refusal(wire.Refused, m.Game, "%v", err)
	}
	if a.kept() && c.ctx.Err() == nil && s.mayStore(c.account, c.payers...) == nil {
		tx.payers = c.payers
		tx.storeAnalysis(a, moves, maxAnalyses)
	}
	return a.answer(moves)
}

// analysis is a position that is to be analysed.
type analysis struct {
	*study
	method  string
	by      string // the method and the version of the server, by which the result is stored
	analyst game.Analyst
}

// answer returns the answer with rated moves.
func (a *analysis) answer(moves []wire.Rated) *wire.Analysis {
	return &wire.Analysis{Game: a.id, Turn: a.turn, Line: a.line, By: a.method, Moves: moves}
}

// kept reports whether the result is stored: it is of a position of a finished game.
func (a *analysis) kept() bool { return a.finished && len(a.line) == 0 }

// analysisOf finds how a position is to be analysed.
func (s *Server) analysisOf(st *study, m *wire.Analyse) (*analysis, *wire.Error) {
	analyst, ok := st.past.rules.(game.Analyst)
	if !ok {
		return nil, refusal(wire.Refused, m.Game, "%s is not analysed here", st.rules)
	}
	methods := analyst.Methods()
	method := cmp.Or(m.By, methods[0])
	if !slices.Contains(methods, method) {
		return nil, refusal(wire.NotFound, m.Game,
			"%q is not one of the methods %s", method, strings.Join(methods, ", "))
	}
	return &analysis{st, method, method + ", " + s.Version, analyst}, nil
}

// maxAnalyses is how many bytes of analyses are stored.
const maxAnalyses = 64 << 20

// The statements of analyses. Each ends where it would in a file of all that were ever
// stored, so that the end of the last one says which are too old.
const (
	addAnalysis = `REPLACE INTO analyses (ends, game, turn, method, moves)
		SELECT ifnull(max(ends), 0) + ?, ?, ?, ?, ? FROM analyses`
	trimAnalyses = `DELETE FROM analyses WHERE ends <= (SELECT max(ends) FROM analyses) - ?`
	readAnalysis = `SELECT moves FROM analyses WHERE game = ? AND turn = ? AND method = ?`
)

// stored returns the rated moves of an analysis that was made before, or nil.
func (s *Server) stored(ctx context.Context, a *analysis) (moves []wire.Rated) {
	if !a.kept() {
		return nil
	}
	var text []byte
	err := s.store.db.QueryRowContext(ctx, readAnalysis, a.id, a.turn, a.by).Scan(&text)
	if err == nil {
		err = json.Unmarshal(text, &moves)
	}
	if err != nil {
		if !errors.Is(err, sql.ErrNoRows) && ctx.Err() == nil {
			s.log.Error("reading an analysis", "game", a.id, "error", err)
		}
		return nil
	}
	return moves
}

// storeAnalysis writes an analysis of a finished game, and deletes the oldest ones if all
// of them take more bytes than the limit, most.
func (tx *transaction) storeAnalysis(a *analysis, moves []wire.Rated, most int) {
	text, err := json.Marshal(moves)
	if err != nil {
		panic(err) // a fault of the rules: all else in a rated move is a plain value
	}
	tx.write(addAnalysis, len(text), a.id, a.turn, a.by, string(text))
	tx.write(trimAnalyses, most)
}
