package remote

import (
	"context"
	"testing"

	"gamebots/bots/grid"

	"github.com/nats-io/nats.go/jetstream"
)

// The times and limits of the protocol need each other.
func TestConstants(t *testing.T) {
	const message = 1 << 20 // a server's default limit
	for text, holds := range map[string]bool{
		"a lease outlasts a lost answer":                 2*askTimeout < goneAfter,
		"a lease expires before its job goes elsewhere":  goneAfter < DefaultAckWait,
		"a late result is known twice":                   keepResult+askTimeout < duplicates,
		"parts outlast the parts of a job":               duplicates < stayFor/2,
		"a worker that dies costs no try":                maxDeaths > grid.DefaultTries,
		"a result fits in the bucket":                    maxResult <= largeBytes,
		"an error's text and a result fit in a message":  errorSize < message/6 && inlineSize < message,
		"a lease with all jobs of a worker fits":         maxSlots*64 < message,
		"more results are on their way than in a moment": inlineSize*maxSlots <= resultBytes,
	} {
		if !holds {
			t.Errorf("not so: %s", text)
		}
	}
}

// ending is a server that hangs up while it lists leases.
type ending struct{ jetstream.JetStream }

func (ending) KeyValue(context.Context, string) (jetstream.KeyValue, error) {
	return endingBucket{}, nil
}

type endingBucket struct{ jetstream.KeyValue }

func (endingBucket) WatchAll(context.Context, ...jetstream.WatchOpt) (jetstream.KeyWatcher, error) {
	return endingWatch{}, nil
}

type endingWatch struct{ jetstream.KeyWatcher }

func (endingWatch) Stop() error { return nil }

func (endingWatch) Updates() <-chan jetstream.KeyValueEntry {
	c := make(chan jetstream.KeyValueEntry)
	close(c)
	return c
}

// A list that ends before its last lease is an error, and not a list of no workers.
func TestLeasesEnd(t *testing.T) {
	if all, err := leases[WorkerState](t.Context(), ending{}, workersBucket); err == nil {
		t.Errorf("%d workers", len(all))
	}
}
