package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gamebots/bots/grid"
	"gamebots/bots/grid/internal/memo"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Worker does jobs of any owner of the same version. A Worker runs once.
type Worker struct {
	Conn    *nats.Conn
	Kinds   grid.Kinds
	Version string       // version of the program, see Owner
	Slots   int          // jobs at a time; 0 is one for each core
	Log     *slog.Logger // nil discards

	log      *slog.Logger
	id, host string
	js       jetstream.JetStream
	blobs    memo.Cache[blob, []byte] // the shared parts of jobs

	mu      sync.Mutex
	running map[string]context.CancelCauseFunc // running jobs, by place
	ackWait time.Duration                      // AckWait of the consumer
	hurry   chan struct{}                      // asks for a hello now, as an AckWait was learned
	linked  context.Context                    // ends when the connection is lost, and with it all requests
	relink  context.CancelFunc
}

// errUnwanted stops the jobs of a run that has ended.
var errUnwanted = errors.New("the run was stopped")

// fetchTimeout is how long a worker asks for a job before it repeats the request,
// which a restarted server has forgotten.
const fetchTimeout = time.Second

// Run works until the context ends, or the connection for good. It then gives back
// the jobs that it has not done.
func (w *Worker) Run(ctx context.Context) error {
	var err error
	if w.js, err = jetstream.New(w.Conn); err != nil {
		return err
	}
	w.log = cmp.Or(w.Log, slog.New(slog.DiscardHandler))
	w.id = rand.Text()[:12]
	if w.host, err = os.Hostname(); err != nil {
		w.host = "unknown"
	}
	w.Slots = cmp.Or(w.Slots, runtime.GOMAXPROCS(0))
	w.running, w.ackWait, w.hurry = map[string]context.CancelCauseFunc{}, DefaultAckWait, make(chan struct{}, 1)
	for subject, handle := range map[string]nats.MsgHandler{
		logPrefix + w.id: func(m *nats.Msg) { w.log.Warn(string(m.Data)) },
		stopPrefix + "*": func(m *nats.Msg) { w.stop(strings.TrimPrefix(m.Subject, stopPrefix)) },
		callAll:          func(*nats.Msg) { w.greet(false) },
	} {
		s, err := w.Conn.Subscribe(subject, handle)
		if err != nil {
			return err
		}
		defer s.Unsubscribe()
	}
	defer w.followLink()()

	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var all sync.WaitGroup
	for range w.Slots {
		all.Go(func() { w.slot(working) })
	}
	for working.Err() == nil {
		if w.Conn.IsClosed() {
			stop(fmt.Errorf("the connection to the server ended: %w",
				cmp.Or(w.Conn.LastError(), nats.ErrConnectionClosed)))
			break
		}
		w.greet(false)
		select {
		case <-working.Done():
		case <-w.hurry:
		case <-time.After(min(helloEvery, w.wait()/4)):
		}
	}
	all.Wait()
	w.greet(true)
	if w.Conn.IsConnected() {
		_ = w.Conn.FlushTimeout(time.Second) // for the jobs that were given back
	}
	if ctx.Err() != nil {
		return nil
	}
	return context.Cause(working)
}

// followLink has requests end that were made over a connection which is lost. The caller calls end
// at its own end.
func (w *Worker) followLink() (end func()) {
	w.linked, w.relink = context.WithCancel(context.Background())
	w.Conn.SetReconnectHandler(func(*nats.Conn) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.relink()
		w.linked, w.relink = context.WithCancel(context.Background())
	})
	return func() {
		w.Conn.SetReconnectHandler(nil)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.relink()
	}
}

// greet publishes a hello, or a last one with bye.
func (w *Worker) greet(bye bool) {
	w.mu.Lock()
	h := hello{
		ID: w.id, Host: w.host, Version: w.Version, Slots: w.Slots, Kinds: slices.Sorted(maps.Keys(w.Kinds)),
		Busy: slices.Sorted(maps.Keys(w.running)), Bye: bye,
	}
	w.mu.Unlock()
	if w.Conn.IsConnected() { // else it would arrive late
		_ = w.Conn.PublishMsg(message(helloSubject(w.Version, w.id), h, nil))
	}
}

// stop cancels the jobs of a run.
func (w *Worker) stop(runTag string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for key, cancel := range w.running {
		if strings.HasPrefix(key, runTag+"/") {
			cancel(errUnwanted)
		}
	}
}

// wait returns the consumer's AckWait.
func (w *Worker) wait() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ackWait
}

// slot does jobs, one at a time.
func (w *Worker) slot(ctx context.Context) {
	var queue jetstream.Consumer
	for ctx.Err() == nil {
		if queue == nil {
			if queue = w.find(ctx); queue == nil {
				sleep(ctx, time.Second/5)
				continue
			}
		}
		asking, cancel := w.asking(ctx, fetchTimeout)
		msg, err := queue.Next(jetstream.FetchContext(asking))
		cancel()
		switch {
		case err == nil:
			w.work(ctx, msg)
		case errors.Is(err, nats.ErrTimeout), errors.Is(err, context.DeadlineExceeded), ctx.Err() != nil: // no job
		default:
			queue = nil
			sleep(ctx, time.Second/4)
		}
	}
}

// asking returns the context of a request, which is lost with the connection.
func (w *Worker) asking(ctx context.Context, patience time.Duration) (context.Context, context.CancelFunc) {
	asking, cancel := context.WithTimeout(ctx, patience)
	w.mu.Lock()
	defer w.mu.Unlock()
	stop := context.AfterFunc(w.linked, cancel)
	return asking, func() { stop(); cancel() }
}

// find returns the consumer of this version's jobs, or nil: there has been no owner
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
	if wait := queue.CachedInfo().Config.AckWait; wait != w.ackWait {
		w.ackWait = wait
		select {
		case w.hurry <- struct{}{}:
		default:
		}
	}
	return queue
}

// sleep waits for d, or until the context ends.
func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
