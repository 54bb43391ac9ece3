package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"
)

// Row is one figure, as bench prints it: a record that docs/benchmarks/records.md describes.
// Where X is set, rows of the same case, variant, device and threads are points of a curve, and
// the case ends with the unit of X. Threads is 0 where X counts them, or they were not counted.
type Row struct {
	Bench   string  `json:"bench"`
	Case    string  `json:"case"`
	Variant string  `json:"variant,omitempty"` // variant of the measured program, each with a curve of its own
	X       float64 `json:"x,omitempty"`
	Device  string  `json:"device"`
	Threads int     `json:"threads"`
	Metric  string  `json:"metric"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
	Repeated
	Source string `json:"source"` // Measured, or the publication that has the figure
	Origin
}

// Repeated is how often a figure was measured, and how far the results are apart.
type Repeated struct {
	Repetitions int `json:"repetitions"` // 0 for published figures
	// Spread is the standard deviation of the repetitions, as a part of their median; 0 for
	// one.
	Spread float64 `json:"spread"`
}

// Origin is what printed a figure, when and where.
type Origin struct {
	Version string    `json:"version"`
	Commit  string    `json:"commit"` // "" where the build does not tell
	Date    time.Time `json:"date"`
	Machine string    `json:"machine"`
}

// Measured is the source of figures that this program measured.
const Measured = "measured"

// figure is a row without what it has in common with others.
type figure struct {
	metric string
	value  float64
	unit   string
}

// emitAll emits figures that have all else in common.
func emitAll(emit func(Row), r Row, figures ...figure) {
	for _, f := range figures {
		r.Metric, r.Value, r.Unit = f.metric, f.value, f.unit
		emit(r)
	}
}

// key returns the row with what tells it from all others of a run alone.
func (r Row) key() Row {
	r.Value, r.Repeated, r.Origin = 0, Repeated{}, Origin{}
	return r
}

// recorder completes the rows of a run of a bench, and passes them on.
type recorder struct {
	bench, device string
	origin        Origin
	pass          func(Row) error
	seen          map[Row]bool
	twice         []string
	failed        error // the first one of pass
	stop          context.CancelCauseFunc
}

// newRecorder returns a recorder that passes rows on, and stops the bench when that fails.
func newRecorder(bench string, pass func(Row) error, stop context.CancelCauseFunc) *recorder {
	cpu := CPUModel()
	return &recorder{
		bench: bench, device: cpu, pass: pass, seen: map[Row]bool{}, stop: stop,
		origin: Origin{
			Version: cli.Release(), Commit: cli.Commit(), Date: time.Now().UTC().Truncate(time.Second),
			Machine: fmt.Sprintf("%s, %d processors, %s/%s", cpu, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH),
		},
	}
}

func (c *recorder) emit(r Row) {
	if c.failed != nil {
		return
	}
	r.Bench, r.Device, r.Source, r.Origin = c.bench, cmp.Or(r.Device, c.device), Measured, c.origin
	r.Repetitions = max(1, r.Repetitions)
	if c.seen[r.key()] {
		c.twice = append(c.twice, r.String())
	}
	c.seen[r.key()] = true
	if c.failed = c.pass(r); c.failed != nil {
		c.stop(c.failed)
	}
}

// err returns the error of passing a row on, or one if two rows had the same key, which is a
// fault of the bench.
func (c *recorder) err() error {
	if c.failed != nil || len(c.twice) == 0 {
		return c.failed
	}
	return errors.New("two figures have the same key:\n" + strings.Join(c.twice, "\n"))
}

// Name names what the row measured on which threads.
func (r Row) Name() string {
	name := strings.TrimPrefix(r.Variant+": "+r.Case, ": ")
	if r.X != 0 {
		name = fmt.Sprint(name, " ", r.X)
	}
	of := ""
	if r.Threads > 0 { // none are counted on a GPU
		of = threads(r.Threads)
	}
	return fmt.Sprintf("%-13s %-40s %-10s", r.Bench, name, of)
}

// String returns the row as a line for people.
func (r Row) String() string {
	repeated := ""
	if r.Repetitions > 1 {
		repeated = fmt.Sprintf("%d runs, %.2g%% apart", r.Repetitions, 100*r.Spread)
	}
	return fmt.Sprintf("%s  %-16s %12.5g %-13s %-20s %s", r.Name(), r.Metric, r.Value, r.Unit, repeated, r.Device)
}

func threads(n int) string { return usererr.Counted(n, "thread", "threads") }
