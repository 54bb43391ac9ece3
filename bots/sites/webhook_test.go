package sites

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Connections beyond the limit close the oldest ones; the end of the context closes all.
func TestServe(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	h := &Webhook{Ping: map[string]bool{"up": true}, Log: slog.New(slog.DiscardHandler)}
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(ctx, l) }()
	ask := func(path string) (status int, text string) {
		t.Helper()
		r, err := http.Get("http://" + l.Addr().String() + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, strings.TrimSpace(string(body))
	}
	if status, text := ask("/healthz"); status != 200 || text != "ok" {
		t.Error(status, text)
	}
	if status, text := ask("/any/path"); status != 200 || text != `{"up":true}` {
		t.Error(status, text)
	}
	http.DefaultClient.CloseIdleConnections()
	var open []net.Conn
	for range maxConnections + 20 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		open = append(open, c)
	}
	// The oldest ones make room.
	if _, err := open[0].Read(make([]byte, 1)); err == nil {
		t.Error("a connection beyond the limit is open")
	}
	last := open[len(open)-1]
	fmt.Fprint(last, "GET / HTTP/1.1\r\nHost: bot.test\r\n\r\n")
	if line, err := bufio.NewReader(last).ReadString('\n'); err != nil || !strings.Contains(line, "200 OK") {
		t.Errorf("%q: %v", line, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := open[len(open)-2].Read(make([]byte, 1)); err == nil {
		t.Error("a connection outlives the server")
	}
}

// one is a listener with one connection.
type one struct {
	net.Listener
	connection chan net.Conn
}

func (l one) Accept() (net.Conn, error) {
	c, ok := <-l.connection
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (l one) Close() error { close(l.connection); return nil }

// A body that does not come is waited for ten seconds.
func TestSlowBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		l := one{connection: make(chan net.Conn, 1)}
		ours, theirs := net.Pipe()
		l.connection <- theirs
		public, private, err := ed25519.GenerateKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		h := &Webhook{Key: public, Log: slog.New(slog.DiscardHandler), Take: func(Signed) (int, string) {
			t.Error("half a request was taken")
			return 200, ""
		}}
		ended := make(chan error, 1)
		go func() { ended <- h.Serve(ctx, l) }()
		timestamp := fmt.Sprint(time.Now().Unix())
		go fmt.Fprintf(ours, "POST / HTTP/1.1\r\nHost: bot.test\r\nContent-Length: 9\r\nX-Signature-Timestamp: %s\r\n"+
			"X-Signature-Nonce: n\r\nX-Signature: %s\r\n\r\nhalf", timestamp,
			base64.StdEncoding.EncodeToString(ed25519.Sign(private, []byte(timestamp+".n.half"))))
		start := time.Now()
		answer, err := io.ReadAll(ours)
		if waited := time.Since(start); err != nil || !strings.Contains(string(answer), "408 Request Timeout") ||
			waited < requestTime || waited > 2*requestTime {
			t.Errorf("after %v: %s %v", waited, answer, err)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// The memory of nonces is bounded, and forgets what could not come again.
func TestNonces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := Nonces{}
		for i := range maxNonces {
			if status, text := n.Use(Signed{nonce: fmt.Sprint(i), at: time.Now()}); status != 0 {
				t.Fatal(status, text)
			}
		}
		if status, _ := n.Use(Signed{nonce: "0", at: time.Now()}); status != http.StatusUnauthorized {
			t.Error("used twice:", status)
		}
		if status, _ := n.Use(Signed{nonce: "more", at: time.Now()}); status != http.StatusTooManyRequests {
			t.Error("too many:", status)
		}
		time.Sleep(maxAge + time.Second)
		if status, text := n.Use(Signed{nonce: "more", at: time.Now()}); status != 0 || len(n) != 1 {
			t.Error(status, text, len(n))
		}
	})
}

// Public keys are read in both formats of SSH, as ssh-keygen writes them.
func TestParsePublicKey(t *testing.T) {
	const blob = "AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
	for _, text := range []string{
		"ssh-ed25519 " + blob + "\n", "ssh-ed25519 " + blob + " somebody@somewhere", blob,
		"---- BEGIN SSH2 PUBLIC KEY ----\nComment: \"256-bit ED25519\"\n" + blob[:60] + "\n" + blob[60:] +
			"\n---- END SSH2 PUBLIC KEY ----\n",
		"---- BEGIN SSH2 PUBLIC KEY ----\r\nComment: x\r\n" + blob + "\r\n---- END SSH2 PUBLIC KEY ----\r\n",
	} {
		key, err := ParsePublicKey(text)
		if err != nil || len(key) != 32 || key[0] != 0 || key[31] != 31 {
			t.Errorf("%q: %v, %v", text, key, err)
		}
	}
	for _, text := range []string{
		"", "<html>", "ssh-ed25519", "ssh-ed25519 !", "ssh-ed25519 " + blob[:40],
		"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ==",
		"ssh-ed25519 " + base64.StdEncoding.EncodeToString([]byte(keyHead)), blob + blob,
	} {
		if key, err := ParsePublicKey(text); err == nil {
			t.Errorf("%q: %v", text, key)
		}
	}
}
