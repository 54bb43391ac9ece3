package remote_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gamebots/bots/grid"
	"gamebots/bots/grid/internal/gridtest"
	"gamebots/bots/grid/remote"

	"github.com/nats-io/nats.go"
)

// Who has no token is refused on loopback, too, also where none was configured.
func TestLoopbackNeedsToken(t *testing.T) {
	s, err := remote.Serve(remote.ServerConfig{Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, token := range []string{"", "guess"} {
		_, err := remote.Link{URL: s.URL(), Token: token}.Connect(t.Context(), remote.AsWorker)
		if setup := (*remote.SetupError)(nil); !errors.As(err, &setup) || setup.Problem != remote.WrongToken {
			t.Errorf("token %q: %v", token, err)
		}
	}
	if tokens := s.Tokens(); len(tokens.Owner) < 20 || len(tokens.Worker) < 20 || tokens.Owner == tokens.Worker {
		t.Errorf("tokens %+v", tokens)
	}
}

// A hostile worker can neither publish jobs nor stop runs, nor answer in the name of an
// owner, nor read what is not for workers, nor change the stream.
func TestHostileWorker(t *testing.T) {
	t.Parallel()
	h := serve(t)
	var violations atomic.Int32
	conn, err := nats.Connect(h.Server.URL(), nats.Token(h.Server.Tokens().Worker),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) {
				violations.Add(1)
			}
		}))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	attempts := int32(0)
	for _, subject := range []string{
		"gamebots.job.0123456789abcdef.0123456789abcdef.1.0123456789abcdef", "gamebots.stop.0123456789abcdef",
		"gamebots.told.W", "$KV.GAMEBOTS_RUNS.0123456789abcdef", "$O.GAMEBOTS_PARTS.C.x", "$O.GAMEBOTS_PARTS.M.x",
		"_INBOX.x", "_INBOX_WORKER.x", "$JS.API.STREAM.PURGE.GAMEBOTS_JOBS", "$JS.API.STREAM.DELETE.GAMEBOTS_JOBS",
		"$JS.API.STREAM.MSG.GET.GAMEBOTS_JOBS", "$JS.API.CONSUMER.CREATE.GAMEBOTS_JOBS", "$SYS.REQ.SERVER.PING",
		"$JS.API.STREAM.MSG.GET.GAMEBOTS_RESULTS", "$JS.API.CONSUMER.CREATE.GAMEBOTS_RESULTS.x",
		"$JS.API.DIRECT.GET.OBJ_GAMEBOTS_LARGE", "$JS.API.DIRECT.GET.OBJ_GAMEBOTS_LARGE.$O.GAMEBOTS_LARGE.C.x",
		"$JS.API.CONSUMER.CREATE.OBJ_GAMEBOTS_LARGE.x",
		"$JS.API.DIRECT.GET.KV_GAMEBOTS_RUNS", "$JS.API.CONSUMER.CREATE.KV_GAMEBOTS_RUNS.x",
	} {
		attempts++
		if err := conn.Publish(subject, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, subject := range []string{">", "_INBOX.>", "gamebots.result.>", "gamebots.job.>", "$KV.>", "$O.>"} {
		attempts++
		if _, err := conn.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
	}
	if err := conn.Flush(); err != nil {
		t.Fatal(err)
	}
	for start := time.Now(); violations.Load() < attempts; time.Sleep(time.Millisecond) {
		if time.Since(start) > 2*time.Minute {
			t.Fatalf("%d of %d attempts were refused", violations.Load(), attempts)
		}
	}

	// A command with the token of workers is told so.
	wrong := remote.Link{URL: h.Server.URL(), Token: h.Server.Tokens().Worker}
	worker, err := wrong.Connect(t.Context(), remote.AsOwner)
	if err != nil {
		t.Fatal(err)
	}
	defer worker.Close()
	err = h.Run(&remote.Owner{Conn: worker, Version: "test"}, gridtest.Jobs("stolen", 0, 3), nil)
	if setup := (*remote.SetupError)(nil); !errors.As(err, &setup) || setup.Problem != remote.WorkerToken {
		t.Errorf("an owner with the token of workers: %v", err)
	}
}

// A worker reads the parts of jobs by consumers, which it makes. However many it asks for, the server has a bounded
// number of them.
func TestHostileConsumers(t *testing.T) {
	t.Parallel()
	h := serve(t)
	h.Work(&remote.Worker{Slots: 1, Kinds: gridtest.Kinds})
	var before, after gridtest.Collect
	if err := h.Run(h.Owner(), gridtest.Jobs("before", 0, 3), before.Done); err != nil {
		t.Fatal(err)
	}
	hostile := h.Connect(remote.AsWorker)
	answers := make(chan string, 1200)
	if _, err := hostile.Subscribe("_INBOX_WORKER.evil", func(m *nats.Msg) { answers <- string(m.Data) }); err != nil {
		t.Fatal(err)
	}
	for i := range cap(answers) {
		text := fmt.Sprintf(`{"stream_name":"OBJ_GAMEBOTS_PARTS",
			"config":{"durable_name":"evil%d","mem_storage":true}}`, i)
		subject := fmt.Sprintf("$JS.API.CONSUMER.CREATE.OBJ_GAMEBOTS_PARTS.evil%d", i)
		if err := hostile.PublishRequest(subject, "_INBOX_WORKER.evil", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	made := 0
	for range cap(answers) {
		if answer := <-answers; !strings.Contains(answer, `"error"`) {
			made++
		} else if !strings.Contains(answer, "maximum consumers limit reached") {
			t.Fatal(answer)
		}
	}
	if made == 0 || made > 1000 {
		t.Errorf("the server has made %d consumers for a worker", made)
	}
	if err := h.Run(h.Owner(), gridtest.Jobs("after", 0, 3), after.Done); err != nil {
		t.Fatal(err)
	}
	before.Check(t, 3)
	after.Check(t, 3)
}

// A worker that claims results of any size, objects that do not exist, or any number of slots, does not take the
// owner's memory, and the run is done by others.
func TestHostileClaims(t *testing.T) {
	t.Parallel()
	h := serve(t)
	hostile := h.Connect(remote.AsWorker)
	begun, hold := make(chan struct{}), make(chan struct{})
	var once sync.Once
	h.Work(&remote.Worker{Slots: 1,
		Kinds: grid.Kinds{gridtest.Kind: func(ctx context.Context, job grid.Job) ([]byte, error) {
			once.Do(func() { close(begun) })
			<-hold
			return gridtest.SeedOf(ctx, job)
		}}})
	o := h.Owner()
	places := make(chan string, 100)
	if _, err := o.Conn.Subscribe("gamebots.job.>", func(m *nats.Msg) {
		select {
		case places <- strings.SplitN(m.Subject, ".", 4)[3]:
		default: // enough
		}
	}); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(hold)
		<-begun
		for _, slots := range []int{math.MaxInt, -math.MaxInt} {
			state := map[string]any{"id": "evil", "version": "test", "slots": slots}
			text, _ := json.Marshal(state)
			_ = hostile.Publish("$KV.GAMEBOTS_WORKERS.evil", text)
		}
		_ = hostile.Publish("$KV.GAMEBOTS_WORKERS.garbage", []byte("no lease"))
		for range 10 {
			claim := map[string]any{"op": "result", "worker": "evil", "object": "none"}
			_ = hostile.PublishMsg(with("gamebots.result."+<-places, claim))
			_ = hostile.PublishMsg(with("gamebots.result."+tag("claims")+".1.unknown", claim))
		}
		_ = hostile.Flush()
	}()
	var c gridtest.Collect
	if err := h.Run(o, gridtest.Jobs("claims", 0, 1000), c.Done); err != nil {
		t.Fatal(err)
	}
	c.Check(t, 1000)
}

// A message that is not a stop of the owner ends no job, whatever its subject: a worker can have the server send its
// jobs to any.
func TestOnlyOwnersStop(t *testing.T) {
	t.Parallel()
	h := serve(t)
	o := h.Owner()
	h.Work(&remote.Worker{Slots: 1,
		Kinds: grid.Kinds{gridtest.Kind: func(ctx context.Context, job grid.Job) ([]byte, error) {
			m := with("gamebots.stop."+tag("stops"), map[string]any{"run": "stops", "shard": job.Shard})
			if err := errors.Join(o.Conn.PublishMsg(m), o.Conn.Flush()); err != nil {
				return nil, err
			}
			select {
			case <-ctx.Done():
				t.Errorf("%v was stopped", job)
			case <-time.After(50 * time.Millisecond):
			}
			return gridtest.SeedOf(ctx, job)
		}}})
	var c gridtest.Collect
	if err := h.Run(o, gridtest.Jobs("stops", 0, 5), c.Done); err != nil {
		t.Fatal(err)
	}
	c.Check(t, 5)
}

// An owner keeps its run, and its jobs, while it takes long to store a result.
func TestBusyOwnerKeepsItsRun(t *testing.T) {
	t.Parallel()
	h := serve(t)
	h.Work(&remote.Worker{Kinds: gridtest.Kinds, Slots: 1})
	var once sync.Once
	storing, ended := make(chan struct{}), make(chan error)
	var c gridtest.Collect
	go func() {
		ended <- h.Run(h.Owner(), gridtest.Jobs("busy", 0, 10), func(job grid.Job, result []byte) error {
			once.Do(func() {
				close(storing)
				time.Sleep(1500 * time.Millisecond) // more than a request waits
			})
			return c.Done(job, result)
		})
	}()
	<-storing
	err := h.Run(h.Owner(), gridtest.Jobs("busy", 0, 10), nil)
	if setup := (*remote.SetupError)(nil); !errors.As(err, &setup) || setup.Problem != remote.RunInProgress {
		t.Errorf("a second owner: %v", err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	c.Check(t, 10)
}

// A worker downloads nothing of a negative size, or of more than its memory, and reports
// that.
func TestHostileOwner(t *testing.T) {
	t.Parallel()
	h := serve(t)
	h.Work(&remote.Worker{Kinds: gridtest.Kinds, Slots: 1})
	o := h.Owner()
	if err := h.Run(o, gridtest.Jobs("first", 0, 1), new(gridtest.Collect).Done); err != nil { // makes the stream
		t.Fatal(err)
	}
	failures := make(chan string, 10)
	_, err := o.Conn.Subscribe("gamebots.result."+tag("evil")+".>", func(m *nats.Msg) {
		failures <- m.Header.Get("Gamebots")
	})
	if err != nil {
		t.Fatal(err)
	}
	for shard, size := range []int{-1, math.MaxInt} {
		for _, part := range []string{"spec", "shared"} {
			task := map[string]any{
				"session": part, "run": "evil", "shard": shard, "kind": gridtest.Kind,
				part: map[string]any{"name": "x", "sum": "x", "size": size},
			}
			m := with("gamebots.job."+tag("test")+"."+tag("evil")+"."+strconv.Itoa(shard)+".x", task)
			if err := o.Conn.PublishMsg(m); err != nil {
				t.Fatal(err)
			}
			select {
			case text := <-failures:
				if !strings.Contains(text, "a part of the job is too large") {
					t.Errorf("%s of %d bytes: %s", part, size, text)
				}
			case <-time.After(2 * time.Minute):
				t.Fatalf("%s of %d bytes: the worker reports nothing", part, size)
			}
		}
	}
}

// tag is the part of a subject that stands for a text.
func tag(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// with returns a message with parameters.
func with(subject string, parameters any) *nats.Msg {
	text, err := json.Marshal(parameters)
	if err != nil {
		panic(err)
	}
	m := nats.NewMsg(subject)
	m.Header.Set("Gamebots", string(text))
	return m
}

// Jobs that a worker refuses are done by others and count as no failure; if all refuse
// them they are given up with the reason, without further tries.
func TestRefusals(t *testing.T) {
	t.Parallel()
	h := serve(t)
	picky := grid.Kinds{gridtest.Kind: func(ctx context.Context, job grid.Job) ([]byte, error) {
		if job.Shard%2 == 1 {
			return nil, &grid.UnwillingError{Err: errors.New("no odd jobs here")}
		}
		return gridtest.SeedOf(ctx, job)
	}}
	h.Work(&remote.Worker{Kinds: picky, Slots: 2})
	var log syncBuffer
	o := h.Owner()
	o.Log = log.logger()
	var c gridtest.Collect
	err := h.Run(o, gridtest.Jobs("picky", 0, 6), c.Done)
	c.Check(t, 6, 1, 3, 5)
	if err == nil || !strings.Contains(err.Error(), "after 0 tries: no odd jobs here") {
		t.Error(err)
	}
	if n := strings.Count(log.String(), "a worker refuses jobs"); n != 1 {
		t.Errorf("the refusal is logged %d times:\n%s", n, log.String())
	}

	h.Work(&remote.Worker{Kinds: gridtest.Kinds, Slots: 2})
	c = gridtest.Collect{}
	if err := h.Run(h.Owner(), gridtest.Jobs("mixed", 0, 20), c.Done); err != nil {
		t.Error(err)
	}
	c.Check(t, 20)
}

// The tokens of a user's servers are drawn once, whoever comes first, and only that user
// can read them.
func TestLocalTokens(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	keys, err := remote.LocalKeys()
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	drawn := make([]remote.Tokens, 8)
	for i := range drawn {
		all.Go(func() {
			err := keys.MakeTokens()
			if err == nil {
				drawn[i], err = keys.Tokens()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, tokens := range drawn {
		if tokens != drawn[0] || tokens.Owner == "" || tokens.Worker == "" || tokens.Owner == tokens.Worker {
			t.Errorf("%+v and %+v", tokens, drawn[0])
		}
	}
	for _, name := range []string{keys.Owner, keys.Worker} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}
