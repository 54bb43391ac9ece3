package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"math"
	"os"
	"time"

	"gamebots/bots/grid"
	"gamebots/internal/memory"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Owner is a grid whose jobs are done by workers on other machines. Its connection
// carries one call of Run at a time.
type Owner struct {
	Conn    *nats.Conn
	Version string        // only workers of the same version of the program get jobs
	Tries   int           // how often a job may fail; 0 is grid.DefaultTries
	Memory  bool          // the stream is in memory: jobs need not survive the server
	AckWait time.Duration // silence after which a job goes to another worker; 0 is DefaultAckWait
	Log     *slog.Logger  // nil discards
}

var _ grid.Grid = (*Owner)(nil)

// maxDeaths is how many workers may die at a job before it is given up. It is more
// than the number of tries, because workers also die of other causes.
const maxDeaths = 5

// run is a run in progress. It belongs to the goroutine of Run.
type run struct {
	*Owner
	log     *slog.Logger
	js      jetstream.JetStream
	tag     string
	name    string
	session string // prefix of message IDs, new for each run
	ackWait time.Duration

	workers    workers
	open       map[int]*entry    // open jobs, by shard
	budget     int               // bytes that all parts of results may have
	claimed    int               // bytes that the parts are to have
	blobs      map[string][]byte // blobs by checksum
	blobUsers  map[string]int    // open jobs that need a blob, by checksum
	shared     []byte            // the shared part that was hashed last
	sharedBlob *blob             // blob that holds shared
	failedJobs grid.FailedJobsError
	done       func(grid.Job, []byte) error
	failed     error // error returned by done
	stored     int
	refusedAt  time.Time // when a worker first refused a job
	full       bool      // the server takes no more messages for now
	lastReport time.Time
}

// Run implements grid.Grid. It waits for workers while there are none, and for the
// server while that is away.
func (o *Owner) Run(ctx context.Context, jobs iter.Seq[grid.Job], done func(grid.Job, []byte) error) error {
	next, end := iter.Pull(jobs)
	defer end()
	first, more := next()
	if !more {
		return nil
	}
	js, err := jetstream.New(o.Conn, jetstream.WithPublishAsyncTimeout(askTimeout))
	if err != nil {
		return err
	}
	r := &run{
		Owner: o, log: cmp.Or(o.Log, slog.New(slog.DiscardHandler)), js: js, name: first.Run, tag: tag(first.Run),
		session: rand.Text(), done: done,
		ackWait: cmp.Or(o.AckWait, DefaultAckWait), open: map[int]*entry{}, blobs: map[string][]byte{},
		budget:    int(min(memory.Available()/2, math.MaxInt)),
		blobUsers: map[string]int{},
	}
	r.workers = workers{version: o.Version, gone: min(goneAfter, r.ackWait), log: r.log, members: map[string]*member{}}
	if err := r.claim(ctx); err != nil {
		return err
	}
	defer r.leave()
	in := inbox{make(chan *nats.Msg, 1<<14), make(chan *nats.Msg, 1<<10), make(chan struct{}, 1)}
	for subject, c := range map[string]chan *nats.Msg{runPrefix + r.tag: in.asked, helloAll: in.hellos} {
		sub, err := o.Conn.ChanSubscribe(subject, c)
		if err != nil {
			return err
		}
		defer sub.Unsubscribe()
	}
	if err := o.Conn.Publish(callAll, nil); err != nil {
		return err
	}
	o.Conn.SetReconnectHandler(func(*nats.Conn) {
		select {
		case in.reconnected <- struct{}{}:
		default: // one is pending
		}
	})
	defer o.Conn.SetReconnectHandler(nil)
	return errors.Join(r.do(ctx, in, first, next), r.failedJobs.Err())
}

// inbox is what reaches an owner.
type inbox struct {
	asked, hellos chan *nats.Msg
	reconnected   chan struct{}
}

// do has a job done, and those that follow. It returns the error that ends the run.
func (r *run) do(ctx context.Context, in inbox, job grid.Job, next func() (grid.Job, bool)) error {
	r.lastReport = time.Now()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for more := true; r.failed == nil && (more || len(r.open) > 0); {
		for more && r.wantsJobs() {
			if err := r.add(job); err != nil {
				return err
			}
			job, more = next()
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case m := <-in.asked:
			r.answerRequest(m)
		case m := <-in.hellos:
			r.heard(m)
		case <-in.reconnected:
			r.republish(ctx)
		case now := <-tick.C:
			if r.Conn.IsClosed() {
				return fmt.Errorf("the connection to the server ended: %w",
					cmp.Or(r.Conn.LastError(), nats.ErrConnectionClosed))
			}
			r.watch(now)
		}
	}
	return r.failed
}

