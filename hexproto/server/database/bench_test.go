package database

import (
	"database/sql"
	"net/url"
	"path/filepath"
	"testing"
)

// busyAccount makes a database in which ada has played 100,000 games: 10 draws with eve,
// all others with bob.
func busyAccount(tb testing.TB) *sql.DB {
	tb.Helper()
	db, err := Open(filepath.Join(tb.TempDir(), "games.db"), SyncNormal, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { db.Close() })
	_, err = db.Exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99999)
		INSERT INTO games (id, maker, tag, rules, options, kind, main, increment, per_move, rated, started)
		SELECT 'g' || i, 'ada', 'series-' || i, 'havannah',
			'{"side":' || (4 + i % 5) || '}', 'havannah-' || (4 + i % 5), 
			60000, 1000, 0, i % 3 = 0, 1700000000000 + i * 60000 FROM n;
		INSERT INTO seats (game, seat, name, rating) SELECT row, row % 2, 'ada', 1500 FROM games;
		INSERT INTO seats (game, seat, name, rating)
			SELECT row, 1 - row % 2, iif(row % 10000 = 17, 'eve', 'bob'), 1500 FROM games;
		UPDATE games SET ended = started + 50000, result =
			iif(row % 10000 = 17, '{"winner":-1,"score":[0.5,0.5],"how":"full"}',
				'{"winner":' || (row / 2 % 2) || ',"score":[1,0],"how":"bridge"}');
		INSERT INTO moves (game, turn, seat, move, ms) SELECT row, turn, turn % 2, 'a1', 100
			FROM games, (SELECT 0 AS turn UNION SELECT 1 UNION SELECT 2 UNION SELECT 3)`)
	if err != nil {
		tb.Fatal(err)
	}
	return db
}

// BenchmarkList searches the records of an account with 100,000 games, and for what
// is rare among them.
func BenchmarkList(b *testing.B) {
	db := busyAccount(b)
	for _, parameters := range []string{
		"player=ada", "player=ada&result=won", "player=ada&result=drawn", "player=ada&opponent=eve",
		"player=ada&how=full",
		"player=ada&kind=havannah-11", "player=ada&rules=nim", "result=drawn",
	} {
		values, err := url.ParseQuery(parameters)
		if err != nil {
			b.Fatal(err)
		}
		q, err := ParseQuery(values)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(parameters, func(b *testing.B) {
			for b.Loop() {
				if _, err := Games(b.Context(), db, q); err != nil {
					b.Fatal(err)
				}
			}
		})
		if q.player != "" {
			b.Run("summary,"+parameters, func(b *testing.B) {
				for b.Loop() {
					if _, err := Summarise(b.Context(), db, q); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
