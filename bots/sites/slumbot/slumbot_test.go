package slumbot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/history"
	"gamebots/bots/poker"
	"gamebots/bots/sites"
	"gamebots/bots/sites/slumbot/slumbottest"
	"gamebots/configs"
)

func game(t testing.TB) *acpc.Game {
	t.Helper()
	g, err := configs.Game("holdem-nolimit-2p")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func opponent(t testing.TB, name string) acpc.Player {
	t.Helper()
	p, err := poker.NewOpponent(name, 7)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// transport brings requests to a handler without a network, so that time can be a test's.
type transport struct{ http.Handler }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	w := httptest.NewRecorder()
	t.ServeHTTP(w, r)
	if err := r.Context().Err(); err != nil { // the handler took too long
		return nil, err
	}
	return w.Result(), nil
}

// match returns a match of a plain opponent against a server.
func match(t testing.TB, server http.Handler, player string, hands int) *Match {
	return &Match{
		Client: &sites.Client{
			URL: "http://slumbot.test", Agent: "test", Timeout: 10 * time.Second, Transport: transport{server},
		},
		Game: game(t), Player: opponent(t, player), Name: "me", Hands: hands,
	}
}

// Hands of all kinds of betting are those of the server: their chips, their number and their
// lines in a log.
func TestMatch(t *testing.T) {
	for _, names := range [][2]string{{"random", "random"}, {"random", "raise"}, {"raise", "raise"},
		{"call", "random"}, {"fold", "raise"}} {
		t.Run(strings.Join(names[:], " against "), func(t *testing.T) {
			server := &slumbottest.Server{Game: game(t), Bot: opponent(t, names[1])}
			m := match(t, server, names[0], 300)
			positions := [2]int{}
			m.OnHand = func(h *history.Hand, position int) {
				line := string(h.AppendLog(nil))
				again, err := history.ParseLog(m.Game, strings.TrimSuffix(line, "\n"))
				if err != nil || again.Names[position] != "me" || again.Names[1-position] != Name ||
					string(again.AppendLog(nil)) != line {
					t.Errorf("the log has %q: %v", line, err)
				}
				positions[position]++
			}
			m.OnFailure = func(err error, _ bool) { t.Error(err) }
			if err := m.Play(t.Context()); err != nil {
				t.Fatal(err)
			}
			won, hands := server.Total()
			if total := m.Won.Mean() * float64(m.Won.N); math.Abs(won-total) > 1e-6 || hands != m.Hands ||
				positions != [2]int{150, 150} {
				t.Errorf("won %g in %v hands, and the server paid %g for %d", total, positions, won, hands)
			}
		})
	}
}

// A hand that ends by a fold may lack the opponent's cards: they are not in the log either.
func TestHidden(t *testing.T) {
	server := &slumbottest.Server{Game: game(t), Bot: opponent(t, "raise"),
		Answer: func(_ http.ResponseWriter, _ int, a map[string]any) bool {
			delete(a, "bot_hole_cards")
			return false
		}}
	m := match(t, server, "fold", 2)
	m.OnHand = func(h *history.Hand, position int) {
		line := strings.TrimSuffix(string(h.AppendLog(nil)), "\n")
		again, err := history.ParseLog(m.Game, line)
		if err != nil || !again.Hidden[1-position] || again.Hidden[position] {
			t.Errorf("the log has %q: %v", line, err)
		}
	}
	m.OnFailure = func(err error, _ bool) { t.Fatal(err) }
	if err := m.Play(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// spoiled are answers that cannot be right, and a part of their errors.
var spoiled = []struct {
	name   string
	change map[string]any
	want   string
}{
	{"no position", map[string]any{"client_pos": nil}, "client_pos"},
	{"position", map[string]any{"client_pos": 2}, "client_pos"},
	{"unknown action", map[string]any{"action": "x"}, "unknown action"},
	{"check of a bet", map[string]any{"action": "k"}, "k checks"},
	{"bet without chips", map[string]any{"action": "b"}, `"b" is illegal`},
	{"bet of too much", map[string]any{"action": "b20001"}, `"b20001" is illegal`},
	{"bet of more than fits", map[string]any{"action": "b99999999999999999999"}, "is illegal"},
	{"slash", map[string]any{"action": "/"}, `"/" stands`},
	{"no slash", map[string]any{"action": "ckk"}, "after the end of round 1"},
	{"wrong turn", map[string]any{"action": ""}, "turn"},
	{"endless action", map[string]any{"action": strings.Repeat("k", 5000)}, "k checks"},
	{"hole cards", map[string]any{"hole_cards": []string{"As"}}, "the hand has 1 cards"},
	{"no card", map[string]any{"hole_cards": []string{"As", "Zz"}}, "the hand"},
	{"more than a card", map[string]any{"hole_cards": []string{"As", "KsKd"}}, `the hand: "KsKd" is not a card`},
	{"a card twice", map[string]any{"hole_cards": []string{"As", "As"}}, "dealt twice"},
	{"board", map[string]any{"board": []string{"2c", "3c", "4c"}}, "the board has 3 cards"},
	{"early winnings", map[string]any{"winnings": 100}, "goes on"},
	{"no number", map[string]any{"client_pos": "first"}, "no JSON object"},
	{"much", map[string]any{"old": strings.Repeat("x", 1<<20)}, "more than 1048576 bytes"},
}

// An answer that cannot be right loses its hand, is reported, and the match goes on in
// another session.
func TestSpoiledAnswers(t *testing.T) {
	for _, c := range spoiled {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := &slumbottest.Server{Game: game(t), Bot: opponent(t, "call")}
				server.Answer = func(_ http.ResponseWriter, n int, a map[string]any) bool {
					if n == 1 {
						for key, value := range c.change {
							a[key] = value
						}
					}
					return false
				}
				m := match(t, server, "call", 3)
				var failures []error
				m.OnFailure = func(err error, _ bool) { failures = append(failures, err) }
				if err := m.Play(t.Context()); err != nil {
					t.Fatal(err)
				}
				if len(failures) != 1 || !errors.As(failures[0], new(*sites.AnswerError)) ||
					!strings.Contains(failures[0].Error(), c.want) {
					t.Errorf("failures %v, want one with %q", failures, c.want)
				}
				if _, hands := server.Total(); hands != 3 {
					t.Errorf("the server played %d hands", hands)
				}
			})
		})
	}
}

