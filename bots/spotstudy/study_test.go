package spotstudy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gamebots/solvers/resolve/spot"
)

// askStudy returns the answer to a request as a T.
func askStudy[T any](
	t *testing.T, s *Study, ctx context.Context, path string, query url.Values,
) (status int, answer T) {
	t.Helper()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, path+"?"+query.Encode(), nil))
	lines := strings.Split(w.Body.String(), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &answer); err != nil {
		t.Fatalf("%s: %v", w.Body, err)
	}
	return w.Code, answer
}

// smallTurn is a turn that is solved within moments.
func smallTurn() url.Values {
	return url.Values{
		"spot.board": {"Td 9d 6h Qc"}, "spot.pot": {"100"}, "spot.stack": {"100"}, "ranges.oop": {"JJ+,KJs"},
		"ranges.ip": {"99-66,AQs"}, "bets.bets": {"50"}, "bets.raise_cap": {"1"},
	}
}

// A turn is solved once, and walked through: an action, the river, an action, and all-in, after which nobody acts.
func TestStudy(t *testing.T) {
	s := &Study{Memory: 1 << 30}
	for line, want := range map[string]struct{ street, name string }{
		"": {"turn", "bet 100 all-in"}, "b50 c": {"turn", ""}, "b50 c 2c": {"river", "bet 50 all-in"},
		"x b100": {"turn", "call"}, // all-in: the hand is over
	} {
		q := smallTurn()
		q.Set("line", line)
		status, a := askStudy[studied](t, s, t.Context(), "/spots/solve", q)
		if status != http.StatusOK || a.Short || a.Pot != 100 || a.Node.Street != want.street {
			t.Fatalf("%q: %d, %+v", line, status, a)
		}
		if n := a.Node; len(n.Path) != len(strings.Fields(line)) || (want.name == "") != (len(n.Actions) == 0) {
			t.Errorf("%q: %+v", line, n)
		} else if want.name != "" {
			last := n.Actions[len(n.Actions)-1]
			if !strings.HasPrefix(last.Name, want.name) || last.Over != strings.HasPrefix(line, "x") {
				t.Errorf("%q: %s, over %t, want %s", line, last.Name, last.Over, want.name)
			}
			if x := n.Players[0].Equity + n.Players[1].Equity; x < .999 || x > 1.001 {
				t.Errorf("%q: the equities are %g together", line, x)
			}
		}
	}
	if len(s.kept) != 1 {
		t.Errorf("%d solutions are kept", len(s.kept))
	}
	if n := len(s.kept[0].nodes); n != 5 {
		t.Errorf("%d points were computed, each of the lines and what leads there once", n)
	}
}

// An error names the setting at fault.
func TestStudyRefuses(t *testing.T) {
	for _, change := range [][3]string{
		{"spot.board", "Td 9d 6h", "flops"}, {"spot.board", "Td 9d 6h 6x", "6x"}, {"ranges.ip", "foo", "foo"},
		{"solve.algorithm", "magic", "magic"}, {"spot.colour", "red", "unknown key"},
		{"ranges.oop", "TdTh", "no two hands"},
	} {
		q := smallTurn()
		q.Set("ranges.ip", "TdTc")
		q.Set(change[0], change[1])
		status, a := askStudy[refusedSpot](t, &Study{Memory: 1 << 30}, t.Context(), "/spots/solve", q)
		named := a.Key == change[0] || change[1] == "TdTh"
		if status != http.StatusUnprocessableEntity || !named || !strings.Contains(a.Text, change[2]) {
			t.Errorf("%v: %d, %+v", change, status, a)
		}
	}
	if status, a := askStudy[refusedSpot](t, &Study{Memory: 1000}, t.Context(), "/spots/solve", smallTurn()); status !=
		http.StatusUnprocessableEntity || !strings.Contains(a.Text, "memory") {
		t.Errorf("%d, %+v", status, a)
	}
}

// A solution is what was found until its deadline, or until who asked has left, and solving goes on from there.
// Solutions that were used longest ago make room for others.
func TestStudyLimits(t *testing.T) {
	s := &Study{Memory: 1 << 30}
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	if status, a := askStudy[studied](t, s, ctx, "/spots/solve", smallTurn()); status != http.StatusOK || !a.Short {
		t.Errorf("%d, %+v", status, a)
	}
	s.Memory = s.kept[0].solver.Bytes() * 3 / 2
	left, leave := context.WithCancel(t.Context())
	leave()
	q := smallTurn()
	q.Set("spot.pot", "101")
	for _, c := range []struct {
		ctx     context.Context
		further string
		short   bool
	}{{left, "", true}, {t.Context(), "", true}, {left, "1", true}, {t.Context(), "1", false}, {left, "1", false}} {
		q.Set("further", c.further)
		status, a := askStudy[studied](t, s, c.ctx, "/spots/solve", q)
		if len(s.kept) != 1 || status != http.StatusOK || a.Short != c.short {
			t.Errorf("further %q: %d, %+v, %d solutions are kept", c.further, status, a, len(s.kept))
		}
	}
	status, all := askStudy[[]shippedSpot](t, s, t.Context(), "/spots/", nil)
	if status != http.StatusOK || len(all) != 7 || !strings.Contains(all[0].Text, "[spot]") {
		t.Errorf("%d, %+v", status, all)
	}
}

