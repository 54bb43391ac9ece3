package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"gamebots/bots/grid"

	"gamebots/internal/usererr"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Owner is a grid whose jobs are done by workers on other machines. Its connection
// carries one call of Run at a time.
type Owner struct {
	Conn    *nats.Conn
	Version string        // only workers of the same version of the program get jobs
	Memory  bool          // the streams are in memory: jobs need not survive the server
	AckWait time.Duration // silence after which a job goes to another worker; 0 is DefaultAckWait
	Log     *slog.Logger  // nil discards

	workers map[string]*member // those of the last look, by ID
	count   int                // workers of the owner's version
	slots   int                // jobs that they do at a time
}

var _ grid.Grid = (*Owner)(nil)

// run is a run in progress. All but state belongs to the goroutine of Run.
type run struct {
	*Owner
	log     *slog.Logger
	js      jetstream.JetStream
	tag     string
	name    string
	session string // new for each run
	ackWait time.Duration
	gone    time.Duration // after which a lease expires
	state   atomic.Pointer[RunState]

	open       map[string]*entry    // open jobs, by place
	placed     map[string]bool      // jobs and results that an earlier owner left on the server, by place
	parts      map[string]time.Time // when objects were written, by name
	shared     []byte               // the shared part that was written last
	sharedPart *part                // nil if it is empty
	failedJobs grid.FailedJobsError
	done       func(grid.Job, []byte) error
	failed     error // error of done, which ends the run
	began      time.Time
	stored     int
	refusedAt  time.Time // when a worker first refused a job
	checked    time.Time // when open jobs were last looked for on the server
	reconnects uint64    // how often the server had come back when it was last prepared
	lastReport time.Time
}

// Run implements grid.Grid. It waits for workers while there are none, and for the
// server while that is away.
func (o *Owner) Run(ctx context.Context, jobs iter.Seq[grid.Job], done func(grid.Job, []byte) error) error {
	next, stop := iter.Pull(jobs)
	defer stop()
	first, more := next()
	if !more {
		return nil
	}
	js, err := jetstream.New(o.Conn, jetstream.WithPublishAsyncTimeout(askTimeout))
	if err != nil {
		return err
	}
	defer js.CleanupPublisher()
	r := &run{
		Owner: o, log: cmp.Or(o.Log, slog.New(slog.DiscardHandler)), js: js, name: first.Run, tag: tag(first.Run),
		session: rand.Text(), done: done, ackWait: cmp.Or(o.AckWait, DefaultAckWait),
		open: map[string]*entry{}, parts: map[string]time.Time{}, reconnects: o.Conn.Stats().Reconnects,
		began: time.Now(), lastReport: time.Now(), checked: time.Now(),
	}
	r.gone = min(goneAfter, r.ackWait)
	r.report()
	if err := r.claim(ctx); err != nil {
		return err
	}
	ctx, end := context.WithCancelCause(ctx)
	defer r.leave(ctx)
	results := make(chan jetstream.Msg)
	var all sync.WaitGroup
	defer all.Wait()
	defer end(nil)
	all.Go(func() { r.receive(ctx, results) })
	all.Go(func() { r.holdLease(ctx, end) })
	return errors.Join(r.do(ctx, results, first, next), r.failedJobs.Err())
}

// do has a job done, and those that follow. It returns the error that ends the run.
func (r *run) do(
	ctx context.Context, results <-chan jetstream.Msg, job grid.Job, next func() (grid.Job, bool),
) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for more := true; r.failed == nil && (more || len(r.open) > 0); {
		for more && r.wantsJobs() {
			if err := r.add(ctx, job); err != nil {
				return err
			}
			job, more = next()
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case m := <-results:
			r.take(ctx, m)
		case now := <-tick.C:
			if r.Conn.IsClosed() {
				return fmt.Errorf("the connection to the server ended: %w",
					cmp.Or(r.Conn.LastError(), nats.ErrConnectionClosed))
			}
			r.watch(ctx, now)
		}
	}
	return r.failed
}

// wantsJobs reports whether more jobs should be published: two for each slot of the
// workers, and some for workers that join.
func (r *run) wantsJobs() bool { return len(r.open) < 16+2*r.slots }

