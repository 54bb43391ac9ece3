package client

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
)

// welcoming is a server that answers the first message of each connection by a welcome.
func welcoming(t *testing.T, w wire.Welcome) (url string) {
	web := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		ws, err := new(websocket.Upgrader).Upgrade(rw, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer ws.Close()
		frame, err := wire.Encode(1, &w)
		if err != nil {
			t.Error(err)
		}
		if _, _, err = ws.ReadMessage(); err == nil {
			err = ws.WriteMessage(websocket.TextMessage, frame)
		}
		for err == nil {
			_, _, err = ws.ReadMessage()
		}
	}))
	t.Cleanup(web.Close)
	return "ws" + strings.TrimPrefix(web.URL, "http")
}

// A server can give a token only to who has none, and nothing else in its place.
func TestSentToken(t *testing.T) {
	for _, c := range []struct {
		name, own, sent, saved string
		fails                  bool
	}{
		{"a new account", "", "gb_1", "gb_1", false},
		{"a token that nobody asked for", "gb_own", "gb_evil", "", false},
		{"two lines", "", "gb_1\n# and more", "", true},
		{"an escape sequence", "", "gb_\x1b[2J", "", true},
		{"a file", "", strings.Repeat("x", maxToken+1), "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			saved := ""
			r := &recorder{make(chan bool, 1), make(chan wire.Message, 1)}
			client := &Client{
				URL:   welcoming(t, wire.Welcome{Version: wire.Version, Token: c.sent}),
				Hello: wire.Hello{Token: c.own, Name: "ada"}, Handler: r,
				SaveToken: func(token string) error { saved = token; return nil },
			}
			running, end := context.WithCancel(t.Context())
			defer end()
			ended := make(chan error, 1)
			go func() { ended <- client.Run(running) }()
			var err error
			if c.fails {
				err = <-ended
			} else {
				<-r.welcomed
				end()
				err = <-ended
			}
			if saved != c.saved || (err != nil) != c.fails {
				t.Errorf("it saves %q, and ends with %v", saved, err)
			}
			if want := c.own + c.saved; !c.fails && client.Hello.Token != want {
				t.Errorf("it goes on with the token %q, want %q", client.Hello.Token, want)
			}
		})
	}
}

// An address without TLS, or that sends to another one, is told at once.
func TestAddressesWithoutServer(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://games.example.org/ws", http.StatusPermanentRedirect)
	}))
	defer plain.Close()
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	for url, want := range map[string]string{
		"ws" + strings.TrimPrefix(plain.URL, "http"):    `308 Permanent Redirect to "https://games.example.org/ws"`,
		"wss" + strings.TrimPrefix(plain.URL, "http"):   "tls: first record does not look like a TLS handshake",
		"wss" + strings.TrimPrefix(secure.URL, "https"): "tls: failed to verify certificate",
	} {
		c := &Client{URL: url, Hello: wire.Hello{Token: "x"}, Handler: &recorder{}}
		if err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
}

// Who is turned away before the first welcome hears why.
func TestTurnedAway(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "banned until\x1b tomorrow", http.StatusForbidden)
	}))
	defer web.Close()
	c := &Client{URL: "ws" + strings.TrimPrefix(web.URL, "http"), Handler: &recorder{}}
	if err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), `: "banned until\x1b tomorrow"`) {
		t.Error(err)
	}
}
