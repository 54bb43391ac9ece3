package database

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

// Every usual query walks an index in the order of the list: it sorts nothing but two
// lists of at most its limit, and never reads all games.
func TestIndices(t *testing.T) {
	db, err := Open(filepath.Join(t.TempDir(), "games.db"), SyncNormal, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for parameters, want := range map[string][]string{
		"":                            {"games_started"},
		"since=2026-01-01":            {"games_started (started>?)"},
		"player=ada":                  {"played USING PRIMARY KEY (account=?)"},
		"player=ada&opponent=bob":     {"played USING PRIMARY KEY (account=?)"},
		"player=ada&until=2026-01-01": {"played USING PRIMARY KEY (account=? AND started<?)"},
		"kind=havannah-8":             {"games_kind (kind=?)"},
		"player=ada&kind=havannah-8":  {"played USING PRIMARY KEY (account=?)"},
		"tag=x":                       {"games_series (tag=?)"},
		"tag=x&kind=havannah-8":       {"games_series (tag=?)"},
		"series=night":                {"games_series (tag>? AND tag<?)"},
		"player=ada&series=night": {"games_series (tag>? AND tag<?)",
			"played USING PRIMARY KEY (account=? AND started=? AND game=?)"},
		"player=ada&tag=night-1&rated=true": {"games_series (tag=?)",
			"played USING PRIMARY KEY (account=? AND started=? AND game=?)"},
	} {
		values, err := url.ParseQuery(parameters)
		if err != nil {
			t.Fatal(err)
		}
		q, err := ParseQuery(values)
		if err != nil {
			t.Fatal(err)
		}
		const newest = ` ORDER BY started DESC, row DESC LIMIT ?`
		text, args := q.statement(`started, row`, newest, q.limit)
		all := plan(t, db, text, args)
		for _, index := range want {
			if !strings.Contains(all, index) {
				t.Errorf("%s does not use %s:\n%s", parameters, index, all)
			}
		}
		if strings.Contains(all, "TEMP B-TREE") && !strings.Contains(parameters, "series") {
			t.Errorf("%s sorts:\n%s", parameters, all)
		}
	}
}

// plan returns how SQLite carries out a query, a line for each step.
func plan(t *testing.T, db *sql.DB, text string, args []any) string {
	t.Helper()
	rows, err := db.Query(`EXPLAIN QUERY PLAN `+text, args...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(steps, "\n")
}

// The usual filters read indices only, so that games which are rare among those of a busy
// account are found without reading the others.
func TestFiltersReadIndicesOnly(t *testing.T) {
	db, err := Open(filepath.Join(t.TempDir(), "games.db"), SyncNormal, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var table int // the page at which it begins
	if err := db.QueryRow(`SELECT rootpage FROM sqlite_schema WHERE name = 'games'`).Scan(&table); err != nil {
		t.Fatal(err)
	}
	for parameters, want := range map[string]bool{
		"player=ada": true, "player=ada&result=drawn": true, "player=ada&result=aborted&rated=true": true,
		"player=ada&opponent=bob&result=won": true,
		"player=ada&how=full&rules=havannah": true, "player=ada&kind=nim": true, "player=ada&since=2026-01-01": true,
		"result=drawn": true, "how=ring&rules=havannah&rated=false": true,
		"player=ada&series=night&how=ring": false,
	} {
		values, err := url.ParseQuery(parameters)
		if err != nil {
			t.Fatal(err)
		}
		q, err := ParseQuery(values)
		if err != nil {
			t.Fatal(err)
		}
		text, args := q.statement(`started, row`, "")
		if got := !readsColumns(t, db, table, text, args); got != want {
			t.Errorf("%s reads indices only: %v, want %v", parameters, got, want)
		}
	}
}

// readsColumns reports whether a query reads a column from a table, in the bytecode that
// SQLite makes of it.
func readsColumns(t *testing.T, db *sql.DB, table int, text string, args []any) bool {
	t.Helper()
	rows, err := db.Query(`EXPLAIN `+text, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	cursors := map[int]bool{} // cursors of the table
	for rows.Next() {
		var opcode string
		var p1, p2 int
		var other any
		if err := rows.Scan(&other, &opcode, &p1, &p2, &other, &other, &other, &other); err != nil {
			t.Fatal(err)
		}
		switch opcode {
		case "OpenRead":
			cursors[p1] = p2 == table
		case "Column":
			if cursors[p1] {
				return true
			}
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return false
}

// addGame adds a finished game of poker.
func addGame(tb testing.TB, db *sql.DB, id, tag, options string, started int, result string, names ...string) {
	tb.Helper()
	run := func(statement string, args ...any) {
		tb.Helper()
		if _, err := db.Exec(statement, args...); err != nil {
			tb.Fatal(err)
		}
	}
	run(`INSERT INTO games (id, maker, tag, rules, options, kind, main, increment, per_move, rated, started)
		VALUES (?, 'ada', ?, 'poker', ?, 'poker', 0, 0, 0, 0, ?)`, id, tag, options, started)
	for seat, name := range names {
		run(`INSERT INTO seats (game, seat, name, rating) SELECT row, ?, ?, 0 FROM games WHERE id = ?`, seat, name, id)
	}
	run(`UPDATE games SET result = ?, ended = started + 1 WHERE id = ?`, result, id)
}

// A player in a seat from the third on has its games, too, each of them once.
func TestOtherSeats(t *testing.T) {
	db, err := Open(filepath.Join(t.TempDir(), "games.db"), SyncNormal, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for i, g := range []struct {
		others string
		winner int
	}{{"bot eve bot", 3}, {"eve", 0}, {"evelyn bot", 2}, {"", 1}} {
		addGame(t, db, fmt.Sprint("g", i), "", "{}",
			i, fmt.Sprintf(`{"winner":%d,"score":[0,0,0,0,0],"how":"chips"}`, g.winner),
			append([]string{"ada", "bob"}, strings.Fields(g.others)...)...)
	}
	for parameters, want := range map[string]string{
		"player=eve": "g1 lost, g0 won", "player=eve&result=won": "g0 won", "player=bot": "g2 lost, g0 lost",
		"player=evelyn":           "g2 won",
		"player=eve&opponent=bob": "g1 lost, g0 won", "player=bob&opponent=eve": "g1 lost, g0 lost",
		"player=eve&opponent=bot": "g0 won",
		"player=ada":              "g3 lost, g2 lost, g1 won, g0 lost", "player=ve": "",
		"player=EVELYN&opponent=Bob": "g2 won", "player=ada&opponent=ob": "",
	} {
		values, err := url.ParseQuery(parameters)
		if err != nil {
			t.Fatal(err)
		}
		q, err := ParseQuery(values)
		if err != nil {
			t.Fatal(err)
		}
		list, err := Games(t.Context(), db, q)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, g := range list {
			got = append(got, g.Game+" "+g.Outcome)
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s: %s, want %s", parameters, text, want)
		}
		if s, err := Summarise(t.Context(), db, q); err != nil || s.Games != len(list) ||
			s.Won != strings.Count(want, "won") {
			t.Errorf("%s: %+v, %v", parameters, s, err)
		}
	}
}

// No parameters break a query: each is refused, or the database understands it.
func FuzzQuery(f *testing.F) {
	for _, query := range []string{
		"player=ada&opponent=bob&result=won", "series=night&limit=10",
		"since=2026-11-30&until=1767225600000", "tag=%00&how=ring&rated=false", "series=%F0%9F%8E%B2*[",
		"result=aborted&kind=havannah-8",
	} {
		f.Add(query)
	}
	db, err := Open(filepath.Join(f.TempDir(), "games.db"), SyncNormal, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { db.Close() })
	addGame(f, db, "g1", "night-1", "broken", 1767312000000, `{"winner":0,"score":[1,0],"how":"last"}`, "ada", "bob")
	f.Fuzz(func(t *testing.T, query string) {
		values, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		q, err := ParseQuery(values)
		var wrong *ParameterError
		if err == nil {
			var games int
			if list, e := Games(t.Context(), db, q); e != nil {
				err = e
			} else {
				games = len(list)
			}
			if err == nil && q.player != "" && q.before == "" {
				if s, e := Summarise(t.Context(), db, q); e != nil || s.Games != games {
					t.Errorf("%q: %d games, %+v, %v", query, games, s, e)
				}
			}
		}
		if err != nil && !errors.As(err, &wrong) {
			t.Errorf("%q: %v", query, err)
		}
	})
}
