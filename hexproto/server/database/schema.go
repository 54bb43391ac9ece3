package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// migrations are the versions of the schema. Each brings a database of the version
// before it to its own; the first makes a new database. They are never changed, only
// added to.
//
// Game, turn and seat are the key of a move, so the database too allows only one.
var migrations = []string{
	`CREATE TABLE accounts (
	name TEXT PRIMARY KEY COLLATE NOCASE,
	token BLOB UNIQUE,
	bot INTEGER NOT NULL,
	rating REAL NOT NULL,
	games INTEGER NOT NULL,
	created INTEGER NOT NULL
);
CREATE TABLE games (
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
CREATE INDEX games_running ON games (row) WHERE result IS NULL;
CREATE INDEX games_first ON games (first, row);
CREATE INDEX games_second ON games (second, row);
CREATE UNIQUE INDEX games_tag ON games (maker, tag) WHERE tag <> '';
CREATE TABLE moves (
	game INTEGER NOT NULL,
	turn INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	move TEXT NOT NULL,
	ms INTEGER NOT NULL,
	PRIMARY KEY (game, turn, seat)
) WITHOUT ROWID;
CREATE TABLE chat (
	game INTEGER NOT NULL,
	sender TEXT NOT NULL,
	text TEXT NOT NULL,
	at INTEGER NOT NULL
);
CREATE INDEX chat_game ON chat (game);
`,
	// Ratings by kind of game. The one rating of an account becomes its first in every
	// kind, with a wide deviation, because it mixed all kinds; those of the server's bots,
	// which have no tokens, were never measured. accounts.games is no longer used.
	`
ALTER TABLE accounts ADD COLUMN deviation REAL NOT NULL DEFAULT 350;
UPDATE accounts SET deviation = 250 WHERE games > 0;
ALTER TABLE games ADD COLUMN kind TEXT NOT NULL DEFAULT '';
UPDATE games SET kind = iif(rules = 'havannah' AND json_valid(options), 'havannah-' || (options ->> '$.side'), rules);
ALTER TABLE games ADD COLUMN change0 INTEGER;
ALTER TABLE games ADD COLUMN change1 INTEGER;
ALTER TABLE games ADD COLUMN winner INTEGER AS (iif(json_valid(result), result ->> '$.winner', NULL)) VIRTUAL;
ALTER TABLE games ADD COLUMN how TEXT AS (iif(json_valid(result), result ->> '$.how', NULL)) VIRTUAL;
DROP INDEX games_first;
DROP INDEX games_second;
CREATE INDEX games_started ON games (started);
CREATE INDEX games_first ON games (first, started);
CREATE INDEX games_second ON games (second, started);
CREATE INDEX games_kind ON games (kind, started);
CREATE INDEX games_series ON games (tag, started) WHERE tag <> '';
CREATE TABLE IF NOT EXISTS token_changes (
	row INTEGER PRIMARY KEY AUTOINCREMENT,
	name TEXT NOT NULL
);
CREATE TABLE ratings (
	account TEXT NOT NULL COLLATE NOCASE,
	kind TEXT NOT NULL,
	rating REAL NOT NULL,
	deviation REAL NOT NULL,
	volatility REAL NOT NULL,
	at INTEGER NOT NULL,
	rated INTEGER NOT NULL,
	won INTEGER NOT NULL,
	lost INTEGER NOT NULL,
	drawn INTEGER NOT NULL,
	PRIMARY KEY (account, kind)
) WITHOUT ROWID;
CREATE TABLE rating_history (
	account TEXT NOT NULL COLLATE NOCASE,
	kind TEXT NOT NULL,
	day INTEGER NOT NULL,
	rating REAL NOT NULL,
	deviation REAL NOT NULL,
	PRIMARY KEY (account, kind, day)
) WITHOUT ROWID;
INSERT INTO ratings
SELECT name, g.kind, rating, deviation, 0.06, ifnull(max(ended), 0), iif(token IS NULL, 0, sum(rated)), sum(winner = seat), sum(winner = 1 - seat), sum(winner = -1)
FROM accounts JOIN (
	SELECT first AS player, 0 AS seat, kind, ended, rated, winner FROM games WHERE how <> 'abort'
	UNION ALL
	SELECT second, 1, kind, ended, rated, winner FROM games WHERE how <> 'abort'
) AS g ON name = player
GROUP BY name, g.kind;
`,
	// The times of moves in Unix milliseconds, 0 where they were not stored. Running
	// games count as moved just now.
	`
ALTER TABLE moves ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
UPDATE moves SET at = unixepoch() * 1000 WHERE game IN (SELECT row FROM games WHERE result IS NULL);
`,
	// The indices of finished games have the columns that searches select by, so that what
	// is rare is found without reading the other games. An analysis of a finished game is
	// a part of the stream of all of them; its key is the byte at which it ends.
	`
DROP INDEX games_started;
DROP INDEX games_first;
DROP INDEX games_second;
CREATE INDEX games_started ON games (started, row, kind, rules, rated, winner, how) WHERE result IS NOT NULL;
CREATE INDEX games_first ON games (first, started, row, second, kind, rules, rated, winner, how) WHERE result IS NOT NULL;
CREATE INDEX games_second ON games (second, started, row, first, kind, rules, rated, winner, how) WHERE result IS NOT NULL;
CREATE TABLE analyses (
	ends INTEGER PRIMARY KEY,
	game TEXT NOT NULL,
	turn INTEGER NOT NULL,
	method TEXT NOT NULL,
	moves TEXT NOT NULL,
	UNIQUE (game, turn, method)
);
`,
	// Games of more than two seats, and games with chance. Others are the names of the
	// seats from the third on, divided by blanks. Nobody gets to see a seed.
	`
ALTER TABLE games ADD COLUMN others TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN seed BLOB;
`,
	// The seats that have left a game which goes on, as a list in JSON, or nothing. The
	// indices of players have the seats from the third on, and finished games with such seats
	// have an index of their own.
	`
ALTER TABLE games ADD COLUMN gone TEXT NOT NULL DEFAULT '';
DROP INDEX games_first;
DROP INDEX games_second;
CREATE INDEX games_first ON games (first, started, row, second, others, kind, rules, rated, winner, how) WHERE result IS NOT NULL;
CREATE INDEX games_second ON games (second, started, row, first, others, kind, rules, rated, winner, how) WHERE result IS NOT NULL;
CREATE INDEX games_others ON games (started, row, others, first, second, kind, rules, rated, winner, how) WHERE result IS NOT NULL AND others <> '';
`,
}

