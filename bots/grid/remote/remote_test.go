package remote_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gamebots/bots/grid"
	"gamebots/bots/grid/internal/gridtest"
	"gamebots/bots/grid/remote"
	"gamebots/internal/testkit"

	"github.com/nats-io/nats.go/jetstream"
)

// testTokens are the tokens of servers that are started again.
var testTokens = remote.Tokens{Owner: "the owner's", Worker: "the worker's"}

func TestRun(t *testing.T) {
	t.Parallel()
	h := serve(t)
	for range 3 {
		h.Work(&remote.Worker{Kinds: gridtest.Kinds, Slots: 2})
	}
	o := h.Owner()
	for _, run := range []string{"first", "second", "first"} { // a name may be used again
		var c gridtest.Collect
		if err := h.Run(o, gridtest.Jobs(run, 0, 200), c.Done); err != nil {
			t.Fatal(err)
		}
		c.Check(t, 200)
	}
	if err := h.Run(o, gridtest.Jobs("nothing", 0, 0), nil); err != nil {
		t.Error(err)
	}
}

// Specs, shared parts and results of any size arrive whole.
func TestLarge(t *testing.T) {
	t.Parallel()
	const size = 3<<20 + 17
	noise := func(seed uint64) []byte {
		data := make([]byte, size)
		rand.NewChaCha8([32]byte{byte(seed)}).Read(data)
		return data
	}
	shared := noise(100)
	h := serve(t)
	h.Work(&remote.Worker{Slots: 2, Kinds: grid.Kinds{"large": func(_ context.Context, job grid.Job) ([]byte, error) {
		if !bytes.Equal(job.Shared, noise(100)) || !bytes.Equal(job.Spec, noise(job.Seed)) {
			return nil, errors.New("not what was sent")
		}
		return noise(job.Seed + 1), nil
	}}})
	jobs := func(yield func(grid.Job) bool) {
		for i := range 6 {
			seed := uint64(i / 3) // some are the same but for their shard
			if !yield(grid.Job{Run: "large", Shard: i, Seed: seed, Kind: "large", Spec: noise(seed), Shared: shared}) {
				return
			}
		}
	}
	n := 0
	err := h.Run(h.Owner(), jobs, func(job grid.Job, result []byte) error {
		if n++; !bytes.Equal(result, noise(job.Seed+1)) {
			return errors.New("not the result")
		}
		return nil
	})
	if err != nil || n != 6 {
		t.Errorf("%d results, error %v", n, err)
	}
}

// A job that fails a few times is done in the end; one that always fails is given up, and
// the rest is done.
func TestTries(t *testing.T) {
	t.Parallel()
	var tries [10]atomic.Int32
	h := serve(t)
	moody := grid.Kinds{gridtest.Kind: func(ctx context.Context, job grid.Job) ([]byte, error) {
		n := tries[job.Shard].Add(1)
		switch {
		case job.Shard == 7:
			return nil, errors.New("seven is broken")
		case job.Shard == 4:
			panic("four")
		case job.Shard%2 == 1 && n < grid.DefaultTries:
			return nil, errors.New("not yet")
		}
		return gridtest.SeedOf(ctx, job)
	}}
	h.Work(&remote.Worker{Kinds: moody, Slots: 2})
	h.Work(&remote.Worker{Kinds: moody, Slots: 2})
	var c gridtest.Collect
	err := h.Run(h.Owner(), gridtest.Jobs("moody", 0, 10), c.Done)
	c.Check(t, 10, 4, 7)
	const want = "2 jobs were given up: moody/4 after 3 tries: panic: four; moody/7 after 3 tries: seven is broken"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
	if tries[7].Load() != 3 {
		t.Errorf("seven was tried %d times", tries[7].Load())
	}
}

