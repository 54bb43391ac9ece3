package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gamebots/bots/grid"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/rs/zerolog"
)

// Worker does jobs of whatever owner has some.
type Worker struct {
	Conn    *nats.Conn
	Kinds   grid.Kinds
	Version string // of the program, see Owner
	Slots   int    // jobs at a time; 0 is one a core
	Log     zerolog.Logger

	id, host string
	js       jetstream.JetStream
	blobs    blobs

	mu      sync.Mutex
	running map[string]context.CancelCauseFunc // by place
	ackWait time.Duration                      // as the consumer has it
	linked  context.Context                    // ends when the connection is another: what was asked is lost
	relink  context.CancelFunc
}

// errUnwanted is why jobs of a run are stopped that is over.
var errUnwanted = errors.New("the run was stopped")

// waitFor is how long a worker asks for a job before it asks anew, in case that a
// server forgot.
const waitFor = time.Second

// Run works until the context ends or the connection does for good. Jobs that
// are not done then are given back. A worker runs once.
func (w *Worker) Run(ctx context.Context) error {
	var err error
	if w.js, err = jetstream.New(w.Conn); err != nil {
		return err
	}
	w.id = rand.Text()[:12]
	if w.host, err = os.Hostname(); err != nil {
		w.host = "unknown"
	}
	w.Slots = cmp.Or(w.Slots, runtime.GOMAXPROCS(0))
	w.running, w.ackWait = map[string]context.CancelCauseFunc{}, DefaultAckWait
	told, err := w.Conn.Subscribe(toldPrefix+w.id, func(m *nats.Msg) { w.Log.Warn().Msg(string(m.Data)) })
	if err != nil {
		return err
	}
	defer told.Unsubscribe()
	stops, err := w.Conn.Subscribe(stopPrefix+"*", func(m *nats.Msg) { w.stop(strings.TrimPrefix(m.Subject, stopPrefix)) })
	if err != nil {
		return err
	}
	defer stops.Unsubscribe()
	calls, err := w.Conn.Subscribe(callAll, func(*nats.Msg) { w.greet(false) })
	if err != nil {
		return err
	}
	defer calls.Unsubscribe()

	w.linked, w.relink = context.WithCancel(context.Background())
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.relink()
	}()
	w.Conn.SetReconnectHandler(func(*nats.Conn) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.relink()
		w.linked, w.relink = context.WithCancel(context.Background())
	})
	defer w.Conn.SetReconnectHandler(nil)

	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var all sync.WaitGroup
	for range w.Slots {
		all.Go(func() { w.slot(working) })
	}
	for working.Err() == nil {
		if w.Conn.IsClosed() {
			stop(fmt.Errorf("the connection to the server ended: %w", cmp.Or(w.Conn.LastError(), nats.ErrConnectionClosed)))
			break
		}
		w.greet(false)
		sleep(working, min(helloEvery, w.wait()/4))
	}
	all.Wait()
	w.greet(true)
	if w.Conn.IsConnected() {
		_ = w.Conn.FlushTimeout(time.Second) // of what was given back
	}
	if ctx.Err() != nil {
		return nil
	}
	return context.Cause(working)
}

// greet says hello, or that the worker leaves.
func (w *Worker) greet(bye bool) {
	w.mu.Lock()
	h := hello{ID: w.id, Host: w.host, Version: w.Version, Slots: w.Slots, Kinds: slices.Sorted(maps.Keys(w.Kinds)), Busy: slices.Sorted(maps.Keys(w.running)), Bye: bye}
	w.mu.Unlock()
	if w.Conn.IsConnected() { // else it would be late
		_ = w.Conn.PublishMsg(message(helloSubject(w.Version, w.id), h, nil))
	}
}

// stop ends the jobs of a run.
func (w *Worker) stop(runTag string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for place, cancel := range w.running {
		if strings.HasPrefix(place, runTag+"/") {
			cancel(errUnwanted)
		}
	}
}

// wait returns how long a job may be without a sign of life.
func (w *Worker) wait() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ackWait
}

// slot does jobs one after the other.
func (w *Worker) slot(ctx context.Context) {
	var queue jetstream.Consumer
	for ctx.Err() == nil {
		if queue == nil {
			if queue = w.find(ctx); queue == nil {
				sleep(ctx, time.Second/5)
				continue
			}
		}
		asking, cancel := w.asking(ctx, waitFor)
		msg, err := queue.Next(jetstream.FetchContext(asking))
		cancel()
		switch {
		case err == nil:
			w.work(ctx, msg)
		case errors.Is(err, nats.ErrTimeout), errors.Is(err, context.DeadlineExceeded), ctx.Err() != nil: // there was none
		default:
			queue = nil
			sleep(ctx, time.Second/4)
		}
	}
}

// asking returns a context for what is asked over the connection as it is now.
func (w *Worker) asking(ctx context.Context, patience time.Duration) (context.Context, context.CancelFunc) {
	asking, cancel := context.WithTimeout(ctx, patience)
	w.mu.Lock()
	defer w.mu.Unlock()
	stop := context.AfterFunc(w.linked, cancel)
	return asking, func() { stop(); cancel() }
}

// find finds the jobs of this version, nil if there are none: no owner was there
// yet, or the server is away.
func (w *Worker) find(ctx context.Context) jetstream.Consumer {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	queue, err := w.js.Consumer(ctx, stream, consumerName(w.Version))
	if err != nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ackWait = queue.CachedInfo().Config.AckWait
	return queue
}

// sleep waits, at most until the context ends.
func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
