package sites

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// handler is a transport that brings requests to a handler without a network, so that time can be a test's.
type handler http.HandlerFunc

func (h handler) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	h(w, r)
	if err := r.Context().Err(); err != nil { // the handler took too long
		return nil, err
	}
	return w.Result(), nil
}

// client returns a client of a site that a function serves.
func client(serve http.HandlerFunc) *Client {
	return &Client{URL: "https://site.test/", Agent: "gamebots/test", Timeout: 10 * time.Second,
		Transport: handler(serve)}
}

func key(t *testing.T, secret string) Key {
	t.Helper()
	k, err := NewKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// A request has the key, the client's User-Agent and JSON; the answer is decoded.
func TestRequest(t *testing.T) {
	c := client(func(w http.ResponseWriter, r *http.Request) {
		var request map[string]int
		err := json.NewDecoder(r.Body).Decode(&request)
		if r.Method != http.MethodPost || r.URL.Path != "/hands" || r.Header.Get("X-API-Key") != "s3cret" ||
			r.UserAgent() != "gamebots/test" || r.Header.Get("Content-Type") != "application/json" ||
			err != nil || request["bet"] != 200 {
			t.Errorf("%v, and %v: %v", r, request, err)
		}
		fmt.Fprint(w, `{"hand": 7}`)
	})
	c.Key, c.KeyHeader = key(t, "s3cret"), "X-API-Key"
	var answer struct{ Hand int }
	if err := c.Post(t.Context(), "/hands", map[string]int{"bet": 200}, &answer); err != nil || answer.Hand != 7 {
		t.Errorf("%+v: %v", answer, err)
	}
}

// What is repeated, and whether the site may have done it.
func TestRepeats(t *testing.T) {
	status := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
	}
	cut := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	for _, c := range []struct {
		name      string
		first     http.HandlerFunc // answer to the first request; the second succeeds
		get, post bool             // whether it is repeated
		unsettled bool
	}{
		{"busy", status(429), true, true, false},
		{"unavailable", status(503), true, true, true},
		{"bad gateway", status(502), true, false, true},
		{"gateway timeout", status(504), true, false, true},
		{"broken", cut, true, false, true},
		{"no JSON", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, true, false, true},
		{"conflict", status(409), true, false, false},
		{"wrong key", status(401), false, false, false},
		{"elsewhere", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere.test/", http.StatusFound)
		}, false, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				for method, want := range map[string]bool{"GET": c.get, "POST": c.post} {
					asked := 0
					site := client(func(w http.ResponseWriter, r *http.Request) {
						if asked++; asked == 1 {
							c.first(w, r)
							return
						}
						fmt.Fprint(w, "{}")
					})
					site.Transport = aborting{site.Transport}
					var reason, err error
					site.OnWait = func(err error, _ time.Duration) { reason = err }
					var answer struct{}
					if method == "GET" {
						err = site.Get(t.Context(), "/", &answer)
					} else {
						err = site.Post(t.Context(), "/", struct{}{}, &answer)
					}
					if repeated := asked == 2; repeated != want || want != (err == nil) ||
						Unsettled(errors.Join(reason, err)) != c.unsettled {
						t.Errorf("%s: asked %d times: %v, %v", method, asked, reason, err)
					}
				}
			})
		})
	}
}

// aborting makes a handler that aborts its answer a broken connection.
type aborting struct{ http.RoundTripper }

func (a aborting) RoundTrip(r *http.Request) (response *http.Response, err error) {
	defer func() {
		if recover() != nil {
			response, err = nil, errors.New("connection reset by peer")
		}
	}()
	return a.RoundTripper.RoundTrip(r)
}

// All requests wait as long as a busy site asks one to, in seconds or until a date.
func TestRetryAfter(t *testing.T) {
	for name, text := range map[string]func() string{
		"seconds": func() string { return "90" },
		"date":    func() string { return time.Now().Add(90 * time.Second).UTC().Format(http.TimeFormat) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start, times := time.Now(), []time.Duration(nil)
				c := client(func(w http.ResponseWriter, _ *http.Request) {
					if times = append(times, time.Since(start)); len(times) == 1 {
						w.Header().Set("Retry-After", text())
						w.WriteHeader(http.StatusTooManyRequests)
						return
					}
					fmt.Fprint(w, "{}")
				})
				done := make(chan error)
				ask := func() {
					var answer struct{}
					done <- c.Get(t.Context(), "/", &answer)
				}
				go ask()
				synctest.Wait()
				go ask()
				for range 2 {
					if err := <-done; err != nil {
						t.Error(err)
					}
				}
				if len(times) != 3 || times[1] != 90*time.Second || times[2] != 90*time.Second {
					t.Errorf("asked after %v", times)
				}
			})
		})
	}
}

