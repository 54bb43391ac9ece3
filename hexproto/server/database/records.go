package database

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

// Games returns the games of a query, newest first, without their moves. An error is a
// *ParameterError if the query continues a game that does not exist, and wraps
// [context.DeadlineExceeded] if it takes too long.
func Games(ctx context.Context, db *sql.DB, q *Query) ([]wire.Brief, error) {
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
	const newest = ` ORDER BY started DESC, row DESC`
	selected, args := q.statement(`row, outcome`, newest+` LIMIT ?`, q.limit)
	query := `SELECT id, tag, rules, options, whole IS NOT NULL, kind, main, increment, per_move,
		rated, started, ended, result, ifnull(outcome, ''),
		(SELECT ifnull(max(turn) + 1, 0) FROM moves WHERE game = row),
		(SELECT json_group_array(json_object('name', name, 'rating', rating, 'change', change) ORDER BY seat)
			FROM seats WHERE game = row)
		FROM (` + selected + `) CROSS JOIN games USING (row)` + newest
	games := []wire.Brief{}
	err := Each(ctx, db, query, args, func(rows *sql.Rows) error {
		var b wire.Brief
		var options, result, seats string
		if err := rows.Scan(&b.Game, &b.Tag, &b.Rules, &options, &b.Cut, &b.Kind,
			&b.Clock.Main, &b.Clock.Increment, &b.Clock.PerMove,
			&b.Rated, &b.Started, &b.Ended, &result, &b.Outcome, &b.Turn, &seats); err != nil {
			return err
		}
		b.Result = &wire.Result{}
		if !json.Valid([]byte(options)) { // the reason why the game was given up, perhaps
			options = "{}"
		}
		var cut bool // now: the game was stored by an older version
		b.Options, cut = ShortenOptions(json.RawMessage(options))
		b.Cut = b.Cut || cut
		if err := errors.Join(json.Unmarshal([]byte(result), b.Result), setSeats(&b, seats)); err != nil {
			return fmt.Errorf("game %s: %w", b.Game, err)
		}
		games = append(games, b)
		return nil
	})
	return games, err
}

// setSeats sets the seats of a game, and the changes of their ratings if all are known.
func setSeats(b *wire.Brief, text string) error {
	var seats []struct {
		Name   string
		Rating int
		Change *int
	}
	if err := json.Unmarshal([]byte(text), &seats); err != nil {
		return err
	}
	for _, s := range seats {
		b.Seats = append(b.Seats, wire.Player{Name: s.Name, Rating: s.Rating})
		if s.Change != nil {
			b.Changes = append(b.Changes, *s.Change)
		}
	}
	return nil
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
	text, args := q.statement(`count(*), count(iif(outcome = 'won', 1, NULL)), count(iif(outcome = 'lost', 1, NULL)),
		count(iif(outcome = 'drawn', 1, NULL)), count(iif(outcome = 'aborted', 1, NULL))`, "")
	err := db.QueryRowContext(ctx, text, args...).Scan(&s.Games, &s.Won, &s.Lost, &s.Drawn, &s.Aborted)
	return s, err
}

// historyLength is how far back the history of a rating goes.
const historyLength = 2 * 365 * 24 * time.Hour

// RatingHistory returns the ratings of an account by kind of game: the last one of each day
// with a rated game, oldest first.
func RatingHistory(ctx context.Context, db *sql.DB, account string) (map[string][]wire.RatingPoint, error) {
	const day = 24 * time.Hour
	const query = `SELECT kind, day, round(rating), round(deviation) FROM rating_history
		WHERE account = ? AND day > ? ORDER BY kind, day`
	since := time.Now().Add(-historyLength).UnixMilli() / day.Milliseconds()
	history := map[string][]wire.RatingPoint{}
	err := Each(ctx, db, query, []any{account, since}, func(rows *sql.Rows) error {
		var kind string
		var p wire.RatingPoint
		var rating, deviation float64
		err := rows.Scan(&kind, &p.At, &rating, &deviation)
		p.At, p.Rating, p.Deviation = p.At*day.Milliseconds(), int(rating), int(deviation)
		history[kind] = append(history[kind], p)
		return err
	})
	return history, err
}

const (
	longOption = 128 // bytes of an option in JSON that lists show whole
	longLine   = 60  // characters of the line that they show of a longer text
)

// ShortenOptions returns the options of a game as lists show them, and whether they are cut: a long text
// to its first line, and any other long value to nothing.
func ShortenOptions(options json.RawMessage) (short json.RawMessage, cut bool) {
	if len(options) <= longOption {
		return options, false
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(options, &all) != nil {
		return json.RawMessage("{}"), true
	}
	for name, value := range all {
		if len(value) <= longOption {
			continue
		}
		cut = true
		delete(all, name)
		var text string
		if json.Unmarshal(value, &text) == nil {
			line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
			if runes := []rune(line); len(runes) > longLine {
				line = string(runes[:longLine])
			}
			all[name], _ = json.Marshal(line + "…") // a text always can be
		}
	}
	if !cut {
		return options, false
	}
	short, _ = json.Marshal(all) // values that were decoded always can be
	return short, true
}