// A job that its workers do not survive is given up, and the rest is done.
func TestDeadly(t *testing.T) {
	t.Parallel()
	h := serve(t)
	// Six are enough where time is. A delivery that reaches nobody begins the count anew, on workers that are left.
	for range 24 {
		conn := h.Connect(remote.AsWorker)
		h.Work(&remote.Worker{Conn: conn, Slots: 1,
			Kinds: grid.Kinds{gridtest.Kind: func(ctx context.Context, job grid.Job) ([]byte, error) {
				if job.Shard == 3 {
					conn.Close() // as when the process is killed: without a message
					<-ctx.Done()
					return nil, ctx.Err()
				}
				return gridtest.SeedOf(ctx, job)
			}}})
	}
	var c gridtest.Collect
	o := h.Owner()
	o.AckWait = ackWait / 4
	err := h.Run(o, gridtest.Jobs("deadly", 0, 20), c.Done)
	c.Check(t, 20, 3)
	if want := "a job was given up: deadly/3 after 5 tries: 5 workers died at it"; err == nil ||
		!strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

// A job that was often delivered to nobody, as to workers on a machine that has no time for them, is done.
func TestLostDeliveries(t *testing.T) {
	t.Parallel()
	h := serve(t)
	js, err := jetstream.New(h.Connect(remote.AsOwner))
	if err != nil {
		t.Fatal(err)
	}
	o := h.Owner()
	o.AckWait = ackWait / 8
	go func() {
		for deliveries := uint64(0); deliveries < 7 && t.Context().Err() == nil; time.Sleep(10 * time.Millisecond) {
			queue, err := js.Consumer(t.Context(), "GAMEBOTS_JOBS", "work-"+tag("test"))
			if err != nil { // it is not there yet
				continue
			}
			if m, err := queue.Next(jetstream.FetchMaxWait(time.Second)); err == nil {
				if meta, err := m.Metadata(); err == nil {
					deliveries = meta.NumDelivered
				}
			}
		}
		h.Work(&remote.Worker{Kinds: gridtest.Kinds, Slots: 1})
	}()
	var c gridtest.Collect
	if err := h.Run(o, gridtest.Jobs("lost", 0, 1), c.Done); err != nil {
		t.Fatal(err)
	}
	c.Check(t, 1)
}

// Jobs outlast the time of a sign of life, are done once, and a worker that
// leaves gives its own back at once.
func TestLongAndLeaving(t *testing.T) {
	t.Parallel()
	var begun [3]atomic.Int32
	begins := make(chan int, 10)
	long := grid.Kinds{gridtest.Kind: func(ctx context.Context, job grid.Job) ([]byte, error) {
		begun[job.Shard].Add(1)
		begins <- job.Shard
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(2 * ackWait):
			return gridtest.SeedOf(ctx, job)
		}
	}}
	h := serve(t)
	leave := h.Work(&remote.Worker{Kinds: long, Slots: 1})
	left := make(chan int, 1)
	go func() {
		shard := <-begins
		h.Work(&remote.Worker{Kinds: long, Slots: 3})
		leave()
		left <- shard
	}()
	var c gridtest.Collect
	if err := h.Run(h.Owner(), gridtest.Jobs("long", 0, 3), c.Done); err != nil {
		t.Fatal(err)
	}
	c.Check(t, 3)
	shard := <-left
	for i := range begun {
		want := int32(1)
		if i == shard {
			want = 2
		}
		if n := begun[i].Load(); n != want {
			t.Errorf("shard %d was begun %d times, want %d", i, n, want)
		}
	}
}

// A result that cannot be stored ends the run, and so does a cancelled context;
// jobs that are being done are stopped.
func TestStopped(t *testing.T) {
	t.Parallel()
	h := serve(t)
	begun, stopped := make(chan string, 100), make(chan string, 100)
	h.Work(&remote.Worker{Slots: 4,
		Kinds: grid.Kinds{gridtest.Kind: func(ctx context.Context, job grid.Job) ([]byte, error) {
			if job.Shard == 0 {
				for <-begun != job.Run { // until another job of the run has begun
				}
				return gridtest.SeedOf(ctx, job)
			}
			begun <- job.Run
			<-ctx.Done()
			stopped <- job.Run
			return nil, ctx.Err()
		}}})
	o := h.Owner()
	full := errors.New("disk full")
	err := h.Run(o, gridtest.Jobs("full", 0, 100), func(grid.Job, []byte) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("error %v, want %v", err, full)
	}
	if run := <-stopped; run != "full" {
		t.Errorf("a job of %s was stopped", run)
	}
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	if err := o.Run(ctx, gridtest.Jobs("cancelled", 0, 100),
		func(grid.Job, []byte) error { cancel(enough); return nil }); !errors.Is(err, enough) {
		t.Errorf("error %v, want %v", err, enough)
	}
	for <-stopped != "cancelled" {
	}
}