// What changes between two answers of a hand, or is wrong at its end, is found, too.
func TestContradictions(t *testing.T) {
	for name, change := range map[string]func(a map[string]any){
		"other cards":       func(a map[string]any) { a["hole_cards"] = []string{"2c", "7d"} },
		"other position":    func(a map[string]any) { a["client_pos"] = 1 - a["client_pos"].(int) },
		"other action":      func(a map[string]any) { a["action"] = "b300c/" },
		"wrong winnings":    func(a map[string]any) { a["winnings"] = 12345.0 },
		"no winnings":       func(a map[string]any) { delete(a, "winnings") },
		"no cards to show":  func(a map[string]any) { delete(a, "bot_hole_cards") },
		"a card of its own": func(a map[string]any) { a["bot_hole_cards"] = a["hole_cards"] },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := &slumbottest.Server{Game: game(t), Bot: opponent(t, "call")}
				changed := false
				server.Answer = func(_ http.ResponseWriter, n int, a map[string]any) bool {
					if _, end := a["winnings"]; !changed && (end || n > 1 && strings.HasPrefix(name, "other")) {
						changed = true
						change(a)
					}
					return false
				}
				m := match(t, server, "call", 2)
				var failures []error
				m.OnFailure = func(err error, dealt bool) {
					if failures = append(failures, err); !dealt {
						t.Error("the cards were dealt")
					}
				}
				if err := m.Play(t.Context()); err != nil || len(failures) != 1 ||
					!errors.As(failures[0], new(*sites.AnswerError)) {
					t.Errorf("failures %v, and %v", failures, err)
				}
			})
		})
	}
}

// A busy server is asked again after the time that it asks for, within the same hand.
func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &slumbottest.Server{Game: game(t), Bot: opponent(t, "call")}
		busy := 0
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if busy++; busy == 2 || busy == 3 {
				w.Header().Set("Retry-After", "7")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			server.ServeHTTP(w, r)
		})
		m := match(t, handler, "call", 2)
		m.OnFailure = func(err error, _ bool) { t.Error(err) }
		start := time.Now()
		if err := m.Play(t.Context()); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited != 14*time.Second {
			t.Errorf("waited %v", waited)
		}
	})
}