// wantsJobs reports whether more jobs should be published: two for each slot of the
// workers, and some for workers that join.
func (r *run) wantsJobs() bool { return !r.full && len(r.open) < 16+2*r.workers.slots() }

// claim makes this owner the only one of its run: no other owner answers, stream and
// consumer exist, and no jobs are left from an earlier owner.
func (r *run) claim(ctx context.Context) error {
	warned := false
	for {
		err := r.findOwner(ctx)
		if errors.As(err, new(*SetupError)) {
			return err
		}
		if err == nil {
			err = r.prepare(ctx)
		}
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !transient(err):
			return fmt.Errorf("the server's JetStream: %w", err)
		case !warned:
			r.log.Warn("the server does not answer, trying again", "error", err)
			warned = true
		}
		sleep(ctx, time.Second)
	}
}

// findOwner returns an error if the run has an owner. One that is storing a result may take a while
// to answer; one that does not for askTimeout is gone, and the server has not noticed it.
func (r *run) findOwner(ctx context.Context) error {
	for deadline := time.Now().Add(askTimeout); ctx.Err() == nil; {
		m, err := r.Conn.RequestMsg(message(runPrefix+r.tag, ask{Op: opOwner}, nil), time.Second)
		switch {
		case err == nil:
			var a answer
			if err := parameters(m.Header, &a); err != nil {
				return err
			}
			return setupErrorf(RunInProgress, "the run %s is going on already: %s", r.name, a.Text)
		case errors.Is(r.Conn.LastError(), nats.ErrPermissionViolation):
			return setupErrorf(WorkerToken, "the token is that of workers")
		case errors.Is(err, nats.ErrNoResponders):
			return nil
		case !errors.Is(err, nats.ErrTimeout) || !r.Conn.IsConnected():
			return err
		case time.Now().After(deadline):
			return nil
		}
	}
	return ctx.Err()
}

// transient reports whether an error of the server may pass.
func transient(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) ||
		errors.Is(err, nats.ErrNoResponders) ||
		errors.Is(err, nats.ErrConnectionReconnecting) || errors.Is(err, nats.ErrDisconnected)
}

// prepare creates stream and consumer if they are missing, and removes jobs that an
// earlier owner of the run left.
func (r *run) prepare(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	s, err := r.stream(ctx)
	if err != nil {
		return err
	}
	return s.Purge(ctx, jetstream.WithPurgeSubject(jobPrefix+"*."+r.tag+".*"))
}

// stream returns the stream of jobs with the consumer of this version's workers. It
// creates what is missing.
func (r *run) stream(ctx context.Context) (jetstream.Stream, error) {
	storage := jetstream.FileStorage
	if r.Memory {
		storage = jetstream.MemoryStorage
	}
	s, err := r.js.Stream(ctx, stream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		s, err = r.js.CreateStream(ctx, jetstream.StreamConfig{
			Name: stream, Description: "jobs of gamebots", Subjects: []string{jobPrefix + ">"},
			Retention: jetstream.WorkQueuePolicy, Storage: storage, MaxAge: stayFor, Duplicates: 2 * time.Minute,
		})
	}
	if err != nil {
		return nil, err
	}
	_, err = s.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: consumerName(r.Version), Description: "workers of " + r.Version,
		FilterSubject: jobPrefix + tag(r.Version) + ".>",
		AckPolicy:     jetstream.AckExplicitPolicy, AckWait: r.ackWait, MaxDeliver: -1, MaxAckPending: 100_000,
		MaxWaiting: 100_000, InactiveThreshold: stayFor,
	})
	return s, err
}

// leave removes the run's jobs from the stream, and stops workers that still do some.
func (r *run) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if s, err := r.js.Stream(ctx, stream); err == nil {
		// Jobs that remain after an error are refused by the next owner.
		_ = s.Purge(ctx, jetstream.WithPurgeSubject(jobPrefix+"*."+r.tag+".*"))
	}
	if len(r.open) > 0 {
		_ = r.Conn.PublishMsg(message(stopPrefix+r.tag, struct{}{}, nil))
	}
	_ = r.Conn.FlushTimeout(time.Second)
}

// describe returns a description of this owner, for messages.
func (r *run) describe() string {
	host, err := os.Hostname()
	if err != nil {
		host = "a host"
	}
	return fmt.Sprintf("process %d on %s", os.Getpid(), host)
}
