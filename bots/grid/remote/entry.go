package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gamebots/bots/grid"
	"gamebots/internal/memory"

	"github.com/nats-io/nats.go/jetstream"
)

// entry is an open job: its result is not stored yet.
type entry struct {
	job       grid.Job
	place     string
	task      task
	published time.Time
	fails     int
	err       error           // error of the last failure
	refused   map[string]bool // workers that do not do it
	begun     map[string]bool // workers that began it after another, and told no outcome
}

// add opens a job and publishes it, unless the server has it, or its result, from an earlier owner.
func (r *run) add(ctx context.Context, job grid.Job) error {
	if job.Run != r.name {
		return fmt.Errorf("job %v is not of the run %s", job, r.name)
	}
	if len(job.Shared) != len(r.shared) || len(r.shared) > 0 && &r.shared[0] != &job.Shared[0] {
		r.shared, r.sharedPart = job.Shared, r.partOf(job.Shared)
	}
	e := &entry{job: job, refused: map[string]bool{}, begun: map[string]bool{}, task: task{
		Session: r.session, Run: job.Run, Shard: job.Shard, Seed: job.Seed, Kind: job.Kind, Shared: r.sharedPart,
	}}
	if len(job.Spec) > inlineSize {
		e.task.Spec = r.partOf(job.Spec)
	}
	sum := ""
	if r.sharedPart != nil {
		sum = r.sharedPart.Sum
	}
	if e.place = placeOf(&job, sum); r.open[e.place] != nil {
		return fmt.Errorf("job %v is there twice", job)
	}
	r.open[e.place] = e
	if !r.placed[e.place] {
		r.publish(ctx, e)
	}
	delete(r.placed, e.place)
	return nil
}

// partOf returns the part of a job that has some bytes, nil for none.
func (r *run) partOf(data []byte) *part {
	if len(data) == 0 {
		return nil
	}
	sum := hash(data)
	return &part{Name: r.session + "." + sum, Sum: sum, Size: int64(len(data))}
}

// publish puts an open job into the stream. Where that fails, findLost publishes it again.
func (r *run) publish(ctx context.Context, e *entry) {
	e.published = time.Now()
	data := e.job.Spec
	if e.task.Spec != nil {
		data = nil
	}
	err := cmp.Or(r.write(ctx, e.task.Spec, e.job.Spec), r.write(ctx, e.task.Shared, e.job.Shared))
	if err == nil {
		e.task.Copy++
		_, err = r.js.PublishMsgAsync(message(jobPrefix+tag(r.Version)+"."+e.place, e.task, data),
			jetstream.WithMsgID(e.task.id(e.place)), jetstream.WithStallWait(time.Second))
	}
	if err != nil {
		r.log.Warn("the server did not take a job, trying again", "error", err)
	}
}

// write puts a part of a job into its object, unless it is there.
func (r *run) write(ctx context.Context, p *part, data []byte) error {
	if p == nil || time.Since(r.parts[p.Name]) < stayFor/2 {
		return nil
	}
	err := putObject(ctx, r.js, partBucket, p.Name, data)
	if err == nil {
		r.parts[p.Name] = time.Now()
	}
	return err
}

// reportEvery is the interval of the owner's progress reports.
const reportEvery = time.Minute

// watch is called every second.
func (r *run) watch(ctx context.Context, now time.Time) {
	r.report()
	if now.Sub(r.lastReport) > reportEvery {
		r.lastReport = now
		r.log.Info("jobs", "done", r.stored, "open", len(r.open), "workers", r.count, "connected",
			r.Conn.IsConnected())
	}
	if !r.Conn.IsConnected() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	var err error
	if n := r.Conn.Stats().Reconnects; n != r.reconnects { // it may have lost all but what workers' leases list
		r.log.Info("the server is back", "jobs", len(r.open))
		clear(r.parts)
		r.checked = now.Add(r.gone - 3*r.ackWait)
		if err = r.prepare(ctx); err == nil {
			r.reconnects = n
		}
	}
	if err == nil {
		err = r.meet(ctx)
	}
	if err == nil && now.Sub(r.checked) > 3*r.ackWait {
		err = r.findLost(ctx)
	}
	if err != nil {
		r.log.Warn("the server is not ready", "error", err)
	}
}