// A server that fails for good ends the match; each failure is reported with its reason.
func TestFailures(t *testing.T) {
	late := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		want    string
	}{
		{"refusal", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"error_msg": "closed\u001b[2J"}`) },
			`refuses: "closed\x1b[2J"`},
		{"status", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, "500 Internal Server Error"},
		{"always busy", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }, "503 Service Unavailable"},
		{"another place", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://elsewhere.test/", http.StatusMovedPermanently)
		}, "301"},
		{"no JSON", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, "no JSON object"},
		{"silence", late, "deadline exceeded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := match(t, c.handler, "call", 10)
				failures := 0
				m.OnFailure = func(err error, dealt bool) {
					if failures++; dealt || !strings.Contains(err.Error(), c.want) {
						t.Errorf("failure %v, want %q", err, c.want)
					}
				}
				err := m.Play(t.Context())
				if err == nil || failures != maxFailures || !strings.Contains(err.Error(), c.want) {
					t.Errorf("after %d failures %v, want %q", failures, err, c.want)
				}
			})
		})
	}
}

// Who is not let in is not let in later, either: the match ends at once, also within a hand.
func TestUnauthorised(t *testing.T) {
	for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden} {
		for _, dealt := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				server := &slumbottest.Server{Game: game(t), Bot: opponent(t, "call")}
				m := match(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if dealt && strings.HasSuffix(r.URL.Path, "new_hand") {
						server.ServeHTTP(w, r)
						return
					}
					w.WriteHeader(status)
					fmt.Fprint(w, `{"error_msg": "Not authorised"}`)
				}), "call", 10)
				failures, start := 0, time.Now()
				m.OnFailure = func(error, bool) { failures++ }
				err := m.Play(t.Context())
				want := fmt.Sprintf(`the server refuses: "Not authorised" (HTTP status %d)`, status)
				took := time.Since(start)
				if err == nil || err.Error() != want || failures != 1 || took != 0 || dealt != (m.Lost == 1) {
					t.Errorf("%v after %v and %d failures, %d lost, want %q", err, took, failures, m.Lost, want)
				}
			})
		}
	}
}

// The end of the context ends a match at once, also while it waits.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		m := match(t, http.NotFoundHandler(), "call", 10)
		start := time.Now()
		if err := m.Play(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 5*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

// afterAnswer calls a function when an answer has been read.
type afterAnswer struct {
	http.RoundTripper
	call func()
}

func (a afterAnswer) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := a.RoundTripper.RoundTrip(r)
	if err == nil {
		response.Body = readAnswer{response.Body, a.call}
	}
	return response, err
}

type readAnswer struct {
	io.ReadCloser
	call func()
}

func (a readAnswer) Close() error {
	a.call()
	return a.ReadCloser.Close()
}

// A hand counts that the site has finished when the context ends. The log of another match is kept until then.
func TestFinishedHandCounts(t *testing.T) {
	log := filepath.Join(t.TempDir(), "hands.log")
	if err := os.WriteFile(log, []byte("another match\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	finished := false
	server := &slumbottest.Server{Game: game(t), Bot: opponent(t, "call")}
	server.Answer = func(_ http.ResponseWriter, _ int, a map[string]any) bool {
		finished = a["winnings"] != nil
		return false
	}
	m := match(t, server, "call", 10)
	m.Log.Path, m.Client.Transport = log, afterAnswer{m.Client.Transport, func() {
		if finished {
			cancel()
		}
	}}
	if err := m.Play(ctx); !errors.Is(err, context.Canceled) || m.Won.N != 1 {
		t.Errorf("%d hands: %v", m.Won.N, err)
	}
	text, err := os.ReadFile(log)
	if err != nil || !strings.HasPrefix(string(text), "STATE:0:") || strings.Count(string(text), "\n") != 1 {
		t.Errorf("the log has %q: %v", text, err)
	}
	m = match(t, server, "call", 10)
	m.Log.Path = log
	if err := m.Play(ctx); !errors.Is(err, context.Canceled) || m.Won.N != 0 {
		t.Errorf("%d more hands: %v", m.Won.N, err)
	}
	if again, err := os.ReadFile(log); err != nil || string(again) != string(text) {
		t.Errorf("without a hand the log is %q: %v", again, err)
	}
}

// The bounds of a match hold whatever the lost hands would have won. Here the site would have paid
// them like the others.
func TestBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		play := func(fails bool) *Match {
			server := &slumbottest.Server{Game: game(t), Bot: opponent(t, "call")}
			hands := 0
			server.Answer = func(w http.ResponseWriter, _ int, a map[string]any) bool {
				if a["winnings"] == nil {
					return false
				}
				if hands++; fails && hands%10 == 3 {
					w.WriteHeader(http.StatusInternalServerError)
					return true
				}
				return false
			}
			m := match(t, server, "random", 90)
			if err := m.Play(t.Context()); err != nil {
				t.Fatal(err)
			}
			return m
		}
		m := play(false)
		low, high := m.Bounds(20_000)
		if mean, half := m.Won.Mean(), m.Won.Interval95(); m.Lost != 0 || math.Abs(low-mean+half) > 1e-6 ||
			math.Abs(high-mean-half) > 1e-6 {
			t.Errorf("%d lost: from %g to %g, and won %g ± %g", m.Lost, low, high, mean, half)
		}
		m = play(true)
		low, high = m.Bounds(20_000)
		mean, half, stack := 0.9*m.Won.Mean(), 0.9*m.Won.Interval95(), 2000.0 // a tenth of 20,000
		if m.Lost != 10 || math.Abs(low-mean+half+stack) > 1e-6 || math.Abs(high-mean-half-stack) > 1e-6 {
			t.Errorf("%d lost: from %g to %g, and won %g ± %g", m.Lost, low, high, mean, half)
		}
	})
}

// One hand, or none, bounds nothing.
func TestBoundsOfFewHands(t *testing.T) {
	for hands := range 2 {
		for lost := range 2 {
			m := sites.Winnings{Lost: lost}
			for range hands {
				m.Won.Add(100)
			}
			if low, high := m.Bounds(20_000); !math.IsInf(low, -1) || !math.IsInf(high, 1) {
				t.Errorf("%d hands and %d lost: from %g to %g", hands, lost, low, high)
			}
		}
	}
}

// broken is a player whose action is illegal.
type broken struct{}

func (broken) Act(context.Context, *acpc.MatchState) (acpc.Action, error) {
	return acpc.Action{Type: acpc.Raise, Size: 1}, nil
}

// A fault of the player ends the match: it is no failure of the server.
func TestBrokenPlayer(t *testing.T) {
	m := match(t, &slumbottest.Server{Game: game(t), Bot: opponent(t, "call")}, "call", 1)
	m.Player = broken{}
	m.OnFailure = func(err error, _ bool) { t.Error(err) }
	if err := m.Play(t.Context()); err == nil {
		t.Error("an illegal action was played")
	}
}

// No answer makes the client panic, play an illegal hand, or pay chips that the cards do not.
func FuzzReadHand(f *testing.F) {
	f.Add("b200c/kk/kk/kk", 0, "As Kd", "2c 3c 4c 5d 6d", "7h 7s", 200.0, true)
	f.Add("b20000c///", 1, "As Kd", "2c 3c 4c 5d 6d", "7h 7s", 20000.0, true)
	f.Add("ck/b100f", 0, "As Kd", "2c 3c 4c", "", 100.0, true)
	f.Add("b", 0, "As Kd", "", "", 0.0, false)
	g := game(f)
	f.Fuzz(func(t *testing.T, action string, position int, hole, board, other string, winnings float64, end bool) {
		a := &answer{Action: action, Position: &position, Hole: strings.Fields(hole), Board: strings.Fields(board)}
		if other != "" {
			a.OpponentHole = strings.Fields(other)
		}
		if end {
			a.Winnings = &winnings
		}
		h, err := readHand(g, 0, a)
		if err != nil {
			if !errors.As(err, new(*sites.AnswerError)) {
				t.Fatalf("%v is of another kind", err)
			}
			return
		}
		if h.Finished() != end || !end && h.Actor() != position {
			t.Errorf("%q is over: %v", action, h.Finished())
		}
		if end && h.Value(position) != winnings {
			t.Errorf("%q pays %g", action, winnings)
		}
	})
}
