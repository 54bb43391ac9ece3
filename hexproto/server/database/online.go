package database

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"
)

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
