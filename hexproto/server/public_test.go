package server_test

import (
	"net/http"
	"net/url"
	"testing"

	"gamebots/hexproto/server"

	"github.com/gorilla/websocket"
)

// public makes a server one behind a proxy on this machine.
func public(c *server.Config) {
	c.PublicURL = &url.URL{Scheme: "https", Host: "games.example.org"}
	c.Open = false
}

// The limit for an address counts clients of a proxy by the address that the proxy
// adds, whatever else they claim.
func TestForwardedAddressLimit(t *testing.T) {
	h := start(t, func(c *server.Config) { public(c); c.Limits.PerAddress = 1 })
	for _, c := range []struct {
		forwarded string
		status    int
	}{
		{"203.0.113.7", http.StatusSwitchingProtocols},
		{"203.0.113.7", http.StatusServiceUnavailable},
		{"198.51.100.1, 203.0.113.7", http.StatusServiceUnavailable},
		{"203.0.113.8", http.StatusSwitchingProtocols},
	} {
		ws, resp, err := websocket.DefaultDialer.Dial(h.url, http.Header{"X-Forwarded-For": {c.forwarded}})
		if resp == nil {
			t.Fatal(err)
		}
		if err == nil {
			defer ws.Close()
		}
		if resp.StatusCode != c.status {
			t.Errorf("a client from %s: %s, want %d", c.forwarded, resp.Status, c.status)
		}
	}
}

// A public server answers to its own name and to addresses.
func TestPublicHost(t *testing.T) {
	h := start(t, public)
	for host, want := range map[string]int{
		"games.example.org": 200, "GAMES.example.org:443": 200, "127.0.0.1:8080": 200, "[::1]": 200, "localhost": 200,
		"games.example.com": 403, "games.example.org.evil.example": 403, "-": 403,
	} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", h.web.URL+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		resp, err := h.web.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%q: %s, want %d", host, resp.Status, want)
		}
	}
}
