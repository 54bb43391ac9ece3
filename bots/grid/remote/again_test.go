package remote_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gamebots/bots/grid"
	"gamebots/bots/grid/internal/gridtest"
	"gamebots/bots/grid/remote"

	"github.com/nats-io/nats.go/jetstream"
)

// streams are what the server of a test has.
type streams struct {
	*testing.T
	jetstream.JetStream
}

func streamsOf(h *farm) streams {
	h.Helper()
	js, err := jetstream.New(h.Connect(remote.AsOwner))
	if err != nil {
		h.Fatal(err)
	}
	return streams{h.T, js}
}

// info returns the state of a stream, a zero one where there is none.
func (s streams) info(name string) *jetstream.StreamInfo {
	x, err := s.Stream(s.Context(), name)
	if err != nil {
		return &jetstream.StreamInfo{}
	}
	return x.CachedInfo()
}

// take limits the bytes that the server takes of results.
func (s streams) take(bytes int64) {
	c := s.info("GAMEBOTS_RESULTS").Config
	c.MaxBytes = bytes
	if _, err := s.UpdateStream(s.Context(), c); err != nil {
		s.Error(err)
	}
}

// A large result that the server does not take yet is stored once, however often it is tried, and not at all once it is
// given up.
func TestLargeResultIsStoredOnce(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	h := serve(t)
	on := streamsOf(h)
	var full sync.Once
	kinds := grid.Kinds{gridtest.Kind: func(context.Context, grid.Job) ([]byte, error) {
		full.Do(func() { on.take(1) })
		return make([]byte, size), nil
	}}
	leave := h.Work(&remote.Worker{Kinds: kinds, Slots: 1})
	stored := func() uint64 { return on.info("OBJ_GAMEBOTS_LARGE").State.Bytes }
	var watch sync.WaitGroup
	watch.Go(func() {
		for stored() < size && t.Context().Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(2 * time.Second) // about ten tries
		if n := stored(); n > size+size/4 {
			t.Errorf("a result of %d bytes takes %d", size, n)
		}
		leave()
		if n := stored(); n > size/4 {
			t.Errorf("a result that was given up takes %d bytes", n)
		}
		on.take(256 << 20)
		h.Work(&remote.Worker{Kinds: kinds, Slots: 1})
	})
	n := 0
	err := h.Run(h.Owner(), gridtest.Jobs("stored", 0, 1), func(_ grid.Job, result []byte) error {
		n += len(result)
		return nil
	})
	watch.Wait()
	if err != nil || n != size || on.info("OBJ_GAMEBOTS_LARGE").State.Msgs != 0 {
		t.Errorf("%d bytes, and %+v is left: %v", n, on.info("OBJ_GAMEBOTS_LARGE").State, err)
	}
}

// The token of workers does not fill the disk of a server, not even of one with the bucket of an older version, and the
// end of a run takes away what is its own, and what is of no run.
func TestLargeResultsAreLimited(t *testing.T) {
	t.Parallel()
	h := serve(t)
	on := streamsOf(h)
	bucket, err := on.CreateObjectStore(t.Context(), jetstream.ObjectStoreConfig{Bucket: "GAMEBOTS_LARGE"})
	if err != nil {
		t.Fatal(err)
	}
	h.Work(&remote.Worker{Kinds: gridtest.Kinds})
	hostile := h.Connect(remote.AsWorker)
	run := func(name string) {
		t.Helper()
		err := h.Run(h.Owner(), gridtest.Jobs(name, 0, 3), func(grid.Job, []byte) error {
			return hostile.Publish("$O.GAMEBOTS_LARGE.C.evil", make([]byte, 1000))
		})
		if err != nil {
			t.Error(err)
		}
	}
	run("alone")
	if s := on.info("OBJ_GAMEBOTS_LARGE"); s.Config.MaxBytes != 4<<30 || s.State.Msgs != 0 {
		t.Errorf("at most %d bytes, and now %+v", s.Config.MaxBytes, s.State)
	}

	other := "gamebots.job." + tag("older") + "." + tag("other") + ".1.x"
	if _, err := on.Publish(t.Context(), other, nil); err != nil {
		t.Fatal(err)
	}
	for _, run := range []string{"other", "own"} {
		if _, err := bucket.PutString(t.Context(), tag(run)+".1.x.y", run); err != nil {
			t.Fatal(err)
		}
	}
	run("own")
	if all, err := bucket.List(t.Context()); err != nil || len(all) != 1 || all[0].Name != tag("other")+".1.x.y" {
		t.Errorf("objects %v are left: %v", all, err)
	}
}