// claim makes this owner the only one of its run, on a server that has all that runs need. It finds what an earlier
// owner of the run left.
func (r *run) claim(ctx context.Context) error {
	for warned := false; ; warned = true {
		owner, err := r.settleIn(ctx)
		switch {
		case owner != nil:
			return r.inProgress(owner)
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(r.Conn.LastError(), nats.ErrPermissionViolation):
			return setupErrorf(WorkerToken, "the token is that of workers")
		case errors.As(err, new(*jetstream.APIError)): // an answer
			return fmt.Errorf("the server's JetStream: %w", err)
		case !warned:
			r.log.Warn("the server does not answer, trying again", "error", err)
		}
		sleep(ctx, time.Second/2)
	}
}

// inProgress returns the error that another owner has the run.
func (r *run) inProgress(owner *RunState) error {
	return usererr.WithHint(setupErrorf(RunInProgress, "the run %s is going on already: %s", r.name,
		owner.Owner),
		"wait for its end, or give this run another name")
}

func (r *run) settleIn(ctx context.Context) (owner *RunState, err error) {
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	if owner, err = r.takeLease(ctx); owner != nil || err != nil {
		return owner, err
	}
	asking, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	// An earlier owner's consumer may hold results back.
	err = r.js.DeleteConsumer(asking, resultStream, r.consumer())
	if err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return nil, err
	}
	if r.placed, err = r.onServer(asking); err != nil {
		return nil, err
	}
	return nil, r.meet(asking)
}

// consumer returns the name of the consumer of the run's results.
func (r *run) consumer() string { return "run-" + r.tag }

// onServer returns the places of the run's jobs and results that the server has. A job that it does not list is not
// there: a result is there before its job is removed.
func (r *run) onServer(ctx context.Context) (map[string]bool, error) {
	all := map[string]bool{}
	err := subjects(ctx, r.js, jobStream, jobPrefix+tag(r.Version)+".", r.tag, all)
	if err == nil {
		err = subjects(ctx, r.js, resultStream, resultPrefix, r.tag, all)
	}
	return all, err
}

// receive passes on the results of the run. Those that were lost on their way come again.
func (r *run) receive(ctx context.Context, to chan<- jetstream.Msg) {
	for ctx.Err() == nil {
		if err := r.receiveSome(ctx, to); err != nil { // the server is away, or has forgotten the stream
			sleep(ctx, time.Second/10)
		}
	}
}

func (r *run) receiveSome(ctx context.Context, to chan<- jetstream.Msg) error {
	asking, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	from, err := r.js.CreateOrUpdateConsumer(asking, resultStream, jetstream.ConsumerConfig{
		Durable: r.consumer(), FilterSubject: resultPrefix + r.tag + ".>", AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: r.ackWait, MaxAckPending: 100_000, InactiveThreshold: stayFor,
	})
	if err != nil {
		return err
	}
	batch, err := from.Fetch(256, jetstream.FetchContext(asking))
	if err != nil {
		return err
	}
	for m := range batch.Messages() {
		select {
		case to <- m:
		case <-ctx.Done():
		}
	}
	return nil
}

// report updates what the lease says.
func (r *run) report() {
	host, err := os.Hostname()
	if err != nil {
		host = "a host"
	}
	r.state.Store(&RunState{
		Session: r.session, Run: r.name, Owner: fmt.Sprintf("process %d on %s", os.Getpid(), host), Version: r.Version,
		Began: r.began, Open: len(r.open), Done: r.stored, Failed: len(r.failedJobs.Jobs),
	})
}

// leave removes what a run that has ended has on the server, and stops workers that still do jobs.
func (r *run) leave(ended context.Context) {
	if errors.As(context.Cause(ended), new(*SetupError)) { // another process has the run
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ended), time.Second)
	defer cancel()
	// What remains after an error expires, or is used by the next owner.
	for stream, subject := range map[string]string{
		jobStream: jobPrefix + "*." + r.tag + ".>", resultStream: resultPrefix + r.tag + ".>",
	} {
		if s, err := r.js.Stream(ctx, stream); err == nil {
			_ = s.Purge(ctx, jetstream.WithPurgeSubject(subject))
		}
	}
	_ = r.js.DeleteConsumer(ctx, resultStream, r.consumer())
	r.purgeLarge(ctx)
	if len(r.open) > 0 {
		_ = r.Conn.PublishMsg(message(stopPrefix+r.tag, stop{true}, nil))
	}
	if store, err := r.js.ObjectStore(ctx, partBucket); err == nil {
		for name := range r.parts {
			_ = store.Delete(ctx, name)
		}
	}
	if kv, err := r.js.KeyValue(ctx, runsBucket); err == nil {
		_ = kv.Delete(ctx, r.tag)
	}
	_ = r.Conn.FlushTimeout(time.Second)
}
