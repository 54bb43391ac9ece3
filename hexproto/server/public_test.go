package server_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"testing"

	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"

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
	path := filepath.Join(t.TempDir(), "games.db")
	token, err := server.AddAccount(path, "ada", false)
	if err != nil {
		t.Fatal(err)
	}
	h := open(t, path, func(c *server.Config) { public(c); c.Limits.PerAddress = 1 })
	from := func(forwarded string) (*peer, *http.Response) {
		ws, resp, err := websocket.DefaultDialer.Dial(h.url, http.Header{"X-Forwarded-For": {forwarded}})
		if resp == nil {
			t.Fatal(err)
		}
		if err == nil {
			t.Cleanup(func() { ws.Close() })
		}
		return &peer{t: t, ws: ws, name: forwarded}, resp
	}
	silent, _ := from("203.0.113.7")
	ada, _ := from("198.51.100.1, 203.0.113.7")
	if code := silent.closed(); code != websocket.CloseTryAgainLater {
		t.Errorf("of two from an address the silent one is closed with %d", code)
	}
	ada.greet(&wire.Hello{Version: wire.Version, Token: token})
	for _, forwarded := range []string{"203.0.113.7", "198.51.100.1, 203.0.113.7"} {
		if _, resp := from(forwarded); resp.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("one more from %s: %s", forwarded, resp.Status)
		}
	}
	if _, resp := from("203.0.113.8"); resp.StatusCode != http.StatusSwitchingProtocols {
		t.Errorf("from another address: %s", resp.Status)
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

// A server with the certificate itself tells browsers to come by https only, but not under the names
// of every machine.
func TestTransportSecurity(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Open, c.Loopback = false, false })
	for url, want := range map[string]string{
		"https://games.example.org/healthz": "max-age=31536000", "http://games.example.org/healthz": "",
		"https://localhost/healthz": "", "https://127.0.0.1/healthz": "",
	} {
		w := httptest.NewRecorder()
		h.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", url, nil))
		if got := w.Header().Get("Strict-Transport-Security"); got != want || w.Code != http.StatusOK {
			t.Errorf("%s: %d, %q, want %q", url, w.Code, got, want)
		}
	}
}
