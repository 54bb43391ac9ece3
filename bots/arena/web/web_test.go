package web

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gamebots/bots/arena/plan"
	"gamebots/bots/arena/tournament"
	"gamebots/bots/arena/web/webtest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	poll = 5 * time.Millisecond
	goleak.VerifyTestMain(m)
}

// shown starts a show of a database with some runs.
func shown(t testing.TB, c Config, runs ...string) (*Server, string) {
	t.Helper()
	c.Database, c.Rules = filepath.Join(t.TempDir(), "arena.db"), webtest.Rules
	for _, text := range runs {
		webtest.Play(t, c.Database, text, 0)
	}
	s, err := New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		server.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, server.URL + "/arena/"
}

// get asks for something and reads it; it returns the status.
func get[T any](t *testing.T, at string, into *T, query ...string) int {
	t.Helper()
	values := url.Values{}
	for i := 0; i < len(query); i += 2 {
		values.Set(query[i], query[i+1])
	}
	reply, err := http.Get(at + "?" + values.Encode())
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if reply.StatusCode == http.StatusOK {
		if err := json.NewDecoder(reply.Body).Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	return reply.StatusCode
}

func TestRuns(t *testing.T) {
	_, at := shown(t, Config{}, webtest.Leduc, webtest.Nim)
	var runs Runs
	if status := get(t, at+"runs", &runs); status != 200 || len(runs.Runs) != 2 || runs.MayWrite {
		t.Fatalf("status %d, %+v", status, runs)
	}
	if r := runs.Runs[1]; r.Run != "leduc-3" || r.Kind != plan.Poker || r.Tables != 3 || r.Games != 1200 ||
		r.Stored != 12 || r.Shards != 12 || r.Ended.Before(r.Begun) {
		t.Errorf("%+v", r)
	}

	var run Run
	if status := get(t, at+"run", &run, "run", "leduc-3"); status != 200 {
		t.Fatalf("status %d", status)
	}
	if run.Played != 1200 || len(run.CrossTable.Players) != 3 || run.Unit != "mb a hand" ||
		len(run.CrossTable.Tables) != 3 || run.Kinds["chance"] != "random" {
		t.Errorf("%+v", run)
	}
	// What all have won in the end adds up to nothing, and to the standings.
	winnings := run.Charts[0]
	sum := 0.0
	for _, line := range winnings.Lines {
		last := line.Values[len(line.Values)-1]
		sum += last
		if len(line.Values) != len(winnings.At) || line.Values[0] != 0 {
			t.Errorf("%+v of points at %v", line, winnings.At)
		}
		i := slices.IndexFunc(run.CrossTable.Players, func(s tournament.Standing) bool { return s.Name == line.Name })
		if want := run.CrossTable.Players[i].Mean / 1000 * float64(run.CrossTable.Players[i].Games); last < want-1e-6 ||
			last > want+1e-6 {
			t.Errorf("%s has won %v, want %v", line.Name, last, want)
		}
	}
	if sum > 1e-9 || sum < -1e-9 || winnings.At[len(winnings.At)-1] != 1200 {
		t.Errorf("winnings add up to %v at %v", sum, winnings.At)
	}
	ranks := map[int]bool{}
	for _, r := range run.Ranked {
		ranks[r.Runoff] = r.Elo == nil
	}
	if !ranks[1] || !ranks[2] || !ranks[3] {
		t.Errorf("ranked %+v", run.Ranked)
	}
	if len(run.Shown) != 3 || len(run.Shown[2]) != 4 || !slices.IsSorted(run.Shown[2]) {
		t.Errorf("shown %v", run.Shown)
	}
}

// TestRatings has a perfect player above one by chance, and a chart that ends at
// the ratings.
func TestRatings(t *testing.T) {
	_, at := shown(t, Config{}, webtest.Nim)
	var run Run
	get(t, at+"run", &run, "run", "nim")
	perfect, chance := run.Ranked["perfect"], run.Ranked["chance"]
	if len(run.Charts) != 2 || perfect.Elo == nil || *perfect.Elo <= *chance.Elo ||
		perfect.Runoff != 0 || *perfect.Interval <= 0 {
		t.Fatalf("%+v, %d charts", run.Ranked, len(run.Charts))
	}
	c := run.Charts[1]
	if last := len(c.At) - 1; c.Unit != "points of Elo" || c.At[last] != run.Played ||
		c.Lines[0].Values[last] != *perfect.Elo {
		t.Errorf("%+v", c)
	}
}

// TestGames looks at every hand of a run in lists, and at each alone.
func TestGames(t *testing.T) {
	_, at := shown(t, Config{}, webtest.Holdem3, webtest.Havannah, webtest.Nim)
	var run Run
	get(t, at+"run", &run, "run", "three")
	won := map[string]float64{}
	hands := 0
	for _, shard := range run.Shown[0] {
		for from := 0; ; {
			var list Games
			if status := get(t, at+"games", &list, "run", "three", "shard", text(shard), "from", text(from),
				"limit", "7"); status != 200 {
				t.Fatalf("status %d", status)
			}
			for _, e := range list.Games {
				hands++
				for i, name := range e.Players {
					won[name] += e.Values[i]
				}
				var one Game
				get(t, at+"game", &one, "run", "three", "shard", text(shard), "index", text(e.Index))
				if one.Hand == nil || !slices.Equal(one.Hand.Values, e.Values) ||
					!slices.Equal(one.Hand.Players, e.Players) || one.Index != e.Index {
					t.Fatalf("%+v is %+v alone", e, one)
				}
				if last := one.Hand.Actions[len(one.Hand.Actions)-1]; last.Pot != e.Pot {
					t.Fatalf("a pot of %d ends with %+v", e.Pot, last)
				}
				if len(one.Same) != 6 || one.Same[e.Order] != e.Index {
					t.Fatalf("%+v: the same cards are at %v", e, one.Same)
				}
			}
			if from += len(list.Games); from >= list.Total || len(list.Games) == 0 {
				break
			}
		}
	}
	if hands != 20*6 {
		t.Errorf("%d hands", hands)
	}
	for _, s := range run.CrossTable.Players {
		if got := won[s.Name] / float64(hands) / 100 * 1000; got < s.Mean-1e-6 || got > s.Mean+1e-6 {
			t.Errorf("%s: %v mb a hand in the lists, %v in the standings", s.Name, got, s.Mean)
		}
	}

	for _, name := range []string{"havannah", "nim"} {
		var list Games
		get(t, at+"games", &list, "run", name, "shard", "1")
		if len(list.Games) != 2 {
			t.Fatalf("%+v", list)
		}
		for _, e := range list.Games {
			var one Game
			get(t, at+"game", &one, "run", name, "shard", "1", "index", text(e.Index))
			b := one.Board
			if b == nil || b.Board == nil || b.View == nil || len(b.Moves) != e.Moves || b.Result == nil ||
				!slices.Equal(one.Same, []int{0, 1}) {
				t.Fatalf("%s: %+v", name, one)
			}
			if b.Result.Winner >= 0 && e.Values[b.Result.Winner] != 1 {
				t.Errorf("%s: seat %d won, the values are %v", name, b.Result.Winner, e.Values)
			}
		}
	}
}

// TestNews waits for a run to go on.
func TestNews(t *testing.T) {
	s, at := shown(t, Config{}, webtest.Nim)
	webtest.Play(t, s.Database, webtest.Leduc, 2)
	var first, second Run
	get(t, at+"run", &first, "run", "leduc-3")
	if first.Stored < 2 || first.Stored >= first.Shards || !first.Ended.IsZero() {
		t.Fatalf("%+v", first.Brief)
	}
	told := make(chan int, 1)
	go func() { told <- get(t, at+"run", &second, "run", "leduc-3", "seen", first.Version) }()
	select {
	case status := <-told:
		t.Fatalf("answered with %d and no news", status)
	case <-time.After(50 * time.Millisecond):
	}
	webtest.Play(t, s.Database, webtest.Leduc, 0)
	if status := <-told; status != 200 || second.Stored <= first.Stored || second.Version == first.Version {
		t.Errorf("status %d, %d then %d parts", status, first.Stored, second.Stored)
	}
	for second.Ended.IsZero() {
		get(t, at+"run", &second, "run", "leduc-3", "seen", second.Version)
	}
	if second.Played != 1200 {
		t.Errorf("%d hands at the end", second.Played)
	}
}

// TestDrop removes runs for those who may, and only for them.
func TestDrop(t *testing.T) {
	may := false
	_, at := shown(t, Config{MayWrite: func(*http.Request) bool { return may }}, webtest.Nim)
	remove := func() int {
		r, err := http.NewRequest(http.MethodDelete, at+"run?run=nim", nil)
		if err != nil {
			t.Fatal(err)
		}
		reply, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
		return reply.StatusCode
	}
	if status := remove(); status != http.StatusForbidden {
		t.Errorf("status %d", status)
	}
	may = true
	if status := remove(); status != 200 {
		t.Errorf("status %d", status)
	}
	var runs Runs
	if get(t, at+"runs", &runs); len(runs.Runs) != 0 || !runs.MayWrite {
		t.Errorf("%+v", runs)
	}
	if status := remove(); status != http.StatusNotFound {
		t.Errorf("status %d the second time", status)
	}
}

func TestRefusals(t *testing.T) {
	_, at := shown(t, Config{}, webtest.Nim)
	for _, test := range []struct {
		what   string
		query  []string
		status int
	}{
		{"run", nil, 400},
		{"run", []string{"run", "none"}, 404},
		{"games", []string{"run", "nim", "shard", "99"}, 404},
		{"games", []string{"run", "nim", "shard", "-1"}, 400},
		{"games", []string{"run", "nim", "from", "x"}, 400},
		{"games", []string{"run", "nim", "limit", "x"}, 400},
		{"game", []string{"run", "nim", "shard", "0", "index", "2"}, 404},
		{"other", nil, 404},
	} {
		if status := get(t, at+test.what, new(any), test.query...); status != test.status {
			t.Errorf("%s %v: status %d, want %d", test.what, test.query, status, test.status)
		}
	}
	if _, err := New(t.Context(), Config{Database: filepath.Join(t.TempDir(), "none.db")}); !errors.Is(err,
		fs.ErrNotExist) && !strings.Contains(err.Error(), "none.db") {
		t.Errorf("error %v of no database", err)
	}
	broken := filepath.Join(t.TempDir(), "broken.db")
	if err := os.WriteFile(broken, []byte(strings.Repeat("no database ", 1000)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := New(t.Context(), Config{Database: broken}); err == nil {
		t.Error("what is no database is shown")
	}
}

func text(n int) string { return strconv.Itoa(n) }

// FuzzQuery asks for anything. The answer is data or a refusal, never a failure of the
// server.
func FuzzQuery(f *testing.F) {
	s, _ := shown(f, Config{}, webtest.Nim)
	handler := s.Handler()
	for _, query := range []string{"run=nim", "run=nim&shard=0&index=1", "run=nim&from=1&limit=2&seen=x",
		"run=%00&shard=99999999999999999999"} {
		f.Add("games", query)
		f.Add("game", query)
		f.Add("run", query)
	}
	f.Fuzz(func(t *testing.T, path, query string) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second) // news are waited for
		defer cancel()
		r := &http.Request{
			Method: http.MethodGet, URL: &url.URL{Path: "/arena/" + path, RawQuery: query}, Header: http.Header{},
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r.WithContext(ctx))
		if w.Code >= 500 && ctx.Err() == nil {
			t.Fatalf("%s?%s: status %d: %s", path, query, w.Code, w.Body)
		}
	})
}
