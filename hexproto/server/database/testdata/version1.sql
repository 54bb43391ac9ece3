-- A database of version 1 of the schema: its tables, and rows in them.
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

INSERT INTO accounts (name, token, bot, rating, games, created) VALUES
	('Ada', x'00', 0, 1580, 3, 1700000000000),
	('bob', x'01', 1, 1450, 3, 1700000000001),
	('eve', x'02', 0, 1500, 0, 1700000000002),
	('random', NULL, 1, 1490, 1, 1700000000003);
INSERT INTO games (id, maker, tag, rules, options, first, second, main, increment, per_move, rated, started, result, ended, rating0, rating1) VALUES
	('ga', 'Ada', 's-0', 'havannah', '{"side":4}', 'Ada', 'bob', 60000, 0, 0, 1, 1700000001000, '{"winner":0,"score":[1,0],"how":"resign"}', 1700000002000, 1520, 1480),
	('gb', 'Ada', 's-1', 'havannah', '{"side":4}', 'bob', 'Ada', 60000, 0, 0, 1, 1700000003000, '{"winner":-1,"score":[0.5,0.5],"how":"agreement"}', 1700000004000, 1481, 1519),
	('gc', 'bob', '', 'nim', '{"heaps":[1,2],"misere":true,"max_take":0}', 'bob', 'Ada', 0, 0, 0, 0, 1700000005000, '{"winner":1,"score":[0,1],"how":"last"}', 1700000006000, 1481, 1519),
	('gd', 'bob', '', 'havannah', '{"side":4}', 'bob', 'Ada', 60000, 0, 0, 1, 1700000007000, '{"winner":-1,"score":[0,0],"how":"abort"}', 1700000008000, 1481, 1519),
	('ge', 'Ada', '', 'havannah', '{"side":4}', 'Ada', 'random', 60000, 0, 0, 1, 1700000009000, '{"winner":0,"score":[1,0],"how":"resign"}', 1700000010000, 1580, 1490),
	('gf', 'Ada', 's-2', 'havannah', '{"side":5}', 'Ada', 'bob', 0, 0, 0, 0, 1700000011000, NULL, NULL, 1580, 1450);
INSERT INTO moves (game, turn, seat, move, ms) VALUES (1, 0, 0, 'a1', 1000), (1, 1, 1, 'b2', 900), (6, 0, 0, 'c3', 500);
