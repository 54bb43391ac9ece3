package server

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"gamebots/hexproto/wire"
)

// schema is the schema of the database. Game, turn and seat are the key of a move,
// so the database too allows only one.
const schema = `
CREATE TABLE IF NOT EXISTS accounts (
	name TEXT PRIMARY KEY COLLATE NOCASE,
	token BLOB UNIQUE,
	bot INTEGER NOT NULL,
	rating REAL NOT NULL,
	games INTEGER NOT NULL,
	created INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS games (
	row INTEGER PRIMARY KEY AUTOINCREMENT,
	id TEXT NOT NULL UNIQUE,
	maker TEXT NOT NULL,
	tag TEXT NOT NULL,
	rules TEXT NOT NULL,
	options TEXT NOT NULL,
	first TEXT NOT NULL,
	second TEXT NOT NULL,
	main INTEGER NOT NULL,
	increment INTEGER NOT NULL,
	per_move INTEGER NOT NULL,
	rated INTEGER NOT NULL,
	started INTEGER NOT NULL,
	result TEXT,
	ended INTEGER,
	rating0 INTEGER NOT NULL,
	rating1 INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS games_running ON games (row) WHERE result IS NULL;
CREATE INDEX IF NOT EXISTS games_first ON games (first, row);
CREATE INDEX IF NOT EXISTS games_second ON games (second, row);
CREATE UNIQUE INDEX IF NOT EXISTS games_tag ON games (maker, tag) WHERE tag <> '';
CREATE TABLE IF NOT EXISTS moves (
	game INTEGER NOT NULL,
	turn INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	move TEXT NOT NULL,
	ms INTEGER NOT NULL,
	PRIMARY KEY (game, turn, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS chat (
	game INTEGER NOT NULL,
	sender TEXT NOT NULL,
	text TEXT NOT NULL,
	at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS chat_game ON chat (game);
PRAGMA user_version = 1;
`

// The statements of transactions.
const (
	addAccount   = `INSERT INTO accounts (name, token, bot, rating, games, created) VALUES (?, ?, ?, ?, 0, ?)`
	rateAccount  = `UPDATE accounts SET rating = ?, games = games + 1 WHERE name = ?`
	addGame      = `INSERT INTO games (row, id, maker, tag, rules, options, first, second, main, increment, per_move, rated, started, rating0, rating1) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`
	endGame      = `UPDATE games SET result = ?, ended = ?, rating0 = ?, rating1 = ? WHERE row = ?`
	addMove      = `INSERT INTO moves (game, turn, seat, move, ms) VALUES (?, ?, ?, ?, ?)`
	deleteMoves  = `DELETE FROM moves WHERE game = ? AND turn >= ?`
	addChat      = `INSERT INTO chat (game, sender, text, at) VALUES (?, ?, ?, ?)`
	writeOptions = `?_pragma=journal_mode(wal)&_pragma=synchronous(normal)&_pragma=busy_timeout(5000)&_pragma=wal_autocheckpoint(0)`
)

// transaction is the work that an operation under the lock leaves: rows to write, and
// messages to send once the rows are on disk.
type transaction struct {
	writes []write
	out    []delivery
	after  []func() // short, and without the server's lock
}

type write struct {
	sql  string
	args []any
}

type delivery struct {
	to    *conn
	frame []byte
}

func (tx *transaction) empty() bool { return len(tx.writes)+len(tx.out)+len(tx.after) == 0 }

// write adds a statement.
func (tx *transaction) write(sql string, args ...any) {
	tx.writes = append(tx.writes, write{sql, args})
}

// enqueue adds a frame for a connection.
func (tx *transaction) enqueue(c *conn, frame []byte) { tx.out = append(tx.out, delivery{c, frame}) }

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
// sends their messages. So whatever a client has heard is on disk. More exactly, it
// is with the operating system: a killed server loses nothing, a power failure may
// lose the last moments, because a commit does not sync the log.
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

// openStore opens a database. It calls onFailure once if the database can no longer
// be written.
func openStore(path string, onFailure func(error)) (*store, error) {
	db, err := sql.Open("sqlite", "file:"+path+writeOptions)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	writer, err := db.Conn(context.Background())
	if err == nil {
		_, err = writer.ExecContext(context.Background(), schema)
	}
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	st := &store{db: db, done: make(chan struct{}), onFailure: onFailure}
	st.wake.L = &st.mu
	go st.run(writer)
	st.checkpoints.Go(st.checkpoint)
	return st, nil
}

// checkpointInterval is the time between two checkpoints.
const checkpointInterval = 2 * time.Second

// checkpoint copies the log into the database, beside the writer. A checkpoint by
// the writer would sync the disk while acknowledgements wait.
func (st *store) checkpoint() {
	tick := time.NewTicker(checkpointInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			// A checkpoint that fails is made up by the next one, or by close.
			_, _ = st.db.Exec(`PRAGMA wal_checkpoint(PASSIVE)`)
		case <-st.done:
			return
		}
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

// close writes the queue and closes the database.
func (st *store) close() error {
	st.mu.Lock()
	st.closed = true
	st.mu.Unlock()
	st.wake.Signal()
	<-st.done
	st.checkpoints.Wait()
	if err := st.db.Close(); st.err == nil {
		st.err = err
	}
	return st.err
}

func (st *store) run(writer *sql.Conn) {
	defer close(st.done)
	defer writer.Close()
	statements := map[string]*sql.Stmt{}
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
