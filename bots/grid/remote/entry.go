package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gamebots/bots/grid"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// entry is an open job: its result is not stored yet.
type entry struct {
	job    grid.Job
	msg    *nats.Msg
	spec   *blob     // nil if the message contains the spec
	worker string    // ID of the worker that does it, "" if none is known
	began  time.Time // start of that worker's try
	fails  int
	died   int       // workers that died at it
	err    error     // error of the last failure
	heard  time.Time // when it was published, or last mentioned by a worker

	sent   jetstream.PubAckFuture // pending acknowledgement of the stream, or nil
	resend bool                   // it has to be published again
	copies int                    // number of new message IDs

	parts   map[string]*part // parts by worker
	refused map[string]bool  // workers that do not do it
}

// part is the received part of a result.
type part struct {
	blob  blob
	data  []byte
	heard time.Time // when the last piece came
}

// add opens and publishes a job.
func (r *run) add(job grid.Job) error {
	switch {
	case job.Run != r.name:
		return fmt.Errorf("job %v is not of the run %s", job, r.name)
	case r.open[job.Shard] != nil:
		return fmt.Errorf("job %v is there twice", job)
	}
	t := task{Run: job.Run, Shard: job.Shard, Seed: job.Seed, Kind: job.Kind}
	data := job.Spec
	if len(data) > inlineSize {
		t.Spec = blobOf(data)
		r.blobUsers[t.Spec.Sum]++
		r.blobs[t.Spec.Sum] = data
		data = nil
	}
	if len(job.Shared) > 0 {
		if r.sharedBlob == nil || len(r.shared) != len(job.Shared) || &r.shared[0] != &job.Shared[0] {
			r.shared, r.sharedBlob = job.Shared, blobOf(job.Shared)
			r.blobs[r.sharedBlob.Sum] = job.Shared
			r.blobUsers[r.sharedBlob.Sum]++ // never decremented: later jobs may share it
		}
		t.Shared = r.sharedBlob
	}
	e := &entry{
		job: job, spec: t.Spec, msg: message(jobSubject(r.Version, r.name, job.Shard), t, data),
		parts: map[string]*part{},
	}
	r.open[job.Shard] = e
	r.publish(e)
	return nil
}

// publish puts an open job into the stream. Where that fails, watch publishes it again
// with the same message ID, which the stream stores once.
func (r *run) publish(e *entry) {
	e.heard = time.Now()
	m := *e.msg
	m.Header = nats.Header{header: e.msg.Header[header]}
	f, err := r.js.PublishMsgAsync(&m, jetstream.WithMsgID(messageID(r.session, e.job.Shard, e.copies)),
		jetstream.WithStallWait(time.Millisecond))
	e.sent, e.resend = f, err != nil
	if err != nil {
		r.full = true
	}
}

// republish publishes all open jobs again, after the server was away and may have
// lost them.
func (r *run) republish(ctx context.Context) {
	r.log.Info("the server is back", "jobs", len(r.open))
	r.workers.excuse(time.Now())
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	if _, err := r.stream(ctx); err != nil {
		r.log.Warn("the server is not ready", "error", err)
	}
	for _, e := range r.open {
		r.publish(e)
	}
}

// reportEvery is the interval of the owner's progress reports.
const reportEvery = time.Minute

// watch is called every second. It publishes again jobs that did not arrive, and jobs
// that no worker has mentioned for long although workers are idle.
func (r *run) watch(now time.Time) {
	r.full = false
	r.workers.expire(now)
	if now.Sub(r.lastReport) > reportEvery {
		r.lastReport = now
		r.log.Info("jobs", "done", r.stored, "open", len(r.open), "workers", r.workers.size(),
			"connected", r.Conn.IsConnected())
	}
	if !r.Conn.IsConnected() {
		return
	}
	idle := r.workers.idle()
	var refused error
	for _, e := range r.open {
		if e.sent != nil {
			select {
			case <-e.sent.Ok():
				e.sent = nil
			case refused = <-e.sent.Err():
				e.sent, e.resend = nil, true
			default:
			}
		}
		if e.sent == nil && !e.resend && idle && now.Sub(e.heard) > 3*r.ackWait {
			e.copies++ // the stream lost it
			e.resend = true
		}
		if e.resend {
			r.publish(e)
		}
	}
	if refused != nil {
		r.log.Warn("the server did not take a job, trying again", "error", refused)
	}
}

// close ends an entry.
func (r *run) close(e *entry) {
	delete(r.open, e.job.Shard)
	for worker := range e.parts {
		r.dropPart(e, worker)
	}
	if e.spec == nil {
		return
	}
	if r.blobUsers[e.spec.Sum]--; r.blobUsers[e.spec.Sum] == 0 {
		delete(r.blobUsers, e.spec.Sum)
		delete(r.blobs, e.spec.Sum)
	}
}

// giveUp gives up a job.
func (r *run) giveUp(e *entry) {
	r.failedJobs.Jobs = append(r.failedJobs.Jobs, grid.FailedJob{Job: e.job, Tries: e.fails + e.died, Err: e.err})
	r.log.Error("a job is given up", "error", e.err, "shard", e.job.Shard, "tries", e.fails+e.died)
	r.close(e)
}

// heard notes a worker's hello.
func (r *run) heard(m *nats.Msg) {
	var h hello
	if err := parameters(m.Header, &h); err != nil {
		r.log.Warn("not understood", "error", err)
		return
	}
	now := time.Now()
	if complaint := r.workers.greet(h, now); complaint != "" {
		_ = r.Conn.Publish(logPrefix+h.ID, []byte(complaint)) // the owner logs it too
	}
	for _, where := range h.Busy {
		run, shard, _ := strings.Cut(where, "/")
		if run != r.tag {
			continue
		}
		var n int
		if err := json.Unmarshal([]byte(shard), &n); err == nil && r.open[n] != nil {
			r.open[n].heard = now
		}
	}
}