// A small flop is solved where flops are, in 16 bits if memory needs it, and one that is too large says what to cut.
// Who waits hears how far it is.
func TestStudyFlop(t *testing.T) {
	q := smallTurn()
	q.Set("spot.board", "Td 9d 6h")
	q.Set("solve.target", "3")
	s := &Study{Memory: 1 << 30, Flops: true}
	status, a := askStudy[studied](t, s, t.Context(), "/spots/solve", q)
	if status != http.StatusOK || a.Short || a.Node.Street != "flop" {
		t.Errorf("%d, %+v", status, a)
	}
	asked := 0
	s = &Study{Memory: s.kept[0].bytes * 3 / 4, Flops: true, Device: func(*spot.Solver) (spot.Device, error) {
		asked++
		return nil, spot.ErrDeviceMemory
	}}
	if status, a := askStudy[studied](t, s, t.Context(), "/spots/solve", q); status != http.StatusOK || asked != 1 {
		t.Errorf("%d, %+v; a device was asked for %d times", status, a, asked)
	}
	s = &Study{Memory: 1000, Flops: true}
	if status, a := askStudy[refusedSpot](t, s, t.Context(), "/spots/solve", q); status !=
		http.StatusUnprocessableEntity || a.Key != "bets.bets" || !strings.Contains(a.Hint, "narrower ranges") {
		t.Errorf("%d, %+v", status, a)
	}
	q = smallTurn()
	q.Set("solve.target", "0")
	q.Set("solve.iterations", "10000000")
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	w := httptest.NewRecorder()
	(&Study{Memory: 1 << 30, Flops: true}).ServeHTTP(w,
		httptest.NewRequestWithContext(ctx, http.MethodGet, "/spots/solve?"+q.Encode(), nil))
	if first, _, ok := strings.Cut(w.Body.String(), "\n"); !ok || !strings.Contains(first, "% of the pot after") {
		t.Errorf("%.200s", first)
	}
}

// A hand of a drill is the same whenever it is asked for. Each action is judged, and the hand ends with a result.
func TestStudyDrill(t *testing.T) {
	s := &Study{Memory: 1 << 30}
	q := smallTurn()
	results := map[string]int{}
	for number := range 24 {
		q.Set("hand", fmt.Sprint(number))
		var played []string
		for {
			q.Set("actions", strings.Join(played, " "))
			status, d := askStudy[drill](t, s, t.Context(), "/spots/drill", q)
			if status != http.StatusOK || len(d.Judged) != len(played) || len(d.Cards) != 4 ||
				(d.Player == "out of position") != (number%2 == 0) {
				t.Fatalf("%v: %d, %+v", q, status, d)
			}
			if (d.Result == "") != (len(d.Actions) > 0) || (d.Result == "" || d.Result == folded) != (d.Other == "") {
				t.Fatalf("%v: %+v", q, d)
			}
			for _, j := range d.Judged {
				if j.Lost < 0 || len(j.Advised) < 2 || j.Advised[0].Name == "" {
					t.Errorf("%v: %+v", q, j)
				}
			}
			if results[d.Result]++; d.Result != "" {
				break
			}
			played = append(played, d.Actions[number/2%len(d.Actions)].Text)
		}
	}
	if len(results) < 3 || len(s.kept) != 1 {
		t.Errorf("%v, %d solutions", results, len(s.kept))
	}
	for _, change := range [][2]string{{"hand", "x"}, {"actions", "b7"}, {"actions", "f f f f f"}} {
		q := smallTurn()
		q.Set("hand", "1")
		q.Set(change[0], change[1])
		if status, a := askStudy[refusedSpot](t, s, t.Context(), "/spots/drill", q); status !=
			http.StatusUnprocessableEntity || a.Text == "" {
			t.Errorf("%v: %d, %+v", change, status, a)
		}
	}

	fresh := smallTurn()
	fresh.Set("spot.pot", "90")
	fresh.Set("hand", "1")
	if status, a := askStudy[studied](t, s, t.Context(), "/spots/solve", fresh); status != http.StatusOK {
		t.Errorf("%d, %+v", status, a)
	}
	wantLater(t, s, "/spots/drill", fresh)

	// Nobody waits for hands that can be held together, but hardly ever are.
	rare := smallTurn()
	rare.Set("ranges.oop", "KcKh,JcJd:0.000001")
	rare.Set("ranges.ip", "KcKh,JcJd:0.000001")
	rare.Set("hand", "1")
	if status, a := askStudy[refusedSpot](t, s, t.Context(), "/spots/drill", rare); status !=
		http.StatusUnprocessableEntity || !strings.Contains(a.Text, "share a card") {
		t.Errorf("%d, %+v", status, a)
	}
}