// findLost publishes again the open jobs that neither the server nor a worker has.
func (r *run) findLost(ctx context.Context) error {
	r.checked = time.Now()
	all, err := r.onServer(ctx)
	if err != nil {
		return err
	}
	for _, e := range r.open {
		if !all[e.place] && !r.busy(e.place) && time.Since(e.published) > 2*askTimeout {
			r.publish(ctx, e)
		}
	}
	return nil
}

// take takes the outcome of a job, and acknowledges it when it needs it no more.
func (r *run) take(ctx context.Context, m jetstream.Msg) {
	place := strings.TrimPrefix(m.Subject(), resultPrefix)
	e := r.open[place]
	var o outcome
	err := parameters(m.Headers(), &o)
	switch {
	case err != nil:
		r.log.Warn("not understood", "error", err)
	case e != nil:
		if !r.settle(ctx, e, &o, m.Data()) {
			return
		}
	case r.placed[place]: // its job is not open yet
		_ = m.NakWithDelay(returnDelay)
		return
	}
	if o.Object != "" {
		_ = deleteObject(ctx, r.js, largeBucket, o.Object) // else the end of the run does
	}
	_ = m.Ack() // else it comes again, and is not wanted
}

// settle notes the outcome of an open job. It reports whether the outcome is not needed any more.
func (r *run) settle(ctx context.Context, e *entry, o *outcome, result []byte) bool {
	delete(e.begun, o.Worker)
	switch o.Op {
	case opBegun:
		e.begun[o.Worker] = true
		return true
	case opResult:
		return r.store(ctx, e, o, result)
	case opFailed:
		r.fail(e, o.Error)
	case opRefuse:
		r.refuse(e, o)
	case opReturn:
		for _, p := range []*part{e.task.Spec, e.task.Shared} {
			if p != nil && o.Error != "" {
				r.parts[p.Name] = time.Time{} // to be written again
			}
		}
	case opDied:
		e.err = errors.New(o.Error)
		if !r.busy(e.place) && len(e.begun) >= maxDeaths-1 { // who began it first has told nothing
			r.giveUp(e, maxDeaths)
		}
	}
	if r.open[e.place] == e {
		r.publish(ctx, e)
	}
	return true
}

// store passes on a result.
func (r *run) store(ctx context.Context, e *entry, o *outcome, result []byte) bool {
	if o.Object != "" {
		most, err := min(maxResult, int64(memory.Available()/2)), error(nil)
		result, err = getObject(ctx, r.js, largeBucket, o.Object, most)
		switch {
		case errors.Is(err, jetstream.ErrObjectNotFound), errors.Is(err, jetstream.ErrDigestMismatch),
			errors.Is(err, errSize):
			r.fail(e, "its result: "+err.Error())
			return true
		case err != nil: // the server is away: it comes again
			return false
		}
	}
	if r.failed = r.done(e.job, result); r.failed != nil {
		return false
	}
	r.stored++
	delete(r.open, e.place)
	return true
}

// fail notes that a job failed.
func (r *run) fail(e *entry, reason string) {
	e.fails++
	e.err = errors.New(reason)
	r.log.Warn("a job failed", "error", reason, "shard", e.job.Shard, "tries", e.fails)
	if e.fails >= grid.DefaultTries {
		r.giveUp(e, 0)
	}
}

// refuse notes that a worker does not do a job. The job goes to other workers, and is given up when there are none,
// once all have had the time to join.
func (r *run) refuse(e *entry, o *outcome) {
	e.refused[o.Worker] = true
	e.err = errors.New(o.Error)
	if w := r.workers[o.Worker]; w != nil && !w.refuses {
		w.refuses = true
		r.log.Warn("a worker refuses jobs", "error", o.Error, "host", w.Host, "worker", w.ID)
	}
	if r.refusedAt.IsZero() {
		r.refusedAt = time.Now()
	}
	if r.allIn(e.refused) && time.Since(r.refusedAt) > askTimeout {
		r.giveUp(e, 0)
	}
}

// giveUp gives up a job at which workers may have died.
func (r *run) giveUp(e *entry, died int) {
	r.failedJobs.Jobs = append(r.failedJobs.Jobs, grid.FailedJob{Job: e.job, Tries: e.fails + died, Err: e.err})
	r.log.Error("a job is given up", "error", e.err, "shard", e.job.Shard, "tries", e.fails+died)
	delete(r.open, e.place)
}
