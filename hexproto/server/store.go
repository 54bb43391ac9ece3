package server

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// schema is the database. A move's key is its game, turn and seat: the database
// too holds that there is one.
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

// The writes.
const (
	addAccount   = `INSERT INTO accounts (name, token, bot, rating, games, created) VALUES (?, ?, ?, ?, 0, ?)`
	rateAccount  = `UPDATE accounts SET rating = ?, games = games + 1 WHERE name = ?`
	addGame      = `INSERT INTO games (row, id, maker, tag, rules, options, first, second, main, increment, per_move, rated, started, rating0, rating1) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`
	endGame      = `UPDATE games SET result = ?, ended = ?, rating0 = ?, rating1 = ? WHERE row = ?`
	addMove      = `INSERT INTO moves (game, turn, seat, move, ms) VALUES (?, ?, ?, ?, ?)`
	takeMoves    = `DELETE FROM moves WHERE game = ? AND turn >= ?`
	addChat      = `INSERT INTO chat (game, sender, text, at) VALUES (?, ?, ?, ?)`
	writeOptions = `?_pragma=journal_mode(wal)&_pragma=synchronous(normal)&_pragma=busy_timeout(5000)&_pragma=wal_autocheckpoint(0)`
)

// step is something that was done: what is to be written down for it, and who
// is to be told once that is on disk.
type step struct {
	writes []write
	out    []delivery
	after  []func() // short, without locks of the server
}

type write struct {
	sql  string
	args []any
}

type delivery struct {
	to    *conn
	frame []byte
}

func (s *step) write(sql string, args ...any) { s.writes = append(s.writes, write{sql, args}) }

// store writes steps down in their order, all that wait in one transaction, and
// then tells. So what anybody was told is on disk. (In the system's hands, to be
// exact: a kill of the server loses nothing, a failure of power may lose the last
// moments, because the log is not synced with each transaction.)
type store struct {
	db *sql.DB // for reading, from any goroutine

	mu          sync.Mutex
	wake        sync.Cond
	waiting     []step
	closed      bool
	over        bool // nothing is written any more
	done        chan struct{}
	checkpoints sync.WaitGroup
	err         error // set before done is closed
	fail        func(error)
}

// openStore opens a database. Fail is called once if it can no longer be written to.
func openStore(path string, fail func(error)) (*store, error) {
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
	st := &store{db: db, done: make(chan struct{}), fail: fail}
	st.wake.L = &st.mu
	go st.run(writer)
	st.checkpoints.Go(st.checkpoint)
	return st, nil
}

// checkpointEvery is how often the log is copied into the database.
const checkpointEvery = 2 * time.Second

// checkpoint copies the log into the database beside the writer, which would
// otherwise stop for it, and with it all who wait for an acknowledgement: the
// disk is synced there.
func (st *store) checkpoint() {
	tick := time.NewTicker(checkpointEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			// What fails now is done by the next one, or by closing.
			_, _ = st.db.Exec(`PRAGMA wal_checkpoint(PASSIVE)`)
		case <-st.done:
			return
		}
	}
}

// do hands a step over. Steps are done in the order of the calls. Of one that comes
// after the end only what has to be done anyhow is done: connections that came late
// are closed.
func (st *store) do(s step) {
	st.mu.Lock()
	over := st.over
	if !over {
		st.waiting = append(st.waiting, s)
	}
	st.mu.Unlock()
	st.wake.Signal()
	if over {
		for _, f := range s.after {
			f()
		}
	}
}

// close writes what waits and closes the database.
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
		steps := st.waiting
		st.waiting = nil
		st.over = len(steps) == 0
		st.mu.Unlock()
		if len(steps) == 0 {
			return
		}
		if err := commit(writer, statements, steps); err != nil {
			st.err = fmt.Errorf("database: %w", err)
			st.fail(st.err)
			return
		}
		for _, s := range steps {
			for _, d := range s.out {
				d.to.enqueue(d.frame)
			}
			for _, f := range s.after {
				f()
			}
		}
	}
}

// commit writes steps in one transaction.
func commit(c *sql.Conn, statements map[string]*sql.Stmt, steps []step) error {
	ctx, begun := context.Background(), false
	for _, s := range steps {
		for _, w := range s.writes {
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
