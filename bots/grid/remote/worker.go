package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	random "math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gamebots/bots/grid"
	"gamebots/internal/memory"
	"gamebots/internal/parallel"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Worker does jobs of any owner of the same version. A Worker runs once.
type Worker struct {
	Conn    *nats.Conn
	Kinds   grid.Kinds
	Version string       // version of the program, see Owner
	Slots   int          // jobs at a time; 0 is one for each core
	Device  string       // the name of its device, for who watches
	Log     *slog.Logger // nil discards

	js    jetstream.JetStream
	parts grid.Cache[string, []byte] // the shared parts of jobs, by checksum

	mu      sync.Mutex
	state   WorkerState
	running map[string]context.CancelCauseFunc // running jobs, by place
}

// errUnwanted stops the jobs of a run that has ended.
var errUnwanted = errors.New("the run was stopped")

// errSize reports that a part of a job, or its result, is larger than it may be.
var errSize = errors.New("a part of the job is too large")

// Run works until the context ends, or the connection for good. It then gives back
// the jobs that it has not done.
func (w *Worker) Run(ctx context.Context) error {
	var err error
	if w.js, err = jetstream.New(w.Conn); err != nil {
		return err
	}
	w.Log = cmp.Or(w.Log, slog.New(slog.DiscardHandler))
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	w.Slots = cmp.Or(w.Slots, runtime.GOMAXPROCS(0))
	w.state = WorkerState{
		ID: rand.Text()[:12], Host: host, Version: w.Version, Slots: w.Slots, Kinds: slices.Sorted(maps.Keys(w.Kinds)),
		Device: w.Device,
	}
	w.running = map[string]context.CancelCauseFunc{}
	for subject, handle := range map[string]nats.MsgHandler{
		toldPrefix + w.state.ID: func(m *nats.Msg) { w.Log.Warn(string(m.Data)) },
		stopPrefix + "*":        w.stop,
	} {
		s, err := w.Conn.Subscribe(subject, handle)
		if err != nil {
			return err
		}
		defer s.Unsubscribe()
	}

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
		sleep(working, w.renew(working))
	}
	all.Wait()
	if w.Conn.IsConnected() {
		leaving, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if kv, err := w.js.KeyValue(leaving, workersBucket); err == nil {
			_ = kv.Delete(leaving, w.state.ID) // else it expires
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return context.Cause(working)
}

// renew renews the worker's lease, and returns how long that is enough. Errors pass, or the lease expires: there has
// been no owner yet, or the server is away.
func (w *Worker) renew(ctx context.Context) time.Duration {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	w.mu.Lock()
	state := w.state
	state.Open = slices.Sorted(maps.Keys(w.running))
	w.mu.Unlock()
	kv, err := w.js.KeyValue(ctx, workersBucket)
	if err == nil {
		_, err = kv.Put(ctx, state.ID, mustMarshal(state))
	}
	if err == nil {
		if bucket, err := kv.Status(ctx); err == nil {
			return bucket.TTL() / 4
		}
	}
	return time.Second / 4
}

// stop cancels the jobs of a run.
func (w *Worker) stop(m *nats.Msg) {
	if s := (stop{}); parameters(m.Header, &s) != nil || !s.Stop {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for place, cancel := range w.running {
		if strings.HasPrefix(place, strings.TrimPrefix(m.Subject, stopPrefix)+".") {
			cancel(errUnwanted)
		}
	}
}

// slot does jobs, one at a time. There are none before the first owner, and while the server is away.
func (w *Worker) slot(ctx context.Context) {
	for ; ctx.Err() == nil; sleep(ctx, time.Second/5) {
		asking, cancel := context.WithTimeout(ctx, askTimeout)
		queue, err := w.js.Consumer(asking, jobStream, consumerName(w.Version))
		cancel()
		for err == nil && ctx.Err() == nil {
			asking, cancel := context.WithTimeout(ctx, time.Second) // a restarted server has forgotten the request
			var msg jetstream.Msg
			msg, err = queue.Next(jetstream.FetchContext(asking))
			cancel()
			switch {
			case err == nil:
				w.work(ctx, msg, queue.CachedInfo().Config.AckWait)
			case errors.Is(err, nats.ErrTimeout), errors.Is(err, context.DeadlineExceeded): // no job
				err = nil
			}
		}
	}
}

// work does the job of a message, reports its outcome, and acknowledges the message.
func (w *Worker) work(ctx context.Context, msg jetstream.Msg, wait time.Duration) {
	var t task
	meta, err := msg.Metadata()
	if err := errors.Join(err, parameters(msg.Headers(), &t)); err != nil {
		w.Log.Error("a job is not understood", "error", err)
		_ = msg.Term()
		return
	}
	_, place, _ := strings.Cut(strings.TrimPrefix(msg.Subject(), jobPrefix), ".")
	doing, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.mu.Lock()
	_, twice := w.running[place]
	if !twice {
		w.running[place] = cancel
	}
	w.mu.Unlock()
	if twice { // the server took this worker for dead, and will hear from it
		return
	}
	alive := make(chan struct{})
	living, end := context.WithCancel(context.Background())
	go func() {
		defer close(alive)
		for sleep(living, wait/4); living.Err() == nil; sleep(living, wait/4) {
			_ = msg.InProgress() // if it is lost, the next may be in time
		}
	}()
	defer func() {
		end()
		<-alive
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.running, place)
	}()
	o, result := outcome{Op: opDied, Error: fmt.Sprintf("%d workers died at it", maxDeaths)}, []byte(nil)
	if meta.NumDelivered <= maxDeaths {
		if meta.NumDelivered > 1 {
			_ = w.report(ctx, place, &t, outcome{Op: opBegun}, nil) // else it counts as not delivered
		}
		o, result = w.do(doing, &t, msg.Data())
	}
	if errors.Is(context.Cause(doing), errUnwanted) {
		_ = msg.Term()
		return
	}
	if o.Op == opReturn || o.Op == opRefuse { // another worker should have it first, and not in a fixed order
		defer func() { sleep(ctx, time.Duration(random.Int64N(int64(returnDelay)))) }()
	}
	if err := w.report(ctx, place, &t, o, result); err != nil {
		w.Log.Warn("a result is thrown away", "job", t.job(nil, nil).String(), "error", err)
		_ = msg.Nak() // or the server notices by the silence
		return
	}
	ctx, cancelAck := context.WithTimeout(context.WithoutCancel(ctx), askTimeout)
	defer cancelAck()
	_ = msg.DoubleAck(ctx) // else it comes again, and the result is dropped
}

// do does a job and returns its outcome.
func (w *Worker) do(ctx context.Context, t *task, spec []byte) (outcome, []byte) {
	var shared, result []byte
	var err error
	if t.Spec != nil {
		spec, err = w.fetch(ctx, t.Spec)
	}
	if t.Shared != nil && err == nil {
		shared, err = w.parts.Get(t.Shared.Sum, func() ([]byte, error) { return w.fetch(ctx, t.Shared) })
	}
	if err != nil && !errors.Is(err, errSize) {
		w.Log.Warn("a part of a job is missing", "job", t.job(nil, nil).String(), "error", err)
		return outcome{Op: opReturn, Error: err.Error()}, nil
	}
	start := time.Now()
	if err == nil {
		result, err = w.Kinds.Do(ctx, t.job(spec, shared))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case err == nil:
		w.state.Done++
		w.Log.Debug("done", "job", t.job(nil, nil).String(), "time", time.Since(start))
		return outcome{Op: opResult}, result
	case ctx.Err() != nil: // stopped, not failed
		return outcome{Op: opReturn}, nil
	case errors.As(err, new(*grid.UnwillingError)):
		return outcome{Op: opRefuse, Error: err.Error()}, nil
	}
	w.state.Failed++
	w.Log.Warn("a job failed", "job", t.job(nil, nil).String(), "error", err)
	return outcome{Op: opFailed, Error: err.Error()[:min(len(err.Error()), errorSize)]}, nil
}

// job returns the job of a task.
func (t *task) job(spec, shared []byte) grid.Job {
	return grid.Job{Run: t.Run, Shard: t.Shard, Seed: t.Seed, Kind: t.Kind, Spec: spec, Shared: shared}
}

// fetch returns a part of a job.
func (w *Worker) fetch(ctx context.Context, p *part) ([]byte, error) {
	if p.Size < 0 || p.Size > memory.Available() {
		return nil, fmt.Errorf("%w: %d bytes", errSize, p.Size)
	}
	data, err := getObject(ctx, w.js, partBucket, p.Name, p.Size)
	if err == nil && hash(data) != p.Sum {
		err = errors.New("it was damaged on the way")
	}
	return data, err
}

// report gives the outcome of a job to the server, which has it before it returns. A worker that ends does not wait for
// a server that is away.
func (w *Worker) report(ctx context.Context, place string, t *task, o outcome, result []byte) error {
	o.Worker = w.state.ID
	large := len(result) > inlineSize
	if large {
		o.Object = place + "." + rand.Text()
	}
	// Not the same for all workers: one that gives the job back late must not displace the result of the next.
	id, stored := t.id(place)+"-"+o.Worker+"-"+o.Op, false
	ending := context.WithoutCancel(ctx)
	publish := func() error {
		if large && !stored {
			// Each piece of it has the library's time.
			if err := putObject(ending, w.js, largeBucket, o.Object, result); err != nil {
				return err
			}
			stored, result = true, nil
		}
		ctx, cancel := context.WithTimeout(ending, askTimeout)
		defer cancel()
		_, err := w.js.PublishMsg(ctx, message(resultPrefix+place, o, result), jetstream.WithMsgID(id))
		return err
	}
	for deadline := time.Now().Add(keepResult); ; sleep(ctx, time.Second/5) {
		err := publish()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil, w.Conn.IsClosed(), w.Conn.IsConnected() && time.Now().After(deadline):
			if stored {
				ctx, cancel := context.WithTimeout(ending, askTimeout)
				defer cancel()
				_ = deleteObject(ctx, w.js, largeBucket, o.Object) // else the owner does at the end of its run
			}
			return err
		case !w.Conn.IsConnected():
			deadline = time.Now().Add(keepResult)
		}
	}
}

// sleep waits for d, or until the context ends.
func sleep(ctx context.Context, d time.Duration) { _ = parallel.Wait(ctx, time.After(d)) }
