package database

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Order is what a host asks of the server of a database. The server carries it out once: soon if it
// runs, or else when it starts.
type Order struct {
	Row              int64
	Kind             string
	Target, Argument string
}

// The kinds of orders.
const (
	EndGame    = "end"   // ends the game Target: the account Argument loses it, or it does not count
	LeaveGames = "leave" // takes the account Target out of its games and challenges
	ReadBans   = "bans"  // takes up changed bans

	Kick         = "kick"   // closes the connections of the account Target
	ListOnline   = "online" // writes the connections into Argument, as JSON; who asked removes the order
	AnnulGame    = "annul"  // takes the finished game Target out of ratings and results
	ResetRatings = "reset"  // gives the account Target the ratings of a new one
)

func addOrder(ctx context.Context, db executor, o Order) error {
	_, err := db.ExecContext(ctx, `INSERT INTO orders (kind, target, argument) VALUES (?, ?, ?)`,
		o.Kind, o.Target, o.Argument)
	return err
}

// OrderDone is the statement that removes the order of a row.
const OrderDone = `DELETE FROM orders WHERE row = ?`

// Orders returns the orders after a row that are not carried out.
func Orders(ctx context.Context, db *sql.DB, after int64) (orders []Order, err error) {
	return list(ctx, db, `SELECT row, kind, target, argument FROM orders WHERE row > ? ORDER BY row`, []any{after},
		func(rows *sql.Rows, o *Order) error { return rows.Scan(&o.Row, &o.Kind, &o.Target, &o.Argument) })
}

// Game describes a running game to the host.
type Game struct {
	ID      string    `json:"id"`
	Rules   string    `json:"rules"`
	Players []string  `json:"players"` // names by seat
	Rated   bool      `json:"rated"`
	Clock   bool      `json:"clock"`
	Moves   int       `json:"moves"`
	Started time.Time `json:"started"`
	Moved   time.Time `json:"moved" text:"last move"` // the time of the last move, or of the start
}

// RunningGames lists the games of a database that are not over, or those of one account unless its
// name is "". The game that began first is the first.
func RunningGames(ctx context.Context, path, account string) (games []Game, err error) {
	err = use(path, func(db *sql.DB) error {
		if account != "" {
			if err := mustKnow(ctx, db, account); err != nil {
				return err
			}
		}
		const query = `SELECT id, rules, rated, main + increment + per_move > 0, started,
				(SELECT group_concat(name, ' ') FROM (SELECT name FROM seats WHERE game = row ORDER BY seat)),
				(SELECT count(*) FROM moves WHERE game = row), ifnull((SELECT max(at) FROM moves WHERE game = row), 0)
			FROM games WHERE result IS NULL AND (? = '' OR EXISTS (SELECT * FROM seats
				WHERE game = row AND name = ? COLLATE NOCASE)) ORDER BY row`
		games, err = list(ctx, db, query, []any{account, account}, func(rows *sql.Rows, g *Game) error {
			var started, moved int64
			var players string
			err := rows.Scan(&g.ID, &g.Rules, &g.Rated, &g.Clock, &started, &players, &g.Moves, &moved)
			g.Players = strings.Fields(players)
			g.Started, g.Moved = time.UnixMilli(started).UTC(), time.UnixMilli(max(started, moved)).UTC()
			return err
		})
		return err
	})
	return games, err
}

// The errors of games that cannot be ended, or annulled.
var (
	ErrRuns       = errors.New("the game is not over")
	ErrNotCounted = errors.New("the game does not count already")

	ErrNoGame    = errors.New("there is no game of that id")
	ErrGameOver  = errors.New("the game is over")
	ErrNotInGame = errors.New("is not a player of the game")
)

// OrderEnd asks the server to end a running game. Loser names the player who loses it; if it is "" the
// game does not count.
func OrderEnd(ctx context.Context, path, id, loser string) error {
	return useTx(ctx, path, func(c *sql.Conn) error {
		var over, plays bool
		err := c.QueryRowContext(ctx, `SELECT result IS NOT NULL, EXISTS (SELECT * FROM seats
			WHERE game = row AND name = ? COLLATE NOCASE) FROM games WHERE id = ?`, loser, id).Scan(&over, &plays)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return fmt.Errorf("%s: %w", id, ErrNoGame)
		case err != nil:
			return err
		case over:
			return fmt.Errorf("%s: %w", id, ErrGameOver)
		case loser != "" && !plays:
			return fmt.Errorf("%s %w", loser, ErrNotInGame)
		}
		return addOrder(ctx, c, Order{Kind: EndGame, Target: id, Argument: loser})
	})
}

