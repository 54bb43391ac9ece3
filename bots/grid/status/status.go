// Package status is what workers and runs of a grid say of themselves, in leases on the server that they renew as long
// as they live.
package status

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/nats-io/nats.go"
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
	Device  string   `json:"device,omitempty"`
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
	Failed  int       `json:"failed"`          // given up
	Total   int       `json:"total,omitempty"` // 0 if it is not known
}

// Rate returns the number of jobs done a second.
func (r *Run) Rate(now time.Time) float64 {
	return float64(r.Done) / max(now.Sub(r.Began).Seconds(), 1)
}

// Left returns how long the rest of the run takes at its rate, and whether that is known.
func (r *Run) Left(now time.Time) (time.Duration, bool) {
	rate := r.Rate(now)
	if r.Total == 0 || rate == 0 {
		return 0, false
	}
	rest := float64(max(r.Total-r.Done-r.Failed, 0))
	return time.Duration(rest / rate * float64(time.Second)).Round(time.Second), true
}

// Farm is the state of a server's runs and workers.
type Farm struct {
	Now     time.Time `json:"now"`
	Runs    []Run     `json:"runs"`
	Workers []Worker  `json:"workers"`
}

// Look returns the state of a farm. A server that has had no run has none.
func Look(ctx context.Context, conn *nats.Conn) (*Farm, error) {
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	f := &Farm{Now: time.Now()}
	if f.Runs, err = Leases[Run](ctx, js, Runs); err == nil {
		f.Workers, err = Leases[Worker](ctx, js, Workers)
	}
	if err != nil && !errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, err
	}
	slices.SortFunc(f.Runs, func(a, b Run) int {
		return cmp.Or(a.Began.Compare(b.Began), strings.Compare(a.Run, b.Run))
	})
	slices.SortFunc(f.Workers, func(a, b Worker) int {
		return cmp.Or(strings.Compare(a.Host, b.Host), strings.Compare(a.ID, b.ID))
	})
	return f, nil
}

// WriteText writes tables for people.
func (f *Farm) WriteText(to io.Writer) error {
	t := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "run\tdone\topen\tfailed\tjobs/s\tleft\towner")
	for _, r := range f.Runs {
		done, left := strconv.Itoa(r.Done), "-"
		if r.Total > 0 {
			done += fmt.Sprintf(" of %d", r.Total)
		}
		if d, ok := r.Left(f.Now); ok {
			left = d.String()
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%.3g\t%s\t%s\n", printable(r.Run), done, r.Open, r.Failed, r.Rate(f.Now), left,
			printable(r.Owner))
	}
	fmt.Fprintln(t, "\nworker\thost\tdevice\tat a time\topen\tdone\tfailed\tversion")
	for _, w := range f.Workers {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%s\n", printable(w.ID), printable(w.Host), printable(w.Device),
			w.Slots, len(w.Open), w.Done, w.Failed, printable(w.Version))
	}
	return t.Flush()
}

// WriteJSON writes the state as a JSON object.
func (f *Farm) WriteJSON(to io.Writer) error { return json.NewEncoder(to).Encode(f) }

// printable returns a text that cannot change a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, text)
}

// WriteMetrics writes the state in the text format of Prometheus.
func (f *Farm) WriteMetrics(to io.Writer) error {
	var b bytes.Buffer
	metric := func(name, kind, help string, write func(sample func(labels string, value int))) {
		fmt.Fprintf(&b, "# HELP gamebots_grid_%s %s\n# TYPE gamebots_grid_%s %s\n", name, help, name, kind)
		write(func(labels string, value int) { fmt.Fprintf(&b, "gamebots_grid_%s{%s} %d\n", name, labels, value) })
	}
	runs := func(name, kind, help string, value func(r *Run) int) {
		metric(name, kind, help, func(sample func(string, int)) {
			for i := range f.Runs {
				sample(fmt.Sprintf("run=%q", printable(f.Runs[i].Run)), value(&f.Runs[i]))
			}
		})
	}
	workers := func(name, kind, help string, value func(w *Worker) int) {
		metric(name, kind, help, func(sample func(string, int)) {
			for i := range f.Workers {
				w := &f.Workers[i]
				sample(fmt.Sprintf("worker=%q,host=%q", printable(w.ID), printable(w.Host)), value(w))
			}
		})
	}
	runs("run_jobs_done", "counter", "Jobs of a run whose results are stored.", func(r *Run) int { return r.Done })
	runs("run_jobs_open", "gauge", "Jobs of a run that are published.", func(r *Run) int { return r.Open })
	runs("run_jobs_failed", "counter", "Jobs of a run that were given up.", func(r *Run) int { return r.Failed })
	runs("run_jobs_total", "gauge", "Jobs of a run, 0 if that is not known.", func(r *Run) int { return r.Total })
	workers("worker_slots", "gauge", "Jobs that a worker does at a time.", func(w *Worker) int { return w.Slots })
	workers("worker_jobs_open", "gauge", "Jobs that a worker does.", func(w *Worker) int { return len(w.Open) })
	workers("worker_jobs_done", "counter", "Jobs that a worker has done.", func(w *Worker) int { return w.Done })
	workers("worker_jobs_failed", "counter", "Jobs that failed at a worker.", func(w *Worker) int { return w.Failed })
	_, err := to.Write(b.Bytes())
	return err
}

// Serve serves [Handler] at an address until the context ends. It tells the address when it listens.
func Serve(ctx context.Context, conn *nats.Conn, listen string, tell func(address string)) error {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: Handler(conn), ReadHeaderTimeout: 10 * time.Second, WriteTimeout: time.Minute}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	tell(l.Addr().String())
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Handler serves the state: as text that a browser loads again every few seconds, as /metrics and as /status.json.
func Handler(conn *nats.Conn) http.Handler {
	mux := http.NewServeMux()
	serve := func(path, kind string, write func(f *Farm, to io.Writer) error) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
			defer cancel()
			f, err := Look(ctx, conn)
			if err != nil {
				http.Error(w, "the server does not answer: "+err.Error(), http.StatusBadGateway)
				return
			}
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Refresh", "5")
			_ = write(f, w) // the client has gone
		})
	}
	serve("/{$}", "text/plain; charset=utf-8", (*Farm).WriteText)
	serve("/metrics", "text/plain; version=0.0.4; charset=utf-8", (*Farm).WriteMetrics)
	serve("/status.json", "application/json", (*Farm).WriteJSON)
	return mux
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
