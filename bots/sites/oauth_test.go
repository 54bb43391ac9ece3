package sites

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// tokens is a site that gives tokens, numbered from 1, and counts those that are shown.
type tokens struct {
	given, refuse int
	shown         map[string]int
	answer        string // to a request for a token, instead of one
}

// oauth returns a client of such a site.
func (s *tokens) oauth(t *testing.T) *OAuth {
	s.shown = map[string]int{}
	serve := func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/move":
			s.shown[r.Header.Get("Authorization")]++
			if r.Header.Get("Authorization") != fmt.Sprintf("Bearer token%d", s.given) || s.refuse > 0 {
				s.refuse--
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			fmt.Fprint(w, `{"done": true}`)
		case r.PostFormValue("client_secret") != "s3cret" || r.PostFormValue("client_id") != "me" ||
			r.PostFormValue("grant_type") != "client_credentials" || r.PostFormValue("scope") != "moves/make" ||
			r.URL.RawQuery != "" || r.Header.Get("Authorization") != "":
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error": "invalid_client"}`)
		case s.answer != "":
			fmt.Fprint(w, s.answer)
		default:
			s.given++
			fmt.Fprintf(w, `{"access_token": "token%d", "expires_in": 3600, "token_type": "Bearer"}`, s.given)
		}
	}
	return &OAuth{
		TokenURL: "https://site.test/token", Scope: "moves/make", ID: "me", Secret: key(t, "s3cret"),
		URL: "https://site.test", Client: func(url string, key Key) *Client {
			return &Client{URL: url, Key: key, Timeout: 10 * time.Second, Transport: handler(serve)}
		},
	}
}

// A token is asked for once, renewed before it expires, and renewed once if it is refused.
func TestTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &tokens{}
		o := s.oauth(t)
		move := func(want string) {
			t.Helper()
			var answer struct{ Done bool }
			err := o.Post(t.Context(), "/move", map[string]string{"move": "d4"}, &answer)
			if answer.Done != (want == "") || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%+v, %v, want %q", answer, err, want)
			}
		}
		if err := o.Check(t.Context()); err != nil {
			t.Error(err)
		}
		move("")
		move("")
		time.Sleep(59*time.Minute - time.Second)
		move("")
		if s.given != 1 {
			t.Errorf("%d tokens", s.given)
		}
		time.Sleep(time.Second)
		move("") // within its last minute
		s.refuse = 1
		move("")
		if s.given != 3 || s.shown["Bearer token2"] != 2 {
			t.Errorf("%d tokens, shown %v", s.given, s.shown)
		}
		s.refuse = 2
		move("401 Unauthorized")
		if s.given != 4 {
			t.Errorf("%d tokens", s.given)
		}
		move("")
	})
}

// An id or a secret that is wrong is known at once, and a site that is down may be up later.
func TestNoToken(t *testing.T) {
	for answer, want := range map[string]string{
		"":                               `no token: the server refuses: "invalid_client"`,
		`{}`:                             "no token: the server's answer cannot be right: access_token",
		`{"access_token": "a b"}`:        "access_token",
		`{"access_token": 7}`:            "no JSON object",
		"<html>":                         "no JSON object",
		`{"access_token": "a\r\nHost:"}`: "access_token",
	} {
		s := &tokens{answer: answer}
		o := s.oauth(t)
		if answer == "" {
			o.Secret = key(t, "wrong")
		}
		err := o.Post(t.Context(), "/move", 1, new(any))
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, new(*NoTokenError)) {
			t.Errorf("%q: %v, want %q", answer, err, want)
		}
		if err := o.Check(t.Context()); (err != nil) != (answer == "") {
			t.Errorf("%q: %v", answer, err)
		}
	}
}

// A secret goes to no address that others on the way could read.
func TestPlainToken(t *testing.T) {
	s := &tokens{}
	o := s.oauth(t)
	o.TokenURL = "http://site.test/token"
	if err := o.Check(context.Background()); !errors.Is(err, errPlainKey) {
		t.Error(err)
	}
}