// wantLater wants a request refused without time for it, as one that can go on later.
func wantLater(t *testing.T, s *Study, path string, q url.Values) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if status, a := askStudy[refusedSpot](t, s, ctx, path, q); status != http.StatusUnprocessableEntity ||
		!strings.Contains(a.Text, "ask again") {
		t.Errorf("%s: %d, %+v", path, status, a)
	}
}

// The file of a solution is one of "solve poker --save", and is opened with the same strategies. What is no such file,
// or a damaged one, is refused.
func TestStudyFile(t *testing.T) {
	s, q := &Study{Memory: 1 << 30}, smallTurn()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/spots/file?"+q.Encode(), nil))
	data := w.Body.Bytes()
	path := filepath.Join(t.TempDir(), "spot")
	if err := os.WriteFile(path, data, 0o600); err != nil || !spot.IsSaved(path) {
		t.Fatalf("%v, %.100q", err, data)
	}
	post := func(data []byte) (a struct{ Settings, Text string }) {
		t.Helper()
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/spots/open", bytes.NewReader(data))
		s.ServeHTTP(w, r)
		if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || (w.Code == http.StatusOK) != (a.Text == "") {
			t.Fatalf("%d, %s", w.Code, w.Body)
		}
		return a
	}
	_, solved := askStudy[studied](t, s, t.Context(), "/spots/solve", q)
	for i := range 2 {
		a := post(data)
		q, err := url.ParseQuery(a.Settings)
		if err != nil || q.Get("file") == "" || len(s.kept) != 2 {
			t.Fatalf("%+v, %v, %d solutions", a, err, len(s.kept))
		}
		status, opened := askStudy[studied](t, s, t.Context(), "/spots/solve", q)
		if status != http.StatusOK || opened.Exploitability != solved.Exploitability ||
			opened.Node.Players[0].Range != solved.Node.Players[0].Range {
			t.Errorf("%d, %+v, want %+v", status, opened, solved)
		}
		q.Set("line", []string{"x x 2c", "x x 2d"}[i])
		wantLater(t, s, "/spots/solve", q)
		if status, a := askStudy[studied](t, s, t.Context(), "/spots/solve", q); status != http.StatusOK {
			t.Errorf("%d, %+v", status, a)
		}
		q.Set("hand", "3")
		if status, d := askStudy[drill](t, s, t.Context(), "/spots/drill", q); status != http.StatusOK {
			t.Errorf("%d, %+v", status, d)
		}
	}
	damaged := bytes.Clone(data)
	damaged[len(data)-1] ^= 1
	for _, data := range [][]byte{nil, []byte("[spot]"), damaged, data[:len(data)/2]} {
		if a := post(data); a.Text == "" || strings.Contains(a.Text, os.TempDir()) {
			t.Errorf("%.20q: %+v", data, a)
		}
	}
	gone := url.Values{"file": {"0123"}}
	_, a := askStudy[refusedSpot](t, s, t.Context(), "/spots/solve", gone)
	if !strings.Contains(a.Text, "open it again") {
		t.Errorf("%+v", a)
	}
	s.Memory = s.kept[0].bytes
	q.Set("spot.pot", "90")
	status, other := askStudy[studied](t, s, t.Context(), "/spots/solve", q)
	if status != http.StatusOK || len(s.kept) > 2 {
		t.Errorf("%d, %+v, %d solutions", status, other, len(s.kept))
	}
}

// Small spots take little memory for the solver, and more beside it: few are kept, with points of the last ones.
func TestStudyKeepsFew(t *testing.T) {
	s := &Study{Memory: 1 << 30}
	for i := range mostKept + 5 {
		q := smallTurn()
		q.Set("spot.board", "Td 9d 6h Qc 2s")
		q.Set("spot.pot", fmt.Sprint(100+i))
		if status, a := askStudy[studied](t, s, t.Context(), "/spots/solve", q); status != http.StatusOK {
			t.Fatalf("%d, %+v", status, a)
		}
	}
	walked := 0
	for _, x := range s.kept {
		walked += min(1, len(x.nodes))
	}
	if len(s.kept) != mostKept || walked != mostWalked+1 {
		t.Errorf("%d solutions, %d of them with points", len(s.kept), walked)
	}
}
