package records

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gamebots/hexproto/wire"
)

// maxTime is how long a query may take.
const maxTime = 5 * time.Second

// List returns the games of a query, newest first, without their moves. An error is a
// *ParameterError if the query continues a game that does not exist, and wraps
// [context.DeadlineExceeded] if it takes too long.
func List(ctx context.Context, db *sql.DB, q *Query) ([]wire.Brief, error) {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	if q.before != "" {
		var started, row int64
		err := db.QueryRowContext(ctx, `SELECT started, row FROM games WHERE id = ?`, q.before).Scan(&started, &row)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, &ParameterError{"before", "there is no such game"}
		} else if err != nil {
			return nil, err
		}
		continued := *q
		continued.add(`(started, row) < (?, ?)`, started, row)
		q = &continued
	}
	const newest = ` ORDER BY started DESC, row DESC LIMIT ?`
	text, args := q.statement(`@seat, id, tag, rules, options, kind, first, second, others, main, increment, per_move, rated, started, ended, result,
		rating0, rating1, change0, change1, (SELECT ifnull(max(turn) + 1, 0) FROM moves WHERE game = row), row`, newest, q.limit)
	rows, err := db.QueryContext(ctx, text+newest, append(args, q.limit)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	games := []wire.Brief{}
	for rows.Next() {
		var b wire.Brief
		var seat int
		var row int64
		var options, others, result string
		b.Seats = make([]wire.Player, 2)
		var changes [2]*int // of games that changed ratings, if it is known
		if err := rows.Scan(&seat, &b.Game, &b.Tag, &b.Rules, &options, &b.Kind, &b.Seats[0].Name, &b.Seats[1].Name, &others,
			&b.Clock.Main, &b.Clock.Increment, &b.Clock.PerMove, &b.Rated, &b.Started, &b.Ended, &result,
			&b.Seats[0].Rating, &b.Seats[1].Rating, &changes[0], &changes[1], &b.Turn, &row); err != nil {
			return nil, err
		}
		for _, name := range strings.Fields(others) {
			b.Seats = append(b.Seats, wire.Player{Name: name})
		}
		b.Options, b.Result = json.RawMessage(options), &wire.Result{}
		if !json.Valid(b.Options) { // the reason why the game was given up, perhaps
			b.Options = json.RawMessage("{}")
		}
		if err := json.Unmarshal([]byte(result), b.Result); err != nil {
			return nil, fmt.Errorf("game %s: %w", b.Game, err)
		}
		if changes[0] != nil && changes[1] != nil {
			b.Changes = []int{*changes[0], *changes[1]}
		}
		if seat >= 0 {
			b.Outcome = outcomeOf(b.Result, seat)
		}
		games = append(games, b)
	}
	return games, rows.Err()
}

// outcomeOf returns what a game was for a player, one of outcomes.
func outcomeOf(r *wire.Result, seat int) string {
	switch {
	case r.How == wire.Aborted:
		return "aborted"
	case r.Winner == seat:
		return "won"
	case r.Winner < 0:
		return "drawn"
	}
	return "lost"
}

// Summarise counts the games of a query from the view of its player, which it must have.
// Its limit and start do not matter.
func Summarise(ctx context.Context, db *sql.DB, q *Query) (wire.Summary, error) {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	var s wire.Summary
	if q.player == "" {
		return s, &ParameterError{"player", "a summary is that of a player"}
	}
	text, args := q.statement(`winner, how, @seat AS seat`, "")
	err := db.QueryRowContext(ctx, `SELECT count(*), count(iif(winner = seat, 1, NULL)), count(iif(winner >= 0 AND winner <> seat, 1, NULL)),
		count(iif(winner = -1 AND how <> 'abort', 1, NULL)), count(iif(how = 'abort', 1, NULL)) FROM (`+text+`)`, args...).
		Scan(&s.Games, &s.Won, &s.Lost, &s.Drawn, &s.Aborted)
	return s, err
}

// historyLength is how far back the history of a rating goes.
const historyLength = 2 * 365 * 24 * time.Hour

// History returns the ratings of an account by kind of game: the last one of each day
// with a rated game, oldest first.
func History(ctx context.Context, db *sql.DB, account string) (map[string][]wire.RatingPoint, error) {
	const day = 24 * time.Hour
	rows, err := db.QueryContext(ctx, `SELECT kind, day, round(rating), round(deviation) FROM rating_history WHERE account = ? AND day > ? ORDER BY kind, day`,
		account, time.Now().Add(-historyLength).UnixMilli()/day.Milliseconds())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	history := map[string][]wire.RatingPoint{}
	for rows.Next() {
		var kind string
		var p wire.RatingPoint
		var rating, deviation float64
		if err := rows.Scan(&kind, &p.At, &rating, &deviation); err != nil {
			return nil, err
		}
		p.At, p.Rating, p.Deviation = p.At*day.Milliseconds(), int(rating), int(deviation)
		history[kind] = append(history[kind], p)
	}
	return history, rows.Err()
}
