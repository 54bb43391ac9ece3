package status_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"gamebots/bots/grid"
	"gamebots/bots/grid/internal/farmtest"
	"gamebots/bots/grid/internal/gridtest"
	"gamebots/bots/grid/remote"
	"gamebots/bots/grid/status"

	"github.com/nats-io/nats.go/jetstream"
)

// While a run is going on, its state and that of its worker are told; before the first there is none.
func TestStatus(t *testing.T) {
	f := farmtest.Serve(t)
	o := f.Owner()
	look := func(write func(f *status.Farm, to io.Writer) error) string {
		var text strings.Builder
		farm, err := status.Look(t.Context(), o.Conn)
		if err == nil {
			err = write(farm, &text)
		}
		if err != nil {
			t.Error(err)
		}
		return text.String()
	}
	if text := look((*status.Farm).WriteText); !strings.HasPrefix(text, "run ") || strings.Count(text, "\n") != 3 {
		t.Errorf("before a run: %q", text)
	}

	f.Work(&remote.Worker{Kinds: gridtest.Kinds, Slots: 3, Device: "cpu\n\x1b[2J"})
	told := false
	err := f.Run(o, gridtest.Jobs("the run", 0, 5), func(grid.Job, []byte) error {
		for end := time.Now().Add(time.Minute); !told && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			text := look((*status.Farm).WriteText)
			told = strings.Contains(text, "\nthe run ") && strings.Contains(text, "cpu??[2J")
		}
		return nil
	})
	if err != nil || !told {
		t.Fatalf("error %v, told %t", err, told)
	}
	if text := look((*status.Farm).WriteJSON); !strings.Contains(text, `"slots":3`) {
		t.Errorf("JSON %q", text)
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
	if all, err := status.Leases[status.Worker](t.Context(), ending{}, status.Workers); err == nil {
		t.Errorf("%d workers", len(all))
	}
}
