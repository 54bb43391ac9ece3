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
SELECT name, g.kind, rating, deviation, 0.06, ifnull(max(ended), 0), iif(token IS NULL, 0, sum(rated)),
	sum(winner = seat), sum(winner = 1 - seat), sum(winner = -1)
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
CREATE INDEX games_first ON games (first, started, row, second, kind, rules, rated, winner, how)
	WHERE result IS NOT NULL;
CREATE INDEX games_second ON games (second, started, row, first, kind, rules, rated, winner, how)
	WHERE result IS NOT NULL;
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
CREATE INDEX games_first ON games (first, started, row, second, others, kind, rules, rated, winner, how)
	WHERE result IS NOT NULL;
CREATE INDEX games_second ON games (second, started, row, first, others, kind, rules, rated, winner, how)
	WHERE result IS NOT NULL;
CREATE INDEX games_others ON games (started, row, others, first, second, kind, rules, rated, winner, how)
	WHERE result IS NOT NULL AND others <> '';
`,
	// The seats of a game in a table of their own: the player's rating at the start of the
	// game, or at its end once it is over, how much it changed, if it is known, and as which
	// of the seats that have left a game the seat did so. Before, columns of games had them.
	//
	// Played has what searches for the finished games of an account select by, so that they
	// read one range of one table: no index can have columns of two. An account in several
	// seats has the outcome of the first. Others are the names of the other seats in lower
	// case, each between blanks.
	`
CREATE TABLE seats (
	game INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	name TEXT NOT NULL,
	rating INTEGER NOT NULL,
	change INTEGER,
	gone INTEGER,
	PRIMARY KEY (game, seat)
) WITHOUT ROWID;
INSERT INTO seats (game, seat, name, rating, change)
SELECT row, 0, first, rating0, change0 FROM games
UNION ALL SELECT row, 1, second, rating1, change1 FROM games
UNION ALL SELECT row, 2 + key, value, 0, NULL FROM games, json_each('["' || replace(others, ' ', '","') || '"]')
	WHERE others <> ''
ORDER BY 1, 2;
UPDATE seats SET gone = left.key + 1 FROM games, json_each(iif(games.gone = '', '[]', games.gone)) AS left
	WHERE game = row AND seat = left.value;
ALTER TABLE games RENAME TO old;
CREATE TABLE games (
	row INTEGER PRIMARY KEY AUTOINCREMENT,
	id TEXT NOT NULL UNIQUE,
	maker TEXT NOT NULL,
	tag TEXT NOT NULL,
	rules TEXT NOT NULL,
	options TEXT NOT NULL,
	kind TEXT NOT NULL,
	main INTEGER NOT NULL,
	increment INTEGER NOT NULL,
	per_move INTEGER NOT NULL,
	rated INTEGER NOT NULL,
	started INTEGER NOT NULL,
	seed BLOB,
	result TEXT,
	ended INTEGER,
	winner INTEGER AS (iif(json_valid(result), result ->> '$.winner', NULL)) VIRTUAL,
	how TEXT AS (iif(json_valid(result), result ->> '$.how', NULL)) VIRTUAL
);
INSERT INTO games
	(row, id, maker, tag, rules, options, kind, main, increment, per_move, rated, started, seed, result, ended)
SELECT row, id, maker, tag, rules, options, kind, main, increment, per_move, rated, started, seed, result, ended
FROM old ORDER BY row;
DROP TABLE old;
CREATE INDEX games_running ON games (row) WHERE result IS NULL;
CREATE UNIQUE INDEX games_tag ON games (maker, tag) WHERE tag <> '';
CREATE INDEX games_started ON games (started, row, kind, rules, rated, winner, how) WHERE result IS NOT NULL;
CREATE INDEX games_kind ON games (kind, started);
CREATE INDEX games_series ON games (tag, started) WHERE tag <> '';
CREATE TABLE played (
	account TEXT NOT NULL COLLATE NOCASE,
	started INTEGER NOT NULL,
	game INTEGER NOT NULL,
	outcome TEXT NOT NULL,
	how TEXT,
	kind TEXT NOT NULL,
	rules TEXT NOT NULL,
	rated INTEGER NOT NULL,
	others TEXT NOT NULL,
	PRIMARY KEY (account, started, game)
) WITHOUT ROWID;
CREATE VIEW outcomes AS
SELECT name AS account, started, game, CASE
	WHEN how = 'abort' THEN 'aborted'
	WHEN winner = seat THEN 'won'
	WHEN winner < 0 THEN 'drawn'
	ELSE 'lost'
END AS outcome, how, kind, rules, rated,
	(SELECT ' ' || group_concat(lower(name), ' ') || ' ' FROM seats AS other
		WHERE other.game = row AND other.seat <> s.seat) AS others
FROM games JOIN seats AS s ON game = row
WHERE result IS NOT NULL AND NOT EXISTS (SELECT * FROM seats AS before
	WHERE before.game = row AND before.seat < s.seat AND before.name = s.name);
INSERT INTO played SELECT * FROM outcomes ORDER BY account, started, game;
CREATE TRIGGER games_end AFTER UPDATE OF result ON games BEGIN
	INSERT OR REPLACE INTO played SELECT * FROM outcomes WHERE game = NEW.row;
END;
`,
	// An account in several seats has the outcome of the best, and one that has left a drawn
	// game has lost it. Before, the first seat counted, and leaving did not.
	`
