//go:build unix

package remote_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"gamebots/bots/grid"
	"gamebots/bots/grid/internal/gridtest"
	"gamebots/bots/grid/remote"
	"gamebots/internal/testkit"

	"go.uber.org/goleak"
)

// killsEnv is how often TestKills kills, if not a few times. Each takes about half
// a second.
const killsEnv = "GAMEBOTS_KILLS"

// roleEnv makes the test's program a server, a worker or an owner, which
// TestKills kills.
const roleEnv = "GAMEBOTS_TEST_ROLE"

func TestMain(m *testing.M) {
	role := os.Getenv(roleEnv)
	if role == "" {
		// A publisher whose connection closes while its first message leaves keeps a goroutine that waits
		// for nothing: newAsyncReply starts it after the close has taken its channel away.
		goleak.VerifyTestMain(m, goleak.IgnoreTopFunction(
			"github.com/nats-io/nats.go/jetstream.(*jetStream).resetPendingAcksOnReconnect"))
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := roles[role](ctx, os.Args[1:]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// killJobs is the number of jobs of a run that is disturbed. The one with the number
// broken never succeeds.
const (
	killJobs = 200
	broken   = 123
)

var roles = map[string]func(ctx context.Context, args []string) error{
	"server": func(ctx context.Context, args []string) error {
		s, err := remote.Serve(remote.ServerConfig{Listen: args[0], Store: args[1], Tokens: testTokens})
		if err != nil {
			return err
		}
		<-ctx.Done()
		return s.Close()
	},
	"worker": func(ctx context.Context, args []string) error {
		conn, err := remote.Link{URL: args[0], Token: testTokens.Worker,
			Patience: time.Hour}.Connect(ctx, remote.AsWorker)
		if err != nil {
			return err
		}
		defer conn.Close()
		return (&remote.Worker{Conn: conn, Kinds: killKinds, Slots: 2, Version: "test"}).Run(ctx)
	},
	"owner": func(ctx context.Context, args []string) error {
		conn, err := remote.Link{URL: args[0], Token: testTokens.Owner,
			Patience: time.Hour}.Connect(ctx, remote.AsOwner)
		if err != nil {
			return err
		}
		defer conn.Close()
		book, err := openBook(args[1])
		if err != nil {
			return err
		}
		defer book.file.Close()
		o := &remote.Owner{Conn: conn, Version: "test", AckWait: ackWait}
		return o.Run(ctx, book.missing(filepath.Base(args[1])), book.done)
	},
}

// killKinds has a kind whose jobs wait a while; every fortieth result is large.
var killKinds = grid.Kinds{gridtest.Kind: func(ctx context.Context, job grid.Job) ([]byte, error) {
	if job.Shard == broken {
		return nil, errors.New("broken")
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(time.Duration(job.Seed%40) * time.Millisecond):
	}
	sum := sha256.Sum256(binary.LittleEndian.AppendUint64(nil, job.Seed))
	if job.Shard%40 != 0 {
		return sum[:], nil
	}
	return bytes.Repeat(sum[:], 30_000), nil
}}

// book is where an owner keeps results: a file to which records are added, each
// a shard, a length and bytes.
type book struct {
	file *os.File
	has  map[int]bool
}

// openBook opens a book, and cuts off the line that was being written when its owner was
// killed.
func openBook(name string) (*book, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	b, whole := &book{f, map[int]bool{}}, int64(0)
	for {
		var head [8]byte
		if _, err := io.ReadFull(f, head[:]); err != nil {
			break
		}
		shard, size := int(binary.LittleEndian.Uint32(head[:])), int64(binary.LittleEndian.Uint32(head[4:]))
		if n, err := io.CopyN(io.Discard, f, size); err != nil || n < size {
			break
		}
		if b.has[shard] {
			return nil, fmt.Errorf("shard %d was counted twice", shard)
		}
		b.has[shard] = true
		whole += 8 + size
	}
	if err := f.Truncate(whole); err != nil {
		return nil, err
	}
	_, err = f.Seek(whole, io.SeekStart)
	return b, err
}

func (b *book) missing(run string) iter.Seq[grid.Job] {
	return func(yield func(grid.Job) bool) {
		for job := range gridtest.Jobs(run, 0, killJobs) {
			if !b.has[job.Shard] && !yield(job) {
				return
			}
		}
	}
}

func (b *book) done(job grid.Job, result []byte) error {
	if b.has[job.Shard] {
		return fmt.Errorf("shard %d was counted twice", job.Shard)
	}
	b.has[job.Shard] = true
	record := binary.LittleEndian.AppendUint32(nil, uint32(job.Shard))
	record = binary.LittleEndian.AppendUint32(record, uint32(len(result)))
	_, err := b.file.Write(append(record, result...))
	return err
}

// sorted returns the records of a book in the order of their shards.
func sorted(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	records := map[int][]byte{}
	for len(data) > 0 {
		shard, size := int(binary.LittleEndian.Uint32(data)), 8+int(binary.LittleEndian.Uint32(data[4:]))
		if records[shard] != nil {
			t.Fatalf("shard %d was counted twice", shard)
		}
		records[shard], data = data[:size], data[size:]
	}
	var all []byte
	for i := range killJobs {
		all = append(all, records[i]...)
	}
	return all
}

// TestKills kills servers, owners and workers at random moments until the runs
// are over, or stops them for up to two seconds. Their results must be those of an
// undisturbed run on this machine, each once.
func TestKills(t *testing.T) {
	t.Parallel()
	kills := 6
	if text := os.Getenv(killsEnv); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s: %v", killsEnv, err)
		}
	}
	folder := t.TempDir()
	whole, err := openBook(filepath.Join(folder, "whole"))
	if err != nil {
		t.Fatal(err)
	}
	local := &grid.Local{Kinds: killKinds, Threads: 32}
	if err := local.Run(t.Context(), whole.missing("whole"), whole.done); !errors.As(err, new(*grid.FailedJobsError)) {
		t.Fatalf("undisturbed: %v", err)
	}
	whole.file.Close()
	want := sorted(t, filepath.Join(folder, "whole"))

	address := testkit.FreeAddress(t)
	url := "nats://" + address
	server := start(t, "server", address, filepath.Join(folder, "jobs"))
	workers := []*victim{start(t, "worker", url), start(t, "worker", url), start(t, "worker", url)}
	random := rand.New(rand.NewPCG(1, 2))
	killed := [3]int{}                  // servers, owners, workers
	first := []int{1, 2, 0, 5, 1, 3, 0} // one of each, in few kills too
	runs, hung := 0, 0
	begin := time.Now()
	for ; killed[0]+killed[1]+killed[2] < kills; runs++ {
		name := filepath.Join(folder, fmt.Sprint("run", runs))
		owner := start(t, "owner", url, name)
		for over := false; !over; {
			select {
			case <-owner.over:
				over = true
				continue
			case <-time.After(time.Duration(100+random.IntN(800)) * time.Millisecond):
			}
			if killed[0]+killed[1]+killed[2] >= kills {
				select {
				case <-owner.over:
				case <-time.After(5 * time.Minute):
					t.Fatalf("run %d does not end: %d kills in %v", runs, kills, time.Since(begin))
				}
				continue
			}
			who := random.IntN(6)
			if len(first) > 0 {
				who, first = first[0], first[1:]
			}
			switch who {
			case 5: // one that hangs for a while, and is taken for dead
				slow := append([]*victim{server, owner}, workers...)[random.IntN(2+len(workers))]
				_ = slow.cmd.Process.Signal(syscall.SIGSTOP) // it may be over
				time.Sleep(time.Duration(random.IntN(2000)) * time.Millisecond)
				_ = slow.cmd.Process.Signal(syscall.SIGCONT)
				hung++
			case 0:
				killed[0]++
				server.kill()
				time.Sleep(time.Duration(random.IntN(500)) * time.Millisecond)
				server = start(t, server.args...)
			case 1:
				select {
				case <-owner.over: // ended by itself, just before
					continue
				default:
				}
				killed[1]++
				owner.kill()
				owner = start(t, owner.args...)
			default:
				killed[2]++
				workers[who-2].kill()
				workers[who-2] = start(t, workers[who-2].args...)
			}
		}
		// Tries are also those that a worker did not survive.
		if ok, err := regexp.Match(fmt.Sprintf("^a job was given up: %s/%d after [3-7] tries: broken\n$",
			filepath.Base(name), broken), owner.out.Bytes()); err != nil || !ok {
			t.Fatalf("run %d ends with %q", runs, owner.out.String())
		}
		if !bytes.Equal(sorted(t, name), want) {
			t.Fatalf("run %d differs from one that was not disturbed", runs)
		}
	}
	t.Logf("%d servers, %d owners and %d workers were killed and %d others hung in %d runs of %d jobs in %v", killed[0],
		killed[1], killed[2], hung, runs, killJobs, time.Since(begin).Round(time.Second))
}

// victim is a process that is killed some day.
type victim struct {
	cmd  *exec.Cmd
	args []string
	out  bytes.Buffer
	over chan struct{} // closed when it has ended
}

func start(t *testing.T, args ...string) *victim {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	v := &victim{cmd: exec.Command(self, args[1:]...), args: args, over: make(chan struct{})}
	v.cmd.Env = append(os.Environ(), roleEnv+"="+args[0], "GOMAXPROCS=2")
	v.cmd.Stdout, v.cmd.Stderr = &v.out, &v.out
	if err := v.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(v.over)
		_ = v.cmd.Wait() // it was killed
	}()
	t.Cleanup(v.kill)
	return v
}

func (v *victim) kill() {
	_ = v.cmd.Process.Kill() // it may be over
	<-v.over
}

// Workers that come and go, and runs one after the other, leave neither files nor
// goroutines behind: the latter are counted when all tests are over.
func TestLeaks(t *testing.T) {
	files := func() int {
		all, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(all)
	}
	h := serve(t)
	o := h.Owner()
	var before int
	for round := range 8 {
		if round == 2 {
			before = files()
		}
		conn := h.Connect(remote.AsWorker)
		leave := h.Work(&remote.Worker{Conn: conn, Kinds: gridtest.Kinds, Slots: 2})
		var c gridtest.Collect
		if err := h.Run(o, gridtest.Jobs("leaks", 0, 20), c.Done); err != nil {
			t.Fatal(err)
		}
		leave()
		conn.Close()
	}
	for end := time.Now().Add(2 * time.Minute); files() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d files are open, %d were", files(), before)
		}
	}
}
