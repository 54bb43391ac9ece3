package database

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// version6 makes a database of version 6 of the schema, in which games have columns for
// their first two seats, and a text for the others.
func version6(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(wal)")
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range migrations[:6] {
		run(t, db, version)
	}
	run(t, db, `PRAGMA user_version = 6`)
	run(t, db, `INSERT INTO accounts (name, token, bot, rating, games, created) VALUES
		('Ada', x'00', 0, 1500, 0, 0), ('bob', x'01', 0, 1500, 0, 0), ('eve', x'02', 0, 1500, 0, 0),
		('bot', NULL, 1, 1500, 0, 0)`)
	run(t, db, `INSERT INTO games (row, id, maker, tag, rules, options, kind, first, second, others,
		main, increment, per_move, rated, started, result, ended, rating0, rating1, change0, change1, seed, gone) VALUES
		(3, 'rated', 'Ada', 't-1', 'nim', '{"heaps":[1]}', 'nim', 'bob', 'Ada', '', 1, 2, 3, 1, 100,
			'{"winner":1,"score":[0,1],"how":"last"}', 150, 1400, 1600, -99, 98, NULL, ''),
		(5, 'table', 'eve', '', 'poker', '{}', 'poker', 'bot', 'eve', 'bot Ada bot', 0, 0, 0, 0, 200,
			'{"winner":3,"score":[0,0,0,0,0],"how":"chips"}', 250, 1500, 1501, NULL, NULL, x'07', '[3,1]'),
		(6, 'running', 'Ada', '', 'poker', '{}', 'poker', 'Ada', 'bob', 'eve', 0, 0, 0, 0, 300,
			NULL, NULL, 1600, 1400, NULL, NULL, x'08', '[2]'),
		(7, 'aborted', 'Ada', '', 'nim', 'broken', 'nim', 'Ada', 'eve', '', 0, 0, 0, 1, 90,
			'{"winner":-1,"score":[0,0],"how":"abort"}', 400, 1600, 1501, NULL, NULL, NULL, '')`)
	run(t, db, `INSERT INTO moves (game, turn, seat, move, ms, at) VALUES (6, 0, 0, 'c', 10, 301)`)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// rows returns the rows of a query, a text each with values between bars.
func rows(t *testing.T, db *sql.DB, columns, rest string) []string {
	t.Helper()
	result, err := db.Query(`SELECT concat_ws('|', ` + columns + `) ` + rest)
	if err != nil {
		t.Fatal(err)
	}
	defer result.Close()
	var all []string
	for result.Next() {
		var text string
		if err := result.Scan(&text); err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	if err := result.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// The seats of an older database move into a table of their own, and what players have
// played into one for searches. The older file stays as a copy.
func TestSeatsOfOlderVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	version6(t, path)
	db := open(t, path)
	for _, c := range []struct {
		columns, rest string
		want          []string
	}{
		{`game, seat, name, rating, ifnull(change, '-'), ifnull(gone, '-')`, `FROM seats ORDER BY game, seat`, []string{
			"3|0|bob|1400|-99|-", "3|1|Ada|1600|98|-",
			"5|0|bot|1500|-|-", "5|1|eve|1501|-|2", "5|2|bot|0|-|-", "5|3|Ada|0|-|1", "5|4|bot|0|-|-",
			"6|0|Ada|1600|-|-", "6|1|bob|1400|-|-", "6|2|eve|0|-|1",
			"7|0|Ada|1600|-|-", "7|1|eve|1501|-|-",
		}},
		{`account, started, game, outcome, how, kind, rules, rated, others`, `FROM played ORDER BY account, started`,
			[]string{
				"Ada|90|7|aborted|abort|nim|nim|1| eve ", "Ada|100|3|won|last|nim|nim|1| bob ",
				"Ada|200|5|won|chips|poker|poker|0| bot eve bot bot ",
				"bob|100|3|lost|last|nim|nim|1| ada ", "bot|200|5|lost|chips|poker|poker|0| eve bot ada bot ",
				"eve|90|7|aborted|abort|nim|nim|1| ada ", "eve|200|5|lost|chips|poker|poker|0| bot bot ada bot ",
			}},
		{`row, id, maker, tag, options, main, increment, per_move, rated, ifnull(winner, '-'), ifnull(hex(seed), '-')`,
			`FROM games ORDER BY row`, []string{
				`3|rated|Ada|t-1|{"heaps":[1]}|1|2|3|1|1|`, "5|table|eve||{}|0|0|0|0|3|07",
				"6|running|Ada||{}|0|0|0|0|-|08", "7|aborted|Ada||broken|0|0|0|1|-1|",
			}},
		{`game, turn, move`, `FROM moves`, []string{"6|0|c"}},
	} {
		if got := rows(t, db, c.columns, c.rest); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.columns, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
	run(t, db, `INSERT INTO games (id, maker, tag, rules, options, kind, main, increment, per_move, rated, started) `+
		`VALUES ('new', '', '', '', '', '', 0, 0, 0, 0, 500)`)
	run(t, db, `UPDATE games SET result = '{"winner":2,"how":"chips"}' WHERE row = 6`)
	if got, want := rows(t, db, `game, account, outcome`,
		`FROM played WHERE game IN (6, 8) ORDER BY account`),
		[]string{"6|Ada|lost", "6|bob|lost", "6|eve|won"}; !slices.Equal(got, want) {
		t.Errorf("a game that ends after the migration: %v, want %v", got, want)
	}

	// Programs of older versions refuse it: by its version, or, as the first, by an error.
	first, err := os.ReadFile("testdata/version1.sql")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(string(first)); err == nil {
		t.Error("the first version takes up the database")
	}
	if got := rows(t, db, `user_version`, `FROM pragma_user_version`); !slices.Equal(got,
		[]string{fmt.Sprint(len(migrations))}) {
		t.Errorf("its version is %v", got)
	}

	old, err := sql.Open("sqlite", path+"-version6")
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if got := rows(t, old, `user_version, first, second, others, gone`,
		`FROM games, pragma_user_version WHERE id = 'table'`); !slices.Equal(got,
		[]string{"6|bot|eve|bot Ada bot|[3,1]"}) {
		t.Errorf("the copy has %v", got)
	}
}

// An account has the best outcome of its seats, and a draw only if it has not left, also in the
// games that a database of an older version has.
func TestOutcomes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range migrations[:7] {
		run(t, db, version)
	}
	run(t, db, `PRAGMA user_version = 7`)
	add := func(db *sql.DB, row, winner int, seats string) {
		run(t, db, `INSERT INTO games (row, id, maker, tag, rules, options, kind, main, increment, per_move, rated, started)
			VALUES (?1, ?1, '', '', '', '', '', 0, 0, 0, 0, 0)`, row)
		run(t, db, fmt.Sprintf(`INSERT INTO seats (game, seat, name, gone, rating) SELECT %d, column1, column2, column3, 0
			FROM (VALUES %s)`, row, seats))
		run(t, db, `UPDATE games SET result = json_object('winner', ?, 'how', 'chips') WHERE row = ?`, winner, row)
	}
	games := func(db *sql.DB, first int) {
		add(db, first, 2, `(0, 'ada', NULL), (1, 'bot', NULL), (2, 'bot', NULL)`)
		add(db, first+1, -1, `(0, 'ada', 1), (1, 'bot', NULL), (2, 'bot', 2)`)
		add(db, first+2, 0, `(0, 'ada', NULL), (1, 'bot', 1), (2, 'bot', NULL)`)
	}
	games(db, 1)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open(t, path)
	games(db, 4)
	want := []string{
		"1|ada|lost", "1|bot|won", "2|ada|lost", "2|bot|drawn", "3|ada|won", "3|bot|lost",
		"4|ada|lost", "4|bot|won", "5|ada|lost", "5|bot|drawn", "6|ada|won", "6|bot|lost",
	}
	if got := rows(t, db, `game, account, outcome`, `FROM played ORDER BY game, account`); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Games keep the long options that an older version has stored.
func TestOptionsOfOlderVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	version6(t, path)
	old, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	long := `{"game":"` + strings.Repeat("1 ", 500) + `"}`
	run(t, old, `UPDATE games SET options = ?`, long)
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	if got := rows(t, open(t, path), `options, ifnull(whole, '-'), (SELECT count(*) FROM texts)`,
		`FROM games WHERE id = 'rated'`); !slices.Equal(got, []string{long + "|-|0"}) {
		t.Errorf("%v", got)
	}
}

// A migration that fails leaves the database as it was.
func TestMigrationThatFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	version6(t, path)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	run(t, db, `UPDATE games SET gone = '[' WHERE id = 'table'`)
	if _, err := Open(path, SyncNormal, nil); err == nil ||
		!strings.Contains(err.Error(), "from version 6 of its schema") {
		t.Errorf("error %v", err)
	}
	if got := rows(t, db, `user_version, gone`,
		`FROM games, pragma_user_version WHERE id = 'table'`); !slices.Equal(got, []string{"6|["}) {
		t.Errorf("afterwards it has %v", got)
	}
	run(t, db, `UPDATE games SET gone = '' WHERE id = 'table'`)
	open(t, path)
}

// A program does not migrate the database of a server that runs, which would fail.
func TestOlderServer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	version6(t, path)
	lock, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Accounts(t.Context(), path); !errors.Is(err, ErrOlderServer) {
		t.Errorf("beside a server: error %v", err)
	}
	if err := Backup(t.Context(), path, path+"-copy", false); err != nil {
		t.Errorf("a backup needs no migration: %v", err)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	accounts, err := Accounts(t.Context(), path)
	if err != nil || len(accounts) != 4 || accounts[0].Games != 4 || accounts[1].Name != "bob" ||
		accounts[1].Games != 2 {
		t.Errorf("%v, %v", accounts, err)
	}
}