DROP VIEW outcomes;
CREATE VIEW outcomes AS
SELECT name AS account, started, game, CASE
	WHEN how = 'abort' THEN 'aborted'
	WHEN EXISTS (SELECT * FROM seats AS own WHERE own.game = row AND own.name = s.name AND own.seat = winner)
		THEN 'won'
	WHEN winner < 0 AND EXISTS (SELECT * FROM seats AS own
		WHERE own.game = row AND own.name = s.name AND own.gone IS NULL) THEN 'drawn'
	ELSE 'lost'
END AS outcome, how, kind, rules, rated,
	(SELECT ' ' || group_concat(lower(name), ' ') || ' ' FROM seats AS other
		WHERE other.game = row AND other.seat <> s.seat) AS others
FROM games JOIN seats AS s ON game = row
WHERE result IS NOT NULL AND NOT EXISTS (SELECT * FROM seats AS before
	WHERE before.game = row AND before.seat < s.seat AND before.name = s.name);
INSERT OR REPLACE INTO played SELECT * FROM outcomes WHERE game IN (SELECT game FROM seats WHERE seat = 2);
`,
	// Long options, which have the text of a game in them, are stored once for all games that
	// have them. Options are then cut, as lists show them, and whole is the row of the text.
	// Games of older versions keep their options.
	`
CREATE TABLE texts (
	row INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE,
	text TEXT NOT NULL
);
ALTER TABLE games ADD COLUMN whole INTEGER;
`,
	// Whose chat an account does not read, and whom it blocks.
	`
CREATE TABLE ignored (
	account TEXT NOT NULL COLLATE NOCASE,
	other TEXT NOT NULL COLLATE NOCASE,
	block INTEGER NOT NULL,
	PRIMARY KEY (account, other)
) WITHOUT ROWID;
`,
	// What the host asks of the server, and who is banned. Until is 0 for a ban without an end.
	`
CREATE TABLE orders (
	row INTEGER PRIMARY KEY AUTOINCREMENT,
	kind TEXT NOT NULL,
	target TEXT NOT NULL,
	argument TEXT NOT NULL
);
CREATE TABLE bans (
	target TEXT PRIMARY KEY COLLATE NOCASE,
	chat INTEGER NOT NULL,
	until INTEGER NOT NULL,
	reason TEXT NOT NULL,
	made INTEGER NOT NULL
) WITHOUT ROWID;
`,
	// For how many hands of poker in a row the player of a seat has been away.
	`
ALTER TABLE seats ADD COLUMN away INTEGER NOT NULL DEFAULT 0;
`,
}

// ErrNewer is wrapped by the error of a database that a later version of the program has
// written.
var ErrNewer = errors.New("it was written by a later version of gamebots")

// ErrOlderServer is the error of a program beside a server of an older version, whose
// database stays as it is.
var ErrOlderServer = errors.New("a server of an older version of gamebots uses it: end or upgrade that server first")

// migrate brings the database at a path to the last version of the schema, all steps in
// one transaction. Of an older one a copy is left beside it. Unless the caller has the
// lock of the database, an older one has to be free.
func migrate(ctx context.Context, c *sql.Conn, path string, locked bool,
	migrating func(version, last int)) (err error) {
	old, err := schemaVersion(ctx, c)
	if err != nil || old == len(migrations) {
		return err
	}
	if old > 0 && !locked {
		lock, err := Lock(path)
		if errors.Is(err, ErrInUse) {
			return ErrOlderServer
		} else if err != nil {
			return err
		}
		defer lock.Close()
	}
	if _, err := c.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_, _ = c.ExecContext(ctx, "ROLLBACK") // SQLite may have done it, as when the disk is full
		}
	}()
	if old, err = schemaVersion(ctx, c); err != nil { // again: another process may have been faster
		return err
	}
	if old > 0 && old < len(migrations) {
		if err := Backup(ctx, path, fmt.Sprintf("%s-version%d", path, old), true); err != nil {
			return err
		}
	}
	for version := old; version < len(migrations); version++ {
		if old > 0 && migrating != nil {
			migrating(version+1, len(migrations))
		}
		if _, err := c.ExecContext(ctx, migrations[version]); err != nil {
			return fmt.Errorf("from version %d of its schema: %w", version, err)
		}
	}
	_, err = c.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d; COMMIT", len(migrations)))
	return err
}

// schemaVersion returns the version of a database, 0 for an empty one, or ErrNewer. Version 0.1.0 of
// the program sets it to 1 whenever it opens a database of the first six versions.
func schemaVersion(ctx context.Context, c *sql.Conn) (version int, err error) {
	err = c.QueryRowContext(ctx, `SELECT max(user_version,
		2 * EXISTS (SELECT * FROM sqlite_schema WHERE name = 'ratings'),
		3 * EXISTS (SELECT * FROM pragma_table_info('moves') WHERE name = 'at'),
		4 * EXISTS (SELECT * FROM sqlite_schema WHERE name = 'analyses'),
		5 * EXISTS (SELECT * FROM pragma_table_info('games') WHERE name = 'seed'),
		6 * EXISTS (SELECT * FROM pragma_table_info('games') WHERE name = 'gone'),
		7 * EXISTS (SELECT * FROM sqlite_schema WHERE name = 'seats'),
		9 * EXISTS (SELECT * FROM sqlite_schema WHERE name = 'texts'),
		10 * EXISTS (SELECT * FROM sqlite_schema WHERE name = 'ignored'),
		11 * EXISTS (SELECT * FROM sqlite_schema WHERE name = 'orders'),
		12 * EXISTS (SELECT * FROM pragma_table_info('seats') WHERE name = 'away'))
		FROM pragma_user_version`).Scan(&version)
	if version > len(migrations) {
		err = ErrNewer
	}
	return version, err
}
