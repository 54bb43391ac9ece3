package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"gamebots/cudalib"

	"github.com/google/go-cmp/cmp"
)

// The page about records has every key of a record with its type, in their order, and its
// example is a record.
func TestRecordsPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/benchmarks/records.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got [][2]string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Row]()) {
		if field.Anonymous {
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		kind := "number"
		if field.Type.Kind() == reflect.String || field.Type == reflect.TypeFor[time.Time]() {
			kind = "string"
		}
		want = append(want, [2]string{name, kind})
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| (\\w+) \\|").FindAllSubmatch(page, -1) {
		got = append(got, [2]string{string(row[1]), string(row[2])})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys (-records +page):\n%s", diff)
	}
	example := regexp.MustCompile("(?s)```json\n(.*?\n)```").FindSubmatch(page)
	if example == nil {
		t.Fatal("the page has no example")
	}
	var row Row
	strict := json.NewDecoder(bytes.NewReader(example[1]))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&row); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := json.NewEncoder(&again).Encode(row); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(example[1]), again.String()); diff != "" {
		t.Errorf("the example (-page +record):\n%s", diff)
	}
}

// A recorder completes rows, and finds those with the same key.
func TestRecorder(t *testing.T) {
	var rows []Row
	c := newRecorder("b", func(r Row) error { rows = append(rows, r); return nil }, nil)
	for _, r := range []Row{{Case: "a", X: 1}, {Case: "a", X: 2}, {Case: "a", X: 2, Device: "GPU"}} {
		c.emit(r)
	}
	if err := c.err(); err != nil {
		t.Error(err)
	}
	if r := rows[0]; r.Bench != "b" || r.Device == "" || r.Repetitions != 1 || r.Source != Measured ||
		r.Version == "" || r.Machine == "" || time.Since(r.Date) > time.Minute {
		t.Errorf("%+v", r)
	}
	c.emit(Row{Case: "a", X: 2})
	if err := c.err(); err == nil || !strings.Contains(err.Error(), "the same key:\nb             a 2") {
		t.Errorf("twice: error %v", err)
	}
}

// A bench ends with the error of what takes its rows, and that takes no more of them.
func TestRecorderStops(t *testing.T) {
	full, rows := errors.New("no space left"), 0
	b := Bench{Name: "b", cpu: func(ctx context.Context, emit func(Row)) {
		emit(Row{Case: "a"})
		emit(Row{Case: "b"})
		check(context.Cause(ctx))
	}}
	err := b.Run(t.Context(), cudalib.CPU(), Deals{}, func(Row) error { rows++; return full })
	if !errors.Is(err, full) || err.Error() != full.Error() || rows != 1 {
		t.Errorf("%d rows, error %v", rows, err)
	}
}

// The spread of repetitions is their standard deviation, as a part of their median.
func TestMedian(t *testing.T) {
	middle, r := median([]float64{12, 8, 10})
	if middle != 10 || r.Repetitions != 3 || r.Spread != 0.2 {
		t.Errorf("%v, %+v", middle, r)
	}
}
