package remote

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gamebots/bots/grid"
	"gamebots/internal/memory"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// delivery is a job at a worker, from its message to the owner's confirmation.
type delivery struct {
	*Worker
	task  task
	msg   jetstream.Msg
	owner string        // subject of the run's owner
	wait  time.Duration // the consumer's AckWait
}

// How long a worker waits for an owner that does not answer: before it starts a job,
// which it then returns, and with a finished result.
const (
	absentDelay = time.Second
	keepResult  = time.Minute
)

// errAbsent reports that no owner answers.
var errAbsent = errors.New("the owner of the run does not answer")

// errSize reports that a part of a job is larger than this machine's memory.
var errSize = errors.New("a part of the job is too large")

// work does the job of a message, and settles the message.
func (w *Worker) work(ctx context.Context, msg jetstream.Msg) {
	e := delivery{Worker: w, msg: msg, wait: w.wait()}
	if err := parameters(msg.Headers(), &e.task); err != nil {
		w.log.Error("a job is not understood", "error", err)
		_ = msg.Term()
		return
	}
	runTag := tag(e.task.Run)
	e.owner = runPrefix + runTag
	doing, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	where := jobKey(runTag, e.task.Shard)
	w.mu.Lock()
	_, twice := w.running[where]
	if !twice {
		w.running[where] = cancel
	}
	w.mu.Unlock()
	if twice { // the server took this worker for dead and delivered the job again
		_ = msg.NakWithDelay(e.wait)
		return
	}
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.running, where)
	}()
	alive := make(chan struct{})
	defer func() { <-alive }()
	living, end := context.WithCancel(context.Background())
	defer end()
	go func() {
		defer close(alive)
		e.keepAlive(living)
	}()
	e.settle(doing, e.do(doing))
}

// keepAlive reports to the server that the job is in progress.
func (e *delivery) keepAlive(ctx context.Context) {
	t := time.NewTicker(e.wait / 4)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			_ = e.msg.InProgress() // if it is lost, the next may be in time
		}
	}
}

// do does the job and returns the owner's last answer.
func (e *delivery) do(ctx context.Context) (say string) {
	a, _, err := e.ask(ctx, ask{Op: opStart}, nil, absentDelay)
	if err != nil || a.Say != sayGo {
		return a.Say
	}
	spec, shared, err := e.fetch(ctx)
	if err != nil && !errors.Is(err, errSize) {
		return ""
	}
	job := e.task.job(spec)
	job.Shared = shared
	start := time.Now()
	var result []byte
	if err == nil {
		result, err = e.Kinds.Do(ctx, job)
	}
	if ctx.Err() != nil && err != nil { // stopped, not failed
		return ""
	}
	q, data := ask{Op: opResult}, result
	if err != nil {
		e.log.Warn("a job failed", "job", job.String(), "error", err)
		q, data = ask{Op: opFailed, Error: err.Error()[:min(len(err.Error()), errorSize)]}, nil
		if errors.As(err, new(*grid.UnwillingError)) {
			q.Op = opRefuse
		}
	}
	if a, err = e.deliver(ctx, q, data); err != nil {
		e.log.Warn("a result is thrown away", "job", job.String(), "error", err)
		return ""
	}
	e.log.Debug("done", "job", job.String(), "time", time.Since(start), "owner", a.Say)
	return a.Say
}

// settle acknowledges the job's message, or returns it.
func (e *delivery) settle(ctx context.Context, say string) {
	var err error
	switch {
	case say == sayDone:
		err = e.msg.Ack()
	case say == sayGivenUp || errors.Is(context.Cause(ctx), errUnwanted):
		err = e.msg.Term()
	case say == sayAgain:
		err = e.msg.Nak()
	case say == sayBusy:
		err = e.msg.NakWithDelay(e.wait)
	case ctx.Err() != nil: // the worker ends
		e.giveBack()
		err = e.msg.Nak()
	default: // sayLater, or no owner
		err = e.msg.NakWithDelay(absentDelay)
	}
	if err != nil {
		e.log.Debug("the server was not told", "error", err, "say", say) // it notices by the missing acknowledgement
	}
}

// giveBack reports to the owner that this worker no longer does the job.
func (e *delivery) giveBack() {
	m := message(e.owner, ask{Op: opReturn, Worker: e.id, Shard: e.task.Shard}, nil)
	_ = e.Conn.PublishMsg(m) // if it is lost, the owner notices by the missing hellos
}

// fetch returns the spec and the shared part of the job.
func (e *delivery) fetch(ctx context.Context) (spec, shared []byte, err error) {
	spec = e.msg.Data()
	if b := e.task.Spec; b != nil {
		if spec, err = e.download(ctx, b); err != nil {
			return nil, nil, err
		}
	}
	if b := e.task.Shared; b != nil {
		shared, err = e.blobs.Get(*b, func() ([]byte, error) { return e.download(ctx, b) })
	}
	return spec, shared, err
}

// download fetches a blob from the owner, in pieces.
func (e *delivery) download(ctx context.Context, b *blob) ([]byte, error) {
	if b.Size < 0 || int64(b.Size) > memory.Available() {
		return nil, fmt.Errorf("%w: %d bytes", errSize, b.Size)
	}
	var data []byte // grows with what arrives
	for len(data) < b.Size {
		a, piece, err := e.ask(ctx, ask{Op: opBlob, Blob: b, Offset: len(data)}, nil, keepResult)
		if err != nil {
			return nil, err
		}
		if a.Say != sayPiece || len(piece) == 0 || len(data)+len(piece) > b.Size {
			return nil, fmt.Errorf("a part of the job is gone: %s", a.Say)
		}
		data = append(data, piece...)
	}
	if !b.is(data) {
		return nil, errors.New("a part of the job was damaged on the way")
	}
	return data, nil
}

// deliver sends a result to the owner, in pieces.
func (e *delivery) deliver(ctx context.Context, q ask, data []byte) (answer, error) {
	if q.Op == opResult {
		q.Blob = blobOf(data)
	}
	for {
		piece := data[q.Offset:min(q.Offset+pieceSize, len(data))]
		a, _, err := e.ask(ctx, q, piece, keepResult)
		if err != nil || a.Say != sayPiece {
			return a, err
		}
		if a.Offset < 0 || a.Offset > len(data) {
			return answer{}, fmt.Errorf("the owner wants byte %d of %d", a.Offset, len(data))
		}
		q.Offset = a.Offset
	}
}

// ask asks the owner until it answers. It waits for an absent owner with patience, not
// counting the time that the server is away.
func (e *delivery) ask(ctx context.Context, q ask, data []byte, patience time.Duration) (answer, []byte, error) {
	q.Worker, q.Shard = e.id, e.task.Shard
	deadline := time.Now().Add(patience)
	for {
		asking, cancel := e.asking(ctx, askTimeout)
		m, err := e.Conn.RequestMsgWithContext(asking, message(e.owner, q, data))
		cancel()
		if err == nil {
			var a answer
			if err := parameters(m.Header, &a); err != nil {
				return answer{}, nil, err
			}
			return a, m.Data, nil
		}
		switch {
		case ctx.Err() != nil:
			return answer{}, nil, context.Cause(ctx)
		case errors.Is(err, nats.ErrConnectionClosed), errors.Is(err, nats.ErrMaxPayload):
			return answer{}, nil, err
		case !e.Conn.IsConnected():
			deadline = time.Now().Add(patience)
		case time.Now().After(deadline):
			return answer{}, nil, errAbsent
		}
		sleep(ctx, time.Second/5)
	}
}
