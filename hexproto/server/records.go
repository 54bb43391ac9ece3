package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gamebots/hexproto/wire"
)

// readLocked reads tables under the lock, for the accounts that they name.
func (s *Server) readLocked(clause string, args ...any) ([]*table, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.readTables(clause, args...)
}

// listRecords lists finished games as JSON, newest first.
func (s *Server) listRecords(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	clause, args := []string{`result IS NOT NULL`}, []any{}
	if player := q.Get("player"); player != "" {
		clause, args = append(clause, `(first = ? COLLATE NOCASE OR second = ? COLLATE NOCASE)`), append(args, player, player)
	}
	for _, name := range []string{"rules", "tag"} {
		if value := q.Get(name); value != "" {
			clause, args = append(clause, name+` = ?`), append(args, value)
		}
	}
	if before := q.Get("before"); before != "" {
		clause, args = append(clause, `row < (SELECT row FROM games WHERE id = ?)`), append(args, before)
	}
	limit := 100
	if text := q.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 1000 {
			http.Error(w, "limit is a number from 1 to 1000", http.StatusBadRequest)
			return
		}
		limit = n
	}
	games, err := s.briefs(r, `WHERE `+strings.Join(clause, " AND ")+` ORDER BY row DESC LIMIT ?`, append(args, limit)...)
	if err != nil {
		s.log.Error("listing records", "error", err)
		http.Error(w, "the games cannot be read", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(games)
}

// briefs reads what a list shows, without playing the games again.
func (s *Server) briefs(r *http.Request, clause string, args ...any) ([]wire.Brief, error) {
	rows, err := s.store.db.QueryContext(r.Context(), `SELECT id, tag, rules, options, first, second, main, increment, per_move, rated, started, result, rating0, rating1,
		(SELECT ifnull(max(turn) + 1, 0) FROM moves WHERE game = row) FROM games `+clause, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	games := []wire.Brief{}
	for rows.Next() {
		var b wire.Brief
		var options, result string
		if err := rows.Scan(&b.Game, &b.Tag, &b.Rules, &options, &b.Seats[0].Name, &b.Seats[1].Name, &b.Clock.Main, &b.Clock.Increment, &b.Clock.PerMove,
			&b.Rated, &b.Started, &result, &b.Seats[0].Rating, &b.Seats[1].Rating, &b.Turn); err != nil {
			return nil, err
		}
		b.Options, b.Result = json.RawMessage(options), &wire.Result{}
		if err := json.Unmarshal([]byte(result), b.Result); err != nil {
			return nil, fmt.Errorf("game %s: %w", b.Game, err)
		}
		games = append(games, b)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range games {
		for j := range games[i].Seats {
			games[i].Seats[j].Bot = s.known(games[i].Seats[j].Name).bot
		}
	}
	return games, rows.Err()
}

// record writes one game, running or over, in the format of the file's name.
func (s *Server) record(w http.ResponseWriter, r *http.Request) {
	file := r.PathValue("file")
	id, format, ok := strings.Cut(file, ".")
	if !ok || strings.ContainsFunc(format, func(c rune) bool { return !slices.Contains([]rune("abcdefghijklmnopqrstuvwxyz0123456789"), c) }) {
		http.NotFound(w, r)
		return
	}
	old, err := s.oldTable(id)
	if err != nil {
		s.log.Error("reading a record", "error", err)
		http.Error(w, "the game cannot be read", http.StatusInternalServerError)
		return
	}
	s.mu.Lock()
	t := s.tables[id]
	if t == nil {
		t = old
	}
	text, kind := "", "text/plain; charset=utf-8"
	if ok = t != nil; ok {
		state := t.state(nil, false)
		if format == "json" {
			text, kind = string(encode(0, state))+"\n", "application/json"
		} else {
			text, ok = t.game.Record(format, state)
		}
	}
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", `attachment; filename="`+file+`"`)
	fmt.Fprint(w, text)
}
