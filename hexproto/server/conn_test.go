package server

import (
	"crypto/tls"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// A connection with too much to read is reset: nothing is left to the system, which
// would go on sending for minutes.
func TestFullQueueResets(t *testing.T) {
	for name, serve := range map[string]func(http.Handler) *httptest.Server{"plain": httptest.NewServer, "TLS": httptest.NewTLSServer} {
		t.Run(name, func(t *testing.T) {
			web := serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				ws, err := upgrader.Upgrade(w, r, nil)
				if err != nil {
					t.Error(err)
					return
				}
				c := &conn{s: &Server{limits: Limits{Queue: 1}}, ws: ws, wake: make(chan struct{}, 1)}
				c.enqueue([]byte("{}"))
			}))
			defer web.Close()
			dialer := websocket.Dialer{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, HandshakeTimeout: 20 * time.Second}
			ws, _, err := dialer.Dial("ws"+strings.TrimPrefix(web.URL, "http"), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer ws.Close()
			ws.SetReadDeadline(time.Now().Add(20 * time.Second))
			_, _, err = ws.ReadMessage()
			if said := (*websocket.CloseError)(nil); err == nil || errors.As(err, &said) {
				t.Errorf("it ends with %v, not with a reset", err)
			}
		})
	}
}
