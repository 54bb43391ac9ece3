package remote_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"gamebots/bots/grid/internal/gridtest"
	"gamebots/bots/grid/remote"
	"gamebots/internal/testkit"
)

// syncBuffer is a log that a test reads while it is written.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func (s *syncBuffer) logger() *slog.Logger { return slog.New(slog.NewTextHandler(s, nil)) }

// Nothing is sent to, or taken from, other machines without a token and TLS.
func TestUnsafe(t *testing.T) {
	for _, l := range []remote.Link{
		{URL: "nats://192.0.2.1:4222"},
		{URL: "nats://192.0.2.1:4222", Token: "secret"},
		{URL: "tls://192.0.2.1:4222"},
	} {
		_, err := l.Connect(t.Context(), remote.AsWorker)
		var setup *remote.SetupError
		if !errors.As(err, &setup) || !strings.Contains(err.Error(), "where a token and TLS are needed") ||
			setup.Problem != remote.UnprotectedLink {
			t.Errorf("%+v: error %v", l, err)
		}
	}
	for _, c := range []remote.ServerConfig{{Listen: ":0"}, {Listen: "0.0.0.0:0", Tokens: testTokens},
		{Listen: "0.0.0.0:0", Tokens: remote.Tokens{Worker: "x"}, Cert: "x", Key: "x"},
		{Listen: "0.0.0.0:0", Cert: "x", Key: "x"}} {
		if _, err := remote.Serve(c); err == nil || !strings.Contains(err.Error(), "where tokens and TLS are needed") {
			t.Errorf("%+v: error %v", c, err)
		}
	}
	for _, listen := range []string{"", "4222", "127.0.0.1:x", "127.0.0.1:99999"} {
		if _, err := remote.Serve(remote.ServerConfig{Listen: listen}); err == nil {
			t.Errorf("listening at %q", listen)
		}
	}
}

// With the keys of a folder a run goes over TLS; without, every way to be wrong
// has an error that says so.
func TestKeys(t *testing.T) {
	dir := t.TempDir()
	keys, err := remote.MakeKeys(dir, []string{"192.0.2.1", "grid.example.org"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := remote.MakeKeys(dir, nil); !errors.Is(err, os.ErrExist) {
		t.Errorf("keys are replaced: %v", err)
	}
	tokens, err := keys.Tokens()
	if err != nil {
		t.Fatal(err)
	}
	s, err := remote.Serve(remote.ServerConfig{Listen: "127.0.0.1:0", Tokens: tokens, Cert: keys.Cert, Key: keys.Key})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !strings.HasPrefix(s.URL(), "tls://127.0.0.1:") {
		t.Errorf("URL %s", s.URL())
	}
	local, err := s.Connect(remote.AsOwner)
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()

	other, err := remote.MakeKeys(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	token := tokens.Worker
	good := remote.Link{URL: s.URL(), Token: token, CA: keys.CA}
	for _, c := range []struct {
		name string
		link remote.Link
		want string
	}{
		{"no token", remote.Link{URL: good.URL, CA: good.CA}, "the token is missing or wrong"},
		{"wrong token", remote.Link{URL: good.URL, Token: "x", CA: good.CA}, "the token is missing or wrong"},
		{"unknown authority", remote.Link{URL: good.URL, Token: token}, "certificate signed by unknown authority"},
		{"another authority", remote.Link{URL: good.URL, Token: token, CA: other.CA},
			"certificate signed by unknown authority"},
		{"no CA file", remote.Link{URL: good.URL, Token: token, CA: dir + "/none"}, "no such file"},
	} {
		conn, err := c.link.Connect(t.Context(), remote.AsWorker)
		if err == nil {
			conn.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}

	conn, err := good.Connect(t.Context(), remote.AsWorker)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	h := &farm{T: t, Server: s}
	h.Work(&remote.Worker{Conn: conn, Kinds: gridtest.Kinds})
	var c gridtest.Collect
	if err := h.Run(&remote.Owner{Conn: local, Version: "test", Memory: true},
		gridtest.Jobs("safe", 0, 50), c.Done); err != nil {
		t.Fatal(err)
	}
	c.Check(t, 50)
}

// Where no server is there is an error, or waiting.
func TestNoServer(t *testing.T) {
	address := testkit.FreeAddress(t)
	link := remote.Link{URL: "nats://" + address}
	if _, err := link.Connect(t.Context(), remote.AsWorker); err == nil ||
		!strings.Contains(err.Error(), "no server at nats://"+address) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	link.Patience, link.OnWait = time.Hour, func(error) { cancel() }
	if _, err := link.Connect(ctx, remote.AsWorker); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}

	s, err := remote.Serve(remote.ServerConfig{Listen: address})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := remote.Serve(remote.ServerConfig{Listen: address}); err == nil ||
		!strings.Contains(err.Error(), "address already in use") {
		t.Errorf("two servers: %v", err)
	}
}