// Two owners do not do the same run, and one that comes after another's end
// goes on.
func TestOwners(t *testing.T) {
	t.Parallel()
	h := serve(t)
	hold := make(chan struct{})
	held := make(chan struct{}, 10)
	h.Work(&remote.Worker{Slots: 2,
		Kinds: grid.Kinds{gridtest.Kind: func(ctx context.Context, job grid.Job) ([]byte, error) {
			held <- struct{}{}
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-hold:
				return gridtest.SeedOf(ctx, job)
			}
		}}})
	first := h.Owner()
	ended := make(chan error)
	go func() {
		ended <- first.Run(context.Background(), gridtest.Jobs("run", 0, 4), new(gridtest.Collect).Done)
	}()
	<-held
	<-held
	second := h.Owner()
	if err := h.Run(second, gridtest.Jobs("run", 0, 4), nil); err == nil ||
		!strings.Contains(err.Error(), "the run run is going on already: process ") {
		t.Errorf("second owner: %v", err)
	}
	first.Conn.Close() // as when it is killed
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "connection") {
		t.Errorf("first owner: %v", err)
	}
	close(hold) // the second uses the work for the first
	var c gridtest.Collect
	if err := h.Run(second, gridtest.Jobs("run", 0, 4), c.Done); err != nil {
		t.Error(err)
	}
	c.Check(t, 4)
	if n := 2 + len(held); n != 4 {
		t.Errorf("jobs were begun %d times, want 4", n)
	}
}

// The server may end and come back, with or without its memory.
func TestServerRestarts(t *testing.T) {
	t.Parallel()
	for _, forgets := range []bool{false, true} {
		t.Run(fmt.Sprint("forgets=", forgets), func(t *testing.T) {
			t.Parallel()
			config := remote.ServerConfig{Listen: testkit.FreeAddress(t), Store: t.TempDir(), Tokens: testTokens}
			s, err := remote.Serve(config)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { s.Close() }()
			h := &farm{T: t, Server: s}
			h.Work(&remote.Worker{Slots: 2, Kinds: gridtest.Kinds})
			var c gridtest.Collect
			err = h.Run(h.Owner(), gridtest.Jobs("restart", 0, 60), func(job grid.Job, result []byte) error {
				if c.Len()%60 == 20 {
					s.Close()
					if forgets {
						config.Store = t.TempDir()
					}
					if s, err = remote.Serve(config); err != nil {
						return err
					}
				}
				return c.Done(job, result)
			})
			if err != nil {
				t.Fatal(err)
			}
			c.Check(t, 60)
		})
	}
}

// A worker of another version gets no jobs, and hears why.
func TestVersions(t *testing.T) {
	t.Parallel()
	h := serve(t)
	var log syncBuffer
	h.Work(&remote.Worker{Version: "old", Log: log.logger(),
		Kinds: grid.Kinds{gridtest.Kind: func(context.Context, grid.Job) ([]byte, error) {
			t.Error("a worker of another version was given a job")
			return nil, nil
		}}})
	o := h.Owner()
	var heard syncBuffer
	o.Log = heard.logger()
	var late sync.WaitGroup
	defer late.Wait()
	late.Go(func() { // once the other has had its chance
		for !strings.Contains(log.String(), "it gets no jobs") && t.Context().Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		h.Work(&remote.Worker{Kinds: gridtest.Kinds})
	})
	var c gridtest.Collect
	if err := h.Run(o, gridtest.Jobs("versions", 0, 30), c.Done); err != nil {
		t.Fatal(err)
	}
	c.Check(t, 30)
	if want := "this worker is gamebots old, and a run wants test: it gets no jobs"; !strings.Contains(log.String(),
		want) {
		t.Errorf("the worker logs %q, want %q", log.String(), want)
	}
	if want := "a worker of another version"; !strings.Contains(heard.String(), want) {
		t.Errorf("the owner logs %q, want %q", heard.String(), want)
	}
}
