package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	"os"
	"time"

	"gamebots/bots/grid"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/rs/zerolog"
)

// Owner is a grid whose jobs are done by workers on other machines. One call of
// Run at a time goes over its connection.
type Owner struct {
	Conn    *nats.Conn
	Version string // of the program: only workers of the same are sent jobs
	Tries   int    // how often a job may fail; 0 is grid.DefaultTries
	Memory  bool   // jobs need not survive the server: it is of the owner's process
	AckWait time.Duration
	Log     zerolog.Logger
}

var _ grid.Grid = (*Owner)(nil)

// deaths is how many workers a job may cost before it is given up. They are more
// than tries, since workers also die of other things.
const deaths = 5

// run is a run of an owner at work. All of it is of one goroutine.
type run struct {
	*Owner
	js      jetstream.JetStream
	tag     string
	name    string
	session string // makes the identities of messages new
	ackWait time.Duration

	workers    workers
	open       map[int]*entry    // by shard
	blobs      map[string][]byte // by their sum
	specs      map[string]int    // how many want a blob
	shared     []byte            // the one that was hashed last
	sum        *blob
	failedJobs grid.FailedJobsError
	done       func(grid.Job, []byte) error
	failed     error // of done
	stored     int
	full       bool // publishing has to wait
	lastReport time.Time
}

// Run implements grid.Grid. It waits for workers as long as there are none, and
// for the server where that is away for a while.
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
		Owner: o, js: js, name: first.Run, tag: tag(first.Run), session: rand.Text(), done: done,
		ackWait: cmp.Or(o.AckWait, DefaultAckWait), open: map[int]*entry{}, blobs: map[string][]byte{}, specs: map[string]int{},
	}
	r.workers = workers{version: o.Version, gone: min(goneAfter, r.ackWait), log: o.Log, members: map[string]*member{}}
	asked := make(chan *nats.Msg, 1<<14)
	if err := r.claim(ctx, asked); err != nil {
		return err
	}
	defer r.leave()
	hellos := make(chan *nats.Msg, 1<<10)
	reconnected := make(chan struct{}, 1)
	for subject, c := range map[string]chan *nats.Msg{helloAll: hellos, runPrefix + r.tag: asked} {
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
		case reconnected <- struct{}{}:
		default: // it will see that anyway
		}
	})
	defer o.Conn.SetReconnectHandler(nil)

	r.lastReport = time.Now()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	job := first
	for r.failed == nil && (more || len(r.open) > 0) {
		for more && r.room() {
			if err := r.add(job); err != nil {
				return errors.Join(err, r.failedJobs.Err())
			}
			job, more = next()
		}
		select {
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), r.failedJobs.Err())
		case m := <-asked:
			r.answerRequest(m)
		case m := <-hellos:
			r.heard(m)
		case <-reconnected:
			r.republish(ctx)
		case now := <-tick.C:
			if o.Conn.IsClosed() {
				return errors.Join(fmt.Errorf("the connection to the server ended: %w", cmp.Or(o.Conn.LastError(), nats.ErrConnectionClosed)), r.failedJobs.Err())
			}
			r.watch(now)
		}
	}
	return errors.Join(r.failed, r.failedJobs.Err())
}

// room says whether there are fewer jobs on their way than keep all workers
// busy: two for each place to work at, and some for workers that come.
func (r *run) room() bool { return !r.full && len(r.open) < 16+2*r.workers.slots() }

// claim makes the run this owner's: there is no other, the stream and the
// consumer of workers are there, and nothing is left over from before.
func (r *run) claim(ctx context.Context, asked chan *nats.Msg) error {
	if m, err := r.Conn.RequestMsg(message(runPrefix+r.tag, ask{Op: opWho}, nil), time.Second); err == nil {
		var a answer
		if err := parameters(m.Header, &a); err != nil {
			return err
		}
		return hintf("wait for its end, or give this run another name", "the run %s is going on already: %s", r.name, a.Text)
	}
	told := false
	for {
		err := r.prepare(ctx)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !transient(err):
			return fmt.Errorf("the server's JetStream: %w", err)
		case !told:
			r.Log.Warn().Err(err).Msg("the server does not answer, trying again")
			told = true
		}
		sleep(ctx, time.Second)
	}
}

// transient says whether an error of the server may go away.
func transient(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, nats.ErrNoResponders) ||
		errors.Is(err, nats.ErrConnectionReconnecting) || errors.Is(err, nats.ErrDisconnected)
}

// prepare makes stream and consumer unless they are there, and takes what is
// left of the run out of it.
func (r *run) prepare(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	s, err := r.stream(ctx)
	if err != nil {
		return err
	}
	return s.Purge(ctx, jetstream.WithPurgeSubject(jobPrefix+"*."+r.tag+".*"))
}

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

// leave takes the run's jobs out of the stream, and stops those that are done
// for nobody.
func (r *run) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if s, err := r.js.Stream(ctx, stream); err == nil {
		// What is left after an error waits in vain, and is refused by the next owner.
		_ = s.Purge(ctx, jetstream.WithPurgeSubject(jobPrefix+"*."+r.tag+".*"))
	}
	if len(r.open) > 0 {
		_ = r.Conn.PublishMsg(message(stopPrefix+r.tag, struct{}{}, nil))
	}
	_ = r.Conn.FlushTimeout(time.Second)
}

// who is this owner, for people.
func (r *run) who() string {
	host, err := os.Hostname()
	if err != nil {
		host = "a host"
	}
	return fmt.Sprintf("process %d on %s", os.Getpid(), host)
}
