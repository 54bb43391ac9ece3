package server

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"gamebots/hexproto/server/database"
	"gamebots/hexproto/server/internal/limit"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"
)

// The statements of transactions.
const (
	addAccount = `INSERT INTO accounts (name, token, bot, rating, deviation, games, created)
		VALUES (?, ?, ?, ?, ?, 0, ?)`
	addGame = `INSERT INTO games
		(row, id, maker, tag, rules, options, kind, main, increment, per_move, rated, started, seed, whole)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?, (SELECT row FROM texts WHERE hash = ?))`
	addText     = `INSERT INTO texts (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING`
	addSeat     = `INSERT INTO seats (game, seat, name, rating) VALUES (?, ?, ?, ?)`
	leaveSeat   = `UPDATE seats SET gone = ? WHERE game = ? AND seat = ?`
	awaySeat    = `UPDATE seats SET away = ? WHERE game = ? AND seat = ?`
	endSeat     = `UPDATE seats SET rating = ?, change = ? WHERE game = ? AND seat = ?`
	endGame     = `UPDATE games SET result = ?, ended = ? WHERE row = ?`
	addMove     = `INSERT INTO moves (game, turn, seat, move, ms, at) VALUES (?, ?, ?, ?, ?, ?)`
	deleteMoves = `DELETE FROM moves WHERE game = ? AND turn >= ?`
	addChat     = `INSERT INTO chat (game, sender, text, at) VALUES (?, ?, ?, ?)`
)

// transaction is the work that an operation under the lock leaves: rows to write, and
// messages to send once the rows are on disk.
type transaction struct {
	*state // while the operation runs, then nil

	writes []write
	out    []delivery
	after  []func() // short, and without the server's lock

	payers   []limit.Payer // who pays for the rows, the answers and what is shown; may be nil
	answered int           // bytes of answers
	shown    int           // bytes for others, without those of the course of a game
	spared   float64       // bytes of rows that the database had already

	game   tableRef // the game that ends if the operation fails, or its rows are refused; may be nil
	failed func()   // answers who asked for the operation if its rows are refused; may be nil
}

type write struct {
	sql  string
	args []any
}