// After the end of the context no request is made, and one in flight has a moment for its answer, but no more.
func TestEndOfContext(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer time.Duration // when it comes, after the end of the context
		want   bool
	}{
		{"in time", 300 * time.Millisecond, true},
		{"late", time.Minute, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				asked := 0
				site := client(func(w http.ResponseWriter, r *http.Request) {
					asked++
					_ = Wait(r.Context(), time.Second+c.answer)
					fmt.Fprint(w, "{}")
				})
				site.Timeout = 2 * time.Minute
				start := time.Now()
				var answer struct{}
				err := site.Get(ctx, "/", &answer)
				if took := time.Since(start); (err == nil) != c.want || took >= 2*time.Second {
					t.Errorf("%v after %v", err, took)
				}
				err = site.Post(ctx, "/", struct{}{}, &answer)
				if !errors.Is(err, context.DeadlineExceeded) || Unsettled(err) || asked != 1 {
					t.Errorf("asked %d times: %v", asked, err)
				}
			})
		})
	}
}

// Waits grow, differ, and do not grow for ever.
func TestBackoff(t *testing.T) {
	different := map[time.Duration]bool{}
	for n, most := range map[int]time.Duration{1: 2, 2: 4, 3: 8, 5: 32, 6: 60, 1000: 60} {
		for range 100 {
			d := Backoff(2*time.Second, n)
			if different[d] = true; d < most*time.Second/2 || d > most*time.Second {
				t.Errorf("%v after %d failures", d, n)
			}
		}
	}
	if len(different) < 500 {
		t.Errorf("%d different waits of 600", len(different))
	}
}

// A refusal gives the site's reason, whatever its key is.
func TestReasons(t *testing.T) {
	for body, want := range map[string]string{
		`{"error_msg": "closed\u001b[2J"}`: `refuses: "closed\x1b[2J"`,
		`{"detail": "no such hand"}`:       `refuses: "no such hand"`,
		`{"detail": [{"loc": "amount"}]}`:  `refuses: "[{\"loc\": \"amount\"}]"`,
		`<html>`:                           "HTTP status 403 Forbidden",
	} {
		c := client(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, body)
		})
		err := c.Get(t.Context(), "/", nil)
		if !Refused(err, http.StatusForbidden) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// A client without a time limit waits for a minute.
func TestDefaultTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		c.Timeout, c.Attempts = 0, 1
		began := time.Now()
		if err := c.Get(t.Context(), "/", new(map[string]int)); err == nil || time.Since(began) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// opened counts the answers that are open.
type opened struct {
	http.RoundTripper
	n int
}

func (o *opened) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := o.RoundTripper.RoundTrip(r)
	if err == nil {
		o.n++
		answer.Body = body{answer.Body, o}
	}
	return answer, err
}

type body struct {
	io.ReadCloser
	of *opened
}

func (b body) Close() error {
	b.of.n--
	return b.ReadCloser.Close()
}

// The tenth try sends what the first one did, and none leaves an answer open.
func TestTriesHoldNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent []string
		c := client(func(w http.ResponseWriter, r *http.Request) {
			text, err := io.ReadAll(r.Body)
			if sent = append(sent, string(text)); err != nil {
				t.Error(err)
			}
			w.WriteHeader(http.StatusServiceUnavailable)
		})
		answers := &opened{RoundTripper: c.Transport}
		c.Transport, c.Attempts = answers, 10
		err := c.Post(t.Context(), "/hands", map[string]int{"bet": 200}, new(map[string]int))
		if !Refused(err, http.StatusServiceUnavailable) || answers.n != 0 || len(sent) != 10 || sent[9] != sent[0] {
			t.Errorf("%d answers are open, sent %q: %v", answers.n, sent, err)
		}
	})
}
