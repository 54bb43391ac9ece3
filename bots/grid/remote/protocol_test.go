package remote

import (
	"context"
	"strings"
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

// ending is a server that lists these leases, and then hangs up.
type ending struct {
	jetstream.JetStream
	leases chan jetstream.KeyValueEntry
}

// endingBy returns a server with leases.
func endingBy(leases ...jetstream.KeyValueEntry) ending {
	s := ending{leases: make(chan jetstream.KeyValueEntry, len(leases))}
	for _, e := range leases {
		s.leases <- e
	}
	close(s.leases)
	return s
}

func (s ending) KeyValue(context.Context, string) (jetstream.KeyValue, error) {
	return endingBucket{leases: s.leases}, nil
}

type endingBucket struct {
	jetstream.KeyValue
	leases chan jetstream.KeyValueEntry
}

func (b endingBucket) WatchAll(context.Context, ...jetstream.WatchOpt) (jetstream.KeyWatcher, error) {
	return endingWatch{leases: b.leases}, nil
}

type endingWatch struct {
	jetstream.KeyWatcher
	leases chan jetstream.KeyValueEntry
}

func (endingWatch) Stop() error { return nil }

func (w endingWatch) Updates() <-chan jetstream.KeyValueEntry { return w.leases }

// lease is an entry under a key that is its text until a space, with the rest as its value.
type lease struct {
	jetstream.KeyValueEntry
	text string
}

func (l lease) Key() string { key, _, _ := strings.Cut(l.text, " "); return key }

func (l lease) Value() []byte { _, value, _ := strings.Cut(l.text, " "); return []byte(value) }

// A list that ends before its last lease is an error, and not a list of no workers.
func TestLeasesEnd(t *testing.T) {
	if all, err := leases[WorkerState](t.Context(), endingBy(), workersBucket); err == nil {
		t.Errorf("%d workers", len(all))
	}
}

// A worker cannot be there under the name of another, or twice by one lease.
func TestLeaseOfAnother(t *testing.T) {
	all, err := leases[WorkerState](t.Context(), endingBy(
		lease{text: `A {"id":"B","slots":1}`}, lease{text: `B {"slots":2}`}, nil), workersBucket)
	if err != nil || len(all) != 2 || all[0].ID != "A" || all[1].ID != "B" {
		t.Errorf("%+v, %v", all, err)
	}
}