// bytes returns about how many bytes the rows of a write take in the database with their
// indices. Moves have none.
func (w *write) bytes() float64 {
	size := 64
	if w.sql == addMove {
		size = 16
	}
	for _, arg := range w.args {
		switch v := arg.(type) {
		case nil:
		case string:
			size += len(v)
		case []byte:
			size += len(v)
		default:
			size += 3 // a number
		}
	}
	return float64(size)
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
func (tx *transaction) send(c *conn, id uint64, m wire.Message) {
	f := encode(id, m)
	if id > 0 {
		tx.answered += len(f.text)
	}
	tx.enqueue(c, f)
}

// show adds a frame for a connection for which those pay who had it sent.
func (tx *transaction) show(c *conn, f *frame) {
	tx.shown += len(f.text)
	tx.enqueue(c, f)
}

// sendAll shows a message to all connections of an account.
func (tx *transaction) sendAll(a *account, m wire.Message) {
	if len(a.conns) == 0 {
		return
	}
	frame := encode(0, m)
	for c := range a.conns {
		tx.show(c, frame)
	}
}

// store writes transactions in their order, all that wait in one commit, and then
// sends their messages. So whatever a client has heard is on disk, or with
// [database.SyncNormal] at least with the operating system.
type store struct {
	db     *sql.DB // for reading, from any goroutine
	writer *writer
	path   string
	file   os.FileInfo // nil if the database has no file

	mu          sync.Mutex
	wake        sync.Cond
	waiting     []transaction
	closed      bool
	stopped     bool // nothing is written any more
	done        chan struct{}
	checkpoints sync.WaitGroup
	err         error // set before done is closed
	log         *slog.Logger
	onFailure   func(error)
	onRefused   func(tableRef, error)
	stored      *limit.Flow // bytes of rows, charged to those who pay for them
}

// openStore opens a database, and logs what it takes to migrate it. It calls onFailure
// once if the database can no longer be written, and onRefused with the game of a transaction
// whose rows it does not take.
func openStore(path string, sync database.Sync, stored *limit.Flow, log *slog.Logger, onFailure func(error),
	onRefused func(tableRef, error)) (*store, error) {
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
		if conns[i], err = db.Conn(context.Background()); err == nil {
			_, err = conns[i].ExecContext(context.Background(), fmt.Sprintf(`PRAGMA busy_timeout = %d`, maxBusy))
		}
		if err != nil {
			db.Close()
			return nil, fmt.Errorf("database %s: %w", path, err)
		}
	}
	st := &store{
		db: db, path: path, done: make(chan struct{}), log: log, onFailure: onFailure, onRefused: onRefused,
		stored: stored,
	}
	st.file, _ = os.Stat(path) // a browser has none
	st.wake.L, st.writer = &st.mu, &writer{conns[0], st, map[string]*sql.Stmt{}}
	go st.run()
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

// maxBusy is how long, in milliseconds, the writer waits for another program that has locked the
// database before the log says so. At the end of the server it waits for lastTries times as
// long. Tests shorten it.
var maxBusy = 1000

const lastTries = 5

// checkpointAll makes checkpoints until the store is closed.
func (st *store) checkpointAll(c *sql.Conn) {
	defer c.Close()
	for range parallel.Every(st.done, checkpointInterval) {
		checkpoint(c)
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
		return
	}
	bytes := 0.0
	for i := range tx.writes {
		bytes += tx.writes[i].bytes()
	}
	st.charge(&tx, bytes)
}

// flush waits until all that was submitted is written, and reports whether it was.
func (st *store) flush() bool {
	written := make(chan struct{})
	st.submit(transaction{after: []func(){func() { close(written) }}})
	select {
	case <-written:
		return true
	case <-st.done:
		return false
	}
}

// charge counts bytes to those who pay for a transaction.
func (st *store) charge(tx *transaction, bytes float64) {
	if bytes != 0 && len(tx.payers) > 0 {
		st.stored.Charge(clock(), bytes, tx.payers...)
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
	// The last connection would do it, but another process may have one. A new connection would open another file if
	// that has the name now, and write this one's log into it.
	_, err := st.writer.ExecContext(context.Background(), `PRAGMA wal_checkpoint(TRUNCATE)`)
	if moved := st.moved(); moved != nil {
		err = errors.Join(err, moved, st.rescue())
	}
	st.writer.close()
	return cmp.Or(st.err, errors.Join(err, st.db.Close()))
}

func (st *store) run() {
	defer close(st.done)
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
		if err := st.writer.write(txs); err != nil {
			st.err = fmt.Errorf("database: %w", err)
			st.onFailure(st.err)
			return
		}
	}
}

// writer is the connection of a store that writes.
type writer struct {
	*sql.Conn
	store      *store
	statements map[string]*sql.Stmt
}

func (w *writer) close() {
	for _, s := range w.statements { // one that is left open keeps the log from being removed
		s.Close()
	}
	w.Conn.Close()
}

// write commits transactions, and sends their messages. One whose rows the database does not
// take is refused by itself. After an error nothing more can be written.
func (w *writer) write(txs []transaction) error {
	err := w.commit(txs)
	switch {
	case err == nil:
		for _, tx := range txs {
			w.store.charge(&tx, -tx.spared)
			for _, d := range tx.out {
				d.to.enqueue(d.frame)
			}
			for _, f := range tx.after {
				f()
			}
		}
	case !errors.As(err, new(*rowError)):
		return err
	case len(txs) == 1:
		w.refuse(&txs[0], err)
	default:
		for i := range txs {
			if err := w.write(txs[i : i+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// refuse drops the rows and messages of a transaction.
func (w *writer) refuse(tx *transaction, err error) {
	if tx.failed != nil {
		tx.failed()
	}
	for _, f := range tx.after {
		f()
	}
	w.store.onRefused(tx.game, err)
}

// rowError is the error of a statement that the database refused, and that did not harm it.
type rowError struct {
	statement string
	err       error
}

func (e *rowError) Error() string { return fmt.Sprintf("%s: %v", e.statement, e.err) }
func (e *rowError) Unwrap() error { return e.err }

// commit writes transactions in one transaction of the database, or nothing after an error,
// which is a *rowError if a row is to blame.
func (w *writer) commit(txs []transaction) (err error) {
	ctx, begun := context.Background(), false
	defer func() {
		if err != nil && begun {
			_, _ = w.ExecContext(ctx, "ROLLBACK") // SQLite may have done it, as when the disk is full
		}
	}()
	for i := range txs {
		tx := &txs[i]
		tx.spared = 0
		for _, row := range tx.writes {
			if !begun {
				if err := w.begin(ctx); err != nil {
					return err
				}
				begun = true
			}
			stmt := w.statements[row.sql]
			if stmt == nil {
				if stmt, err = w.PrepareContext(ctx, row.sql); err != nil {
					return err
				}
				w.statements[row.sql] = stmt
			}
			done, err := stmt.ExecContext(ctx, row.args...)
			switch {
			case database.OfRow(err):
				return &rowError{row.sql, err}
			case err != nil:
				return fmt.Errorf("%s: %w", row.sql, err)
			}
			if rows, err := done.RowsAffected(); err == nil && rows == 0 {
				tx.spared += row.bytes()
			}
		}
	}
	if begun {
		_, err = w.ExecContext(ctx, "COMMIT")
	}
	return err
}

// begin begins a transaction of the database. It waits for another program that has locked it:
// what is played meanwhile is acknowledged later.
func (w *writer) begin(ctx context.Context) error {
	start := time.Now()
	for tries := 1; ; tries++ {
		_, err := w.ExecContext(ctx, "BEGIN IMMEDIATE")
		switch {
		case !database.Locked(err):
			if tries > 1 && err == nil {
				w.store.log.Info("the database is free again", "after", time.Since(start).Round(time.Second))
			}
			return err
		case tries >= lastTries && w.store.ends():
			return err
		case tries == 1:
			w.store.log.Warn("another program has locked the database; moves wait until it is free")
		}
	}
}

// ends reports whether the store is to be closed.
func (st *store) ends() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.closed
}
