package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Buckets of leases.
const (
	runsBucket    = "GAMEBOTS_RUNS"
	workersBucket = "GAMEBOTS_WORKERS"
)

// WorkerState is what a worker says of itself, in a lease on the server that it renews as long as it lives.
type WorkerState struct {
	ID      string   `json:"id" text:"worker"`
	Host    string   `json:"host"`
	Version string   `json:"version"`
	Slots   int      `json:"slots" text:"at a time"` // jobs
	Device  string   `json:"device,omitempty"`
	Kinds   []string `json:"kinds" text:"-"`
	Open    []string `json:"open,omitempty" text:",%d"` // jobs in progress, as RUN.SHARD.HASH
	Done    int      `json:"done"`
	Failed  int      `json:"failed"`
}

// RunState is what the owner of a run says of it, in a lease as well.
type RunState struct {
	Session string    `json:"session" text:"-"`
	Run     string    `json:"run"`
	Owner   string    `json:"owner"`
	Version string    `json:"version" text:"-"`
	Began   time.Time `json:"began"`
	Open    int       `json:"open"`
	Done    int       `json:"done"`
	Failed  int       `json:"failed"` // given up
}

// Farm is the state of a server's runs and workers.
type Farm struct {
	Now     time.Time     `json:"now" text:"-"`
	Runs    []RunState    `json:"runs"`
	Workers []WorkerState `json:"workers"`
}

// Look returns the state of a farm. A server that has had no run has none.
func Look(ctx context.Context, conn *nats.Conn) (*Farm, error) {
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	f := &Farm{Now: time.Now(), Workers: []WorkerState{}}
	if f.Runs, err = leases[RunState](ctx, js, runsBucket); err == nil {
		f.Workers, err = leases[WorkerState](ctx, js, workersBucket)
	}
	if err != nil && !errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, err
	}
	slices.SortFunc(f.Runs, func(a, b RunState) int {
		return cmp.Or(a.Began.Compare(b.Began), strings.Compare(a.Run, b.Run))
	})
	slices.SortFunc(f.Workers, func(a, b WorkerState) int {
		return cmp.Or(strings.Compare(a.Host, b.Host), strings.Compare(a.ID, b.ID))
	})
	return f, nil
}

// leases returns what the leases of a bucket say. A worker's has its key for an ID: one lease is one worker, whatever
// it says.
func leases[T any](ctx context.Context, js jetstream.JetStream, bucket string) ([]T, error) {
	all := []T{} // not null in JSON
	kv, err := js.KeyValue(ctx, bucket)
	if err != nil {
		return all, err
	}
	w, err := kv.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.Stop() }()
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case e, more := <-w.Updates():
			var v T
			switch {
			case !more:
				return nil, errors.New("the leases ended before the last of them")
			case e == nil: // all have come
				return all, nil
			case json.Unmarshal(e.Value(), &v) == nil:
				if w, ok := any(&v).(*WorkerState); ok {
					w.ID = e.Key()
				}
				all = append(all, v)
			}
		}
	}
}
