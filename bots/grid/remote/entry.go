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

// entry is a job that is open: its result is not stored yet.
type entry struct {
	job    grid.Job
	msg    *nats.Msg
	spec   *blob  // where it goes in pieces
	worker string // that does it, "" if none is known to
	began  time.Time
	fails  int
	died   int
	err    error     // of the last failure
	heard  time.Time // when it was published, or a worker spoke of it last

	sent   jetstream.PubAckFuture // nil once it is known to be in the stream, or where it has to be sent
	resend bool
	copies int // how often it got a new identity

	parts map[string]*part // by worker
}

// part is the part of a result that has come.
type part struct {
	blob blob
	data []byte
}

// add opens a job and publishes it.
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
		r.specs[t.Spec.Sum]++
		r.blobs[t.Spec.Sum] = data
		data = nil
	}
	if len(job.Shared) > 0 {
		if r.sum == nil || len(r.shared) != len(job.Shared) || &r.shared[0] != &job.Shared[0] {
			r.shared, r.sum = job.Shared, blobOf(job.Shared)
			r.blobs[r.sum.Sum] = job.Shared
			r.specs[r.sum.Sum]++ // and never less: others may come that share it
		}
		t.Shared = r.sum
	}
	e := &entry{job: job, spec: t.Spec, msg: message(jobSubject(r.Version, r.name, job.Shard), t, data), parts: map[string]*part{}}
	r.open[job.Shard] = e
	r.publish(e)
	return nil
}

// publish puts an open job into the stream. Where that fails, watch does it
// again, under the same identity: what is there already is not there twice.
func (r *run) publish(e *entry) {
	e.heard = time.Now()
	m := *e.msg
	m.Header = nats.Header{header: e.msg.Header[header]}
	f, err := r.js.PublishMsgAsync(&m, jetstream.WithMsgID(messageID(r.session, e.job.Shard, e.copies)), jetstream.WithStallWait(time.Millisecond))
	e.sent, e.resend = f, err != nil
	if err != nil {
		r.full = true
	}
}

// republish publishes all that is open, after the server was away and may have
// forgotten.
func (r *run) republish(ctx context.Context) {
	r.Log.Info().Int("jobs", len(r.open)).Msg("the server is back")
	r.workers.excuse(time.Now())
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	if _, err := r.stream(ctx); err != nil {
		r.Log.Warn().Err(err).Msg("the server is not ready")
	}
	for _, e := range r.open {
		r.publish(e)
	}
}

// tellEvery is how often an owner logs how far it is.
const tellEvery = time.Minute

// watch is called every second. It publishes again what did not arrive, and what
// nobody has heard of for long although there are workers who wait.
func (r *run) watch(now time.Time) {
	r.full = false
	r.workers.expire(now)
	if now.Sub(r.lastReport) > tellEvery {
		r.lastReport = now
		r.Log.Info().Int("done", r.stored).Int("open", len(r.open)).Int("workers", r.workers.size()).Bool("connected", r.Conn.IsConnected()).Msg("jobs")
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
		r.Log.Warn().Err(refused).Msg("the server did not take a job, trying again")
	}
}

// close ends an entry.
func (r *run) close(e *entry) {
	delete(r.open, e.job.Shard)
	if e.spec == nil {
		return
	}
	if r.specs[e.spec.Sum]--; r.specs[e.spec.Sum] == 0 {
		delete(r.specs, e.spec.Sum)
		delete(r.blobs, e.spec.Sum)
	}
}

// giveUp gives a job up.
func (r *run) giveUp(e *entry) {
	r.failedJobs.Jobs = append(r.failedJobs.Jobs, grid.FailedJob{Job: e.job, Tries: e.fails + e.died, Err: e.err})
	r.Log.Error().Err(e.err).Int("shard", e.job.Shard).Int("tries", e.fails+e.died).Msg("a job is given up")
	r.close(e)
}

// heard hears a worker's hello.
func (r *run) heard(m *nats.Msg) {
	var h hello
	if err := parameters(m.Header, &h); err != nil {
		r.Log.Warn().Err(err).Msg("not understood")
		return
	}
	now := time.Now()
	if complaint := r.workers.greet(h, now); complaint != "" {
		_ = r.Conn.Publish(toldPrefix+h.ID, []byte(complaint)) // it will ask again
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