// On a small disk, all of whose bytes but for a part of a GiB are promised to others, there are runs, again and again.
func TestSmallDisk(t *testing.T) {
	t.Parallel()
	h := serve(t)
	on := streamsOf(h)
	h.Work(&remote.Worker{Kinds: gridtest.Kinds})
	reserve := func(least int64) {
		for bytes := int64(1) << 50; bytes >= least; bytes /= 2 { // as far as there is room
			c := jetstream.StreamConfig{Name: fmt.Sprint("r", least, "-", bytes), MaxBytes: bytes}
			c.Subjects = []string{c.Name}
			_, _ = on.CreateStream(t.Context(), c)
		}
	}
	run := func(most int64) {
		t.Helper()
		var c gridtest.Collect
		if err := h.Run(h.Owner(), gridtest.Jobs("small", 0, 10), c.Done); err != nil {
			t.Fatal(err)
		}
		c.Check(t, 10)
		if n := on.info("OBJ_GAMEBOTS_LARGE").Config.MaxBytes; n < 1<<19 || n > most {
			t.Errorf("at most %d bytes, want %d", n, most)
		}
	}
	run(4 << 30)
	if err := on.DeleteObjectStore(t.Context(), "GAMEBOTS_LARGE"); err != nil {
		t.Fatal(err)
	}
	reserve(1 << 30)
	run(1 << 30)
	reserve(1 << 20)
	run(1 << 30)
}

// stalling is a proxy of a server that passes on nothing of its clients while it is held.
type stalling struct {
	net.Listener
	held sync.RWMutex
}

func (s *stalling) serve(server string) {
	for {
		client, err := s.Accept()
		if err != nil {
			return
		}
		up, err := net.Dial("tcp", server)
		if err != nil {
			client.Close()
			continue
		}
		go func() {
			defer client.Close()
			_, _ = io.Copy(client, up)
		}()
		go func() {
			defer up.Close()
			data := make([]byte, 1<<16)
			for {
				n, err := client.Read(data)
				if err != nil {
					return
				}
				s.held.RLock()
				_, err = up.Write(data[:n])
				s.held.RUnlock()
				if err != nil {
					return
				}
			}
		}()
	}
}

// A worker that was taken for dead, and gives its job back, does not displace the result of the one that took it over.
func TestLateReturn(t *testing.T) {
	t.Parallel()
	h := serve(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	proxy := &stalling{Listener: l}
	go proxy.serve(strings.TrimPrefix(h.Server.URL(), "nats://"))
	late, err := remote.Link{URL: "nats://" + l.Addr().String(), Token: h.Server.Tokens().Worker}.
		Connect(t.Context(), remote.AsWorker)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(late.Close)

	var begun atomic.Int32
	begins, finish := make(chan int32, 10), make(chan struct{})
	kinds := grid.Kinds{gridtest.Kind: func(ctx context.Context, job grid.Job) ([]byte, error) {
		n := begun.Add(1)
		begins <- n
		switch n {
		case 1: // until it leaves
			<-ctx.Done()
			return nil, ctx.Err()
		case 2:
			<-finish
		default: // until the run ends
			select {
			case <-ctx.Done():
			case <-time.After(30 * time.Second):
				t.Error("the result is lost: the job is done again")
			}
		}
		return gridtest.SeedOf(ctx, job)
	}}
	leave := h.Work(&remote.Worker{Conn: late, Kinds: kinds, Slots: 1})
	go func() {
		<-begins
		proxy.held.Lock()
		h.Work(&remote.Worker{Kinds: kinds, Slots: 1})
		<-begins
		proxy.held.Unlock()
		leave()
		close(finish)
	}()
	var c gridtest.Collect
	if err := h.Run(h.Owner(), gridtest.Jobs("late", 0, 1), c.Done); err != nil {
		t.Fatal(err)
	}
	c.Check(t, 1)
}

// A job that fails holds nothing on the server after its tenth try that it does not hold after its first.
func TestTriesHoldNothing(t *testing.T) {
	t.Parallel()
	h := serve(t)
	on := streamsOf(h)
	spec, most, fewest := make([]byte, 1<<20), uint64(0), uint64(math.MaxUint64)
	bytes := func() (n uint64) {
		for _, s := range []string{"GAMEBOTS_JOBS", "GAMEBOTS_RESULTS", "OBJ_GAMEBOTS_PARTS", "OBJ_GAMEBOTS_LARGE"} {
			n += on.info(s).State.Bytes
		}
		return n
	}
	h.Work(&remote.Worker{Slots: 1, Kinds: grid.Kinds{gridtest.Kind: func(context.Context, grid.Job) ([]byte, error) {
		most, fewest = max(most, bytes()), min(fewest, bytes())
		panic("never")
	}}})
	for range 4 { // three tries each
		err := h.Run(h.Owner(), func(yield func(grid.Job) bool) {
			yield(grid.Job{Run: "tries", Kind: gridtest.Kind, Spec: spec})
		}, nil)
		if err == nil {
			t.Error("it was done")
		}
	}
	if most > fewest+100_000 || fewest < 1<<20 {
		t.Errorf("from %d to %d bytes", fewest, most)
	}
}
