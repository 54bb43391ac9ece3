// Package status is what workers and runs of a grid say of themselves, in leases on the server that they renew as long
// as they live.
package status

import (
	"context"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Buckets of leases.
const (
	Runs    = "GAMEBOTS_RUNS"
	Workers = "GAMEBOTS_WORKERS"
)

// Worker is what a worker says of itself.
type Worker struct {
	ID      string   `json:"id"`
	Host    string   `json:"host"`
	Version string   `json:"version"`
	Slots   int      `json:"slots"` // jobs at a time
	Kinds   []string `json:"kinds"`
	Open    []string `json:"open,omitempty"` // jobs in progress, as RUN.SHARD.HASH
	Done    int      `json:"done"`
	Failed  int      `json:"failed"`
}

// Run is what the owner of a run says of it.
type Run struct {
	Session string    `json:"session"`
	Run     string    `json:"run"`
	Owner   string    `json:"owner"`
	Version string    `json:"version"`
	Began   time.Time `json:"began"`
	Open    int       `json:"open"`
	Done    int       `json:"done"`
	Failed  int       `json:"failed"` // given up
}

// Leases returns what the leases of a bucket say.
func Leases[T any](ctx context.Context, js jetstream.JetStream, bucket string) ([]T, error) {
	kv, err := js.KeyValue(ctx, bucket)
	if err != nil {
		return nil, err
	}
	w, err := kv.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.Stop() }()
	var all []T
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case e := <-w.Updates():
			var v T
			switch {
			case e == nil: // all have come
				return all, nil
			case json.Unmarshal(e.Value(), &v) == nil:
				all = append(all, v)
			}
		}
	}
}
