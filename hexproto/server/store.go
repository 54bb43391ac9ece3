package server

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"
)

// The statements of transactions.
const (
	addAccount = `INSERT INTO accounts (name, token, bot, rating, deviation, games, created)
		VALUES (?, ?, ?, ?, ?, 0, ?)`
	addGame = `INSERT INTO games
		(row, id, maker, tag, rules, options, kind, main, increment, per_move, rated, started, seed)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)`
	addSeat     = `INSERT INTO seats (game, seat, name, rating) VALUES (?, ?, ?, ?)`
	leaveSeat   = `UPDATE seats SET gone = ? WHERE game = ? AND seat = ?`
	endSeat     = `UPDATE seats SET rating = ?, change = ? WHERE game = ? AND seat = ?`
	endGame     = `UPDATE games SET result = ?, ended = ? WHERE row = ?`
	addMove     = `INSERT INTO moves (game, turn, seat, move, ms, at) VALUES (?, ?, ?, ?, ?, ?)`
	deleteMoves = `DELETE FROM moves WHERE game = ? AND turn >= ?`
	addChat     = `INSERT INTO chat (game, sender, text, at) VALUES (?, ?, ?, ?)`
)

// transaction is the work that an operation under the lock leaves: rows to write, and
// messages to send once the rows are on disk.
type transaction struct {
	writes []write
	out    []delivery
	after  []func() // short, and without the server's lock

	game *table // the game that ends if the operation fails; may be nil
}

type write struct {
	sql  string
	args []any
}

type delivery struct {
	to    *conn
	frame *frame
}

func (tx *transaction) empty() bool { return len(tx.writes)+len(tx.out)+len(tx.after) == 0 }

// write adds a statement.
func (tx *transaction) write(sql string, args ...any) {
	tx.writes = append(tx.writes, write{sql, args})
}

// enqueue adds a frame for a connection.
func (tx *transaction) enqueue(c *conn, f *frame) { tx.out = append(tx.out, delivery{c, f}) }

// send adds a message for a connection. The id is that of the request that it
// answers, or 0.
func (tx *transaction) send(c *conn, id uint64, m wire.Message) { tx.enqueue(c, encode(id, m)) }

// sendAll adds a message for all connections of an account.
func (tx *transaction) sendAll(a *account, m wire.Message) {
	if len(a.conns) == 0 {
		return
	}
	frame := encode(0, m)
	for c := range a.conns {
		tx.enqueue(c, frame)
	}
}

// store writes transactions in their order, all that wait in one commit, and then
// sends their messages. So whatever a client has heard is on disk, or with
// [database.SyncNormal] at least with the operating system.
type store struct {
	db *sql.DB // for reading, from any goroutine

	mu          sync.Mutex
	wake        sync.Cond
	waiting     []transaction
	closed      bool
	stopped     bool // nothing is written any more
	done        chan struct{}
	checkpoints sync.WaitGroup
	err         error // set before done is closed
	onFailure   func(error)
}

// openStore opens a database, and logs what it takes to migrate it. It calls onFailure
// once if the database can no longer be written.
func openStore(path string, sync database.Sync, log *slog.Logger, onFailure func(error)) (*store, error) {
	var migration time.Time // its beginning
	db, err := database.Open(path, sync, func(version, last int) {
		migration = cmp.Or(migration, time.Now())
		log.Info("migrating the database", "version", version, "of", last)
	})
	if err != nil {
		return nil, err
	}
	if !migration.IsZero() {
		log.Info("migrated the database", "took", time.Since(migration).Round(time.Millisecond))
	}
	var conns [2]*sql.Conn // one for the writer, one for checkpoints
	for i := range conns {
		if conns[i], err = db.Conn(context.Background()); err != nil {
			db.Close()
			return nil, fmt.Errorf("database %s: %w", path, err)
		}
	}
	st := &store{db: db, done: make(chan struct{}), onFailure: onFailure}
	st.wake.L = &st.mu
	go st.run(conns[0])
	st.checkpoints.Go(func() { st.checkpointAll(conns[1]) })
	return st, nil
}

