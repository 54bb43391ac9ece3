package remote_test

import (
	"context"
	"errors"
	"iter"
	"sync"
	"testing"
	"time"

	"gamebots/bots/grid"
	"gamebots/bots/grid/remote"

	"github.com/nats-io/nats.go"
)

// ackWait is that of owners.
const ackWait = time.Second

// farm is a server on loopback for a test, with its connections and workers.
type farm struct {
	*testing.T
	Server *remote.Server
}

// serve starts a server.
func serve(t *testing.T) *farm {
	t.Helper()
	s, err := remote.Serve(remote.ServerConfig{Listen: "127.0.0.1:0", Store: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return &farm{t, s}
}

// Connect connects over the network, until the test ends.
func (f *farm) Connect(role remote.Role) *nats.Conn {
	f.Helper()
	c, err := remote.Link{URL: f.Server.URL(), Token: f.Server.Tokens().Of(role)}.Connect(f.Context(), role)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(c.Close)
	return c
}

// Owner returns an owner of the version "test".
func (f *farm) Owner() *remote.Owner {
	return &remote.Owner{Conn: f.Connect(remote.AsOwner), Version: "test", AckWait: ackWait}
}

// Work starts a worker, by default of the version "test", and returns a function that ends it as SIGTERM does. It ends
// with the test.
func (f *farm) Work(w *remote.Worker) (leave func()) {
	ctx, cancel := context.WithCancel(context.Background())
	if w.Conn == nil {
		w.Conn = f.Connect(remote.AsWorker)
	}
	if w.Version == "" {
		w.Version = "test"
	}
	var all sync.WaitGroup
	all.Go(func() {
		if err := w.Run(ctx); err != nil && !w.Conn.IsClosed() {
			f.Errorf("worker: %v", err)
		}
	})
	leave = func() { cancel(); all.Wait() }
	f.Cleanup(leave)
	return leave
}

// Run has a limit of time, so that a test that hangs says where.
func (f *farm) Run(g grid.Grid, jobs iter.Seq[grid.Job], done func(grid.Job, []byte) error) error {
	ctx, cancel := context.WithTimeoutCause(f.Context(), 2*time.Minute, errors.New("the run hangs"))
	defer cancel()
	return g.Run(ctx, jobs, done)
}
