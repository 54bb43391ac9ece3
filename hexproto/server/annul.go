package server

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"gamebots/hexproto/wire"
)

// What the host undoes: docs/hosting.md tells what becomes of ratings. A seat without a change counts for no rating.
const (
	resetFirst   = `UPDATE accounts SET rating = ?, deviation = ? WHERE name = ?`
	resetRatings = `UPDATE ratings SET rated = 0 WHERE account = ?`
	resetHistory = `DELETE FROM rating_history WHERE account = ?`
	resetChanges = `UPDATE seats SET change = NULL WHERE name = ?1 COLLATE NOCASE
		AND game IN (SELECT game FROM played WHERE account = ?1 AND rated)`
	annulChanges = `UPDATE seats SET change = NULL WHERE game = ?`
	countedGame  = `SELECT row, games.kind, ended, games.how, account, outcome, change,
		(SELECT count(*) FROM seats WHERE game = row) FROM games
		JOIN seats ON seats.game = row
		JOIN played ON account = name AND played.started = games.started AND played.game = row
		WHERE id = ? AND result IS NOT NULL AND games.how <> ? GROUP BY account`
)

// annul returns the step that takes a finished game out of the results and ratings of its players: each is given back
// the points that it lost, and loses those that it won. Ratings are not computed again.
func (s *Server) annul(id string) (step func(*transaction), err error) {
	type counted struct {
		account, outcome string
		change           *int // change of the rating, nil if the game does not count for it
	}
	var row, ended int64
	var kind, how string
	var players []counted
	result := wire.Result{Winner: -1, How: wire.Aborted}
	s.store.flush() // another order may have annulled it just now
	err = s.store.each(countedGame, []any{id, wire.Aborted}, func(rows *sql.Rows) error {
		var p counted
		var seats int
		err := rows.Scan(&row, &kind, &ended, &how, &p.account, &p.outcome, &p.change, &seats)
		players, result.Score = append(players, p), make([]float64, seats)
		return err
	})
	return func(tx *transaction) {
		if len(players) == 0 {
			return
		}
		for _, p := range players {
			tx.accounts.named(p.account).discount(tx, kind, ended, p.outcome, p.change)
		}
		result.Reason = fmt.Sprintf("the host annulled the game, which had ended (%s)", how)
		text, _ := json.Marshal(result) // plain values cannot fail
		tx.write(annulChanges, row)
		tx.write(endGame, string(text), ended, row)
		if t := tx.games.tables[id]; t != nil {
			t.result = &result
		}
		tx.after = append(tx.after, s.archive.recent.Purge)
		s.log.Info("the host annulled a game", "game", id)
	}, err
}

// discount takes a game of a kind that ended at a time with an outcome out of the results of an account and, unless the
// change is nil, out of its rating.
func (a *account) discount(tx *transaction, kind string, ended int64, outcome string, change *int) {
	st := a.standings[kind]
	*map[string]*int{"won": &st.won, "lost": &st.lost, "drawn": &st.drawn}[outcome]--
	if change != nil {
		st.rated--
		st.recent = slices.DeleteFunc(st.recent, func(r recent) bool { return r.at == ended })
		st.Rating = min(max(st.Rating-float64(*change), minRating), maxRating)
		tx.write(addRating, a.name, kind, date()/day, st.Rating, st.Deviation)
	}
	tx.write(setRating, a.name, kind, st.Rating, st.Deviation, st.Volatility, st.at, st.rated, st.won, st.lost,
		st.drawn)
}

// reset gives an account the ratings of a new one. Its games count for them no more, if one is annulled later.
func (s *Server) reset(tx *transaction, name string) {
	a := tx.accounts.named(name)
	a.first = newStrength()
	for _, st := range a.standings {
		st.rated, st.recent = 0, nil
	}
	tx.write(resetFirst, a.first.Rating, a.first.Deviation, a.name)
	for _, statement := range []string{resetRatings, resetHistory, resetChanges} {
		tx.write(statement, a.name)
	}
	s.log.Info("the host reset the ratings of an account", "account", a.name)
}