// each calls a function with each row of a query.
func (st *store) each(query string, args []any, row func(*sql.Rows) error) error {
	return database.Each(context.Background(), st.db, query, args, row)
}

const (
	checkpointInterval = 2 * time.Second
	// maxLog is the size in pages of 4 KiB from which a log is cut to nothing.
	maxLog = 1024
	// maxCut is how long, in milliseconds, cutting the log waits for the writer, and the
	// writer for readers of the log.
	maxCut = 20
)

// checkpointAll makes checkpoints until the store is closed.
func (st *store) checkpointAll(c *sql.Conn) {
	defer c.Close()
	tick := time.NewTicker(checkpointInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			checkpoint(c)
		case <-st.done:
			return
		}
	}
}

// checkpoint copies the log into the database, beside the writer. A checkpoint by
// the writer would sync the disk while acknowledgements wait. A long log is cut
// right after nearly all of it was copied, so that the writer waits for the rest
// only. Whatever fails is made up by the next checkpoint, or by close.
func checkpoint(c *sql.Conn) {
	ctx := context.Background()
	var busy, log, copied int
	err := c.QueryRowContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`).Scan(&busy, &log, &copied)
	if err == nil && log > maxLog {
		_, _ = c.ExecContext(ctx, fmt.Sprintf(`PRAGMA busy_timeout = %d; PRAGMA wal_checkpoint(TRUNCATE)`, maxCut))
	}
}

// submit queues a transaction. Transactions are done in the order of the calls. Of
// one that comes after the end only the functions are called, which close late
// connections.
func (st *store) submit(tx transaction) {
	st.mu.Lock()
	stopped := st.stopped
	if !stopped {
		st.waiting = append(st.waiting, tx)
	}
	st.mu.Unlock()
	st.wake.Signal()
	if stopped {
		for _, f := range tx.after {
			f()
		}
	}
}

// close writes the queue and closes the database, whose file then has everything.
func (st *store) close() error {
	st.mu.Lock()
	st.closed = true
	st.mu.Unlock()
	st.wake.Signal()
	<-st.done
	st.checkpoints.Wait()
	// The last connection would do it, but another process may have one.
	_, err := st.db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`)
	return cmp.Or(st.err, errors.Join(err, st.db.Close()))
}

func (st *store) run(writer *sql.Conn) {
	defer close(st.done)
	defer writer.Close()
	statements := map[string]*sql.Stmt{}
	defer func() { // a statement that is left open keeps the log from being removed
		for _, s := range statements {
			s.Close()
		}
	}()
	for {
		st.mu.Lock()
		for len(st.waiting) == 0 && !st.closed {
			st.wake.Wait()
		}
		txs := st.waiting
		st.waiting = nil
		st.stopped = len(txs) == 0
		st.mu.Unlock()
		if len(txs) == 0 {
			return
		}
		if err := commit(writer, statements, txs); err != nil {
			st.err = fmt.Errorf("database: %w", err)
			st.onFailure(st.err)
			return
		}
		for _, tx := range txs {
			for _, d := range tx.out {
				d.to.enqueue(d.frame)
			}
			for _, f := range tx.after {
				f()
			}
		}
	}
}

// commit writes transactions in one transaction of the database.
func commit(c *sql.Conn, statements map[string]*sql.Stmt, txs []transaction) error {
	ctx, begun := context.Background(), false
	for _, tx := range txs {
		for _, w := range tx.writes {
			if !begun {
				if _, err := c.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
					return err
				}
				begun = true
			}
			stmt := statements[w.sql]
			if stmt == nil {
				var err error
				if stmt, err = c.PrepareContext(ctx, w.sql); err != nil {
					return err
				}
				statements[w.sql] = stmt
			}
			if _, err := stmt.ExecContext(ctx, w.args...); err != nil {
				return fmt.Errorf("%s: %w", w.sql, err)
			}
		}
	}
	if !begun {
		return nil
	}
	_, err := c.ExecContext(ctx, "COMMIT")
	return err
}