// OrderAnnul asks the server to take a finished game out of ratings and results.
func OrderAnnul(ctx context.Context, path, id string) error {
	return useTx(ctx, path, func(c *sql.Conn) error {
		var how string
		err := c.QueryRowContext(ctx, `SELECT ifnull(how, '') FROM games WHERE id = ?`, id).Scan(&how)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			err = ErrNoGame
		case err == nil && how == "":
			err = ErrRuns
		case err == nil && how == "abort":
			err = ErrNotCounted
		case err == nil:
			return addOrder(ctx, c, Order{Kind: AnnulGame, Target: id})
		}
		return fmt.Errorf("%s: %w", id, err)
	})
}

// OrderKick asks the server to close the connections of an account.
func OrderKick(ctx context.Context, path, name string) error { return orderOf(ctx, path, Kick, name) }

// OrderReset asks the server to give an account the ratings of a new one.
func OrderReset(ctx context.Context, path, name string) error {
	return orderOf(ctx, path, ResetRatings, name)
}

func orderOf(ctx context.Context, path, kind, name string) error {
	return use(path, func(db *sql.DB) error {
		if err := mustKnow(ctx, db, name); err != nil {
			return err
		}
		return addOrder(ctx, db, Order{Kind: kind, Target: name})
	})
}

// mustKnow returns an error unless there is an account of a name.
func mustKnow(ctx context.Context, db *sql.DB, name string) error {
	var n int
	err := db.QueryRowContext(ctx, `SELECT count(*) FROM accounts WHERE name = ?`, name).Scan(&n)
	if err == nil && n == 0 {
		err = fmt.Errorf("%s: %w", name, ErrNoAccount)
	}
	return err
}

// useTx does something in one transaction of a database that exists. It waits for the writes of a
// running server.
func useTx(ctx context.Context, path string, do func(*sql.Conn) error) error {
	return use(path, func(db *sql.DB) error {
		c, err := db.Conn(ctx)
		if err != nil {
			return err
		}
		defer c.Close()
		if _, err := c.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
			return err
		}
		if err := do(c); err != nil {
			_, _ = c.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") // SQLite may have done it
			return err
		}
		_, err = c.ExecContext(ctx, "COMMIT")
		return err
	})
}

// Online is a connection that has signed in to a running server.
type Online struct {
	Name    string    `json:"name"`
	Address string    `json:"address"`
	Since   time.Time `json:"since"`
	Agent   string    `json:"agent,omitempty"` // what the client says that it is
}

// ErrNoAnswer is the error of a database without a server that carries out orders.
var ErrNoAnswer = errors.New("no running server answers")

// How often to look whether a server has said who is online, and with what pauses. It looks for orders each second.
const (
	answerTries = 100
	answerPause = 100 * time.Millisecond
)

// AskOnline asks the running server of a database for its connections, by account and then by time. The answer is in
// the database until it is read.
func AskOnline(ctx context.Context, path string) (all []Online, err error) {
	err = use(path, func(db *sql.DB) error {
		var row int64
		answer := ""
		err := db.QueryRowContext(ctx, `INSERT INTO orders (kind, target, argument) VALUES (?, '', '') RETURNING row`,
			ListOnline).Scan(&row)
		for tries := 0; err == nil && answer == ""; tries++ {
			if tries == answerTries {
				err = ErrNoAnswer
				break
			}
			time.Sleep(answerPause)
			err = db.QueryRowContext(ctx, `SELECT argument FROM orders WHERE row = ?`, row).Scan(&answer)
		}
		if errors.Is(err, sql.ErrNoRows) {
			return ErrOlderServer // it does not know the order
		}
		_, e := db.Exec(OrderDone, row)
		if err = errors.Join(err, e); err == nil {
			err = json.Unmarshal([]byte(answer), &all)
		}
		return err
	})
	return all, err
}
