package remote

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"gamebots/bots/grid"

	"github.com/nats-io/nats.go"
)

// Options configure [Open].
type Options struct {
	// Server, if not nil, is started in this process. Otherwise Link names one.
	Server *ServerConfig
	Link   Link

	Version string
	// Kinds are the jobs that this process can do itself, Own of them at a time; 0
	// leaves all jobs to other workers.
	Kinds grid.Kinds
	Own   int
	Log   *slog.Logger // log of the owner; nil discards
}

// Session is an owner, with its connections, and a worker and a server in this process
// where there are some.
type Session struct {
	Owner  *Owner
	Server *Server // nil if it is not in this process

	closers []func() error
}

// Open starts an owner, and a server and a worker if the options have them. The caller
// closes the session.
func Open(ctx context.Context, o Options) (*Session, error) {
	s := &Session{}
	if err := s.open(ctx, &o); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Session) open(ctx context.Context, o *Options) (err error) {
	connect := func(role Role) (*nats.Conn, error) { return o.Link.Connect(ctx, role) }
	if o.Server != nil {
		if s.Server, err = Serve(*o.Server); err != nil {
			return err
		}
		s.closers = append(s.closers, s.Server.Close)
		connect = s.Server.Connect
	}
	conn, err := connect(AsOwner)
	if err != nil {
		return err
	}
	s.closers = append(s.closers, func() error { conn.Close(); return nil })
	s.Owner = &Owner{Conn: conn, Version: o.Version, Memory: o.Server != nil, Log: o.Log}
	if o.Own == 0 {
		return nil
	}
	workerConn, err := connect(AsWorker)
	if err != nil {
		return err
	}
	w := &Worker{Conn: workerConn, Kinds: o.Kinds, Version: o.Version, Slots: o.Own}
	working, stop := context.WithCancel(context.WithoutCancel(ctx)) // the owner cancels its jobs
	var running sync.WaitGroup
	var failed error
	running.Go(func() { failed = w.Run(working) })
	s.closers = append(s.closers, func() error { stop(); running.Wait(); workerConn.Close(); return failed })
	return nil
}

// Close ends the worker, the connections and the server.
func (s *Session) Close() error {
	var all error
	for i := range s.closers {
		all = errors.Join(all, s.closers[len(s.closers)-1-i]())
	}
	return all
}