// ErrNewer is wrapped by the error of a database that a later version of the program has
// written.
var ErrNewer = errors.New("it was written by a later version of gamebots")

// migrate brings a database to the last version of the schema, each step in a
// transaction of its own.
func migrate(ctx context.Context, c *sql.Conn, migrating func(version, last int)) error {
	isNew := false
	for {
		version, err := schemaVersion(ctx, c)
		switch {
		case err != nil:
			return err
		case version > len(migrations):
			return ErrNewer
		case version == len(migrations):
			return nil
		case version == 0:
			isNew = true
		case !isNew && migrating != nil:
			migrating(version+1, len(migrations))
		}
		if err := migrateFrom(ctx, c, version); err != nil {
			return fmt.Errorf("from version %d of its schema: %w", version, err)
		}
	}
}

// migrateFrom brings a database to the version after an old one, unless another process
// has done so.
func migrateFrom(ctx context.Context, c *sql.Conn, old int) (err error) {
	if _, err := c.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if version, e := schemaVersion(ctx, c); e != nil || version != old {
		_, err = c.ExecContext(ctx, "ROLLBACK")
		return errors.Join(e, err)
	}
	if _, err = c.ExecContext(ctx, migrations[old]+fmt.Sprintf("PRAGMA user_version = %d; COMMIT", old+1)); err != nil {
		_, e := c.ExecContext(ctx, "ROLLBACK")
		err = errors.Join(err, e)
	}
	return err
}

// schemaVersion returns the version of a database, 0 for an empty one. Version 0.1.0 of
// the program sets it to 1 whenever it opens a database, even a later one.
func schemaVersion(ctx context.Context, c *sql.Conn) (version int, err error) {
	err = c.QueryRowContext(ctx, `SELECT max(user_version, 2 * EXISTS (SELECT * FROM sqlite_schema WHERE name = 'ratings'),
		3 * EXISTS (SELECT * FROM pragma_table_info('moves') WHERE name = 'at'), 4 * EXISTS (SELECT * FROM sqlite_schema WHERE name = 'analyses'),
		5 * EXISTS (SELECT * FROM pragma_table_info('games') WHERE name = 'seed'), 6 * EXISTS (SELECT * FROM pragma_table_info('games') WHERE name = 'gone'))
		FROM pragma_user_version`).Scan(&version)
	return version, err
}
