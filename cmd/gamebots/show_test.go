package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math"
	"path/filepath"
	"strconv"
	"testing"

	"gamebots/cmd/internal/cli"
)

// The CSV of Leduc's whole strategy has all of its 288 information sets, and the
// probabilities in each add up to 1.
func TestStrategyCSV(t *testing.T) {
	file := filepath.Join(t.TempDir(), "leduc.strategy")
	var stdout, stderr bytes.Buffer
	for _, args := range [][]string{{"train", "leduc", "--iterations", "100", "-o", file}, {"show", file, "--all"}} {
		stdout.Reset()
		if code := run(t.Context(), args, &stdout, &stderr); code != cli.ExitDone {
			t.Fatalf("%v: %s", args, &stderr)
		}
	}
	lines, err := csv.NewReader(&stdout).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	type set struct{ betting, hole, board string }
	sums := make(map[set]float64)
	for _, line := range lines[1:] {
		p, err := strconv.ParseFloat(line[7], 64)
		if err != nil {
			t.Fatal(err)
		}
		sums[set{line[0], line[4], line[5]}] += p
	}
	if len(sums) != 288 {
		t.Errorf("%d information sets", len(sums))
	}
	for s, sum := range sums {
		if math.Abs(sum-1) > 1e-6 {
			t.Errorf("%+v: the probabilities add up to %g", s, sum)
		}
	}

	// A full disk is one error, in one line.
	stderr.Reset()
	if code := run(t.Context(), []string{"show", file, "--all"}, fullDisk{}, &stderr); code != cli.ExitFailed ||
		stderr.String() != "gamebots: error: no space\n" {
		t.Errorf("exit status %d: %q", code, &stderr)
	}
}

// fullDisk fails every write.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space") }

// Flags that have no effect on each other are refused, and those of one strategy with two.
func TestShowFlags(t *testing.T) {
	for flags, files := range map[string]int{
		"all at": 1, "walk json": 1, "csv table": 1, "unit csv": 1,
	} {
		if err := (&showFlags{}).check(given(flags), files); err == nil {
			t.Errorf("%s are accepted", flags)
		}
	}
	for _, f := range []showFlags{{all: true}, {walk: true}, {svg: "a.svg"}} {
		if err := f.check(given(""), 2); err == nil {
			t.Errorf("%+v is accepted for two strategies", f)
		}
	}
	if err := (&showFlags{svg: "a.png"}).check(given("svg"), 1); err == nil {
		t.Error("a .png is an .svg")
	}
	if err := (&showFlags{svg: "a.svg", table: true}).check(given("svg table at"), 1); err != nil {
		t.Error(err)
	}
}
