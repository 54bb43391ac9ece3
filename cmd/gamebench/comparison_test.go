package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// recorded returns 40 figures of a build in some runs, with 1% spread. Those whose
// number is a key of changed are by so much larger.
func recorded(rng *rand.Rand, runs int, changed map[int]float64) (rows []Row) {
	for range runs {
		for i := range 40 {
			value := float64(1+i*i) * (1 + changed[i]) * (1 + 0.01*rng.NormFloat64())
			rows = append(rows, Row{Bench: "b", Case: fmt.Sprint(i), Metric: "time", Value: value, Unit: "s",
				Repeated: Repeated{Repetitions: 1}, Source: Measured})
		}
	}
	return rows
}

// TestCompare finds a change of 3% in each of 20 comparisons, and at most one that is not there.
func TestCompare(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	wrong := 0
	for trial := range 20 {
		changed := map[int]float64{3: 0.03, 21: -0.03}
		for _, c := range Compare(recorded(rng, 15, nil), recorded(rng, 15, changed)) {
			var i int
			fmt.Sscan(c.Row.Case, &i)
			want := map[bool]Verdict{true: Higher, false: Lower}[changed[i] > 0]
			switch {
			case changed[i] != 0 && (c.Verdict != want || c.Low > changed[i] || c.High < changed[i]):
				t.Errorf("trial %d: %+v, want %v by %v", trial, c, want, changed[i])
			case changed[i] == 0 && c.Verdict != Unchanged:
				wrong++
			}
		}
	}
	if wrong > 1 {
		t.Errorf("%d false verdicts", wrong)
	}
}

// Builds that run by turns are compared run by run: a change of 10% is found although the
// machine becomes twice as slow meanwhile, and in many runs although one in twenty is disturbed.
func TestCompareTurns(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, runs := range []int{6, 2 * manyRuns} {
		for trial := range 20 {
			var rows [2][]Row
			for run := range runs {
				drift := 1 + float64(run)/float64(runs)
				for build, faster := range []float64{1, 1.1} {
					value := drift * faster * (1 + 0.01*rng.NormFloat64())
					if runs >= manyRuns && rng.IntN(20) == 0 {
						value *= 2
					}
					rows[build] = append(rows[build],
						Row{Case: "a", Value: value, Repeated: Repeated{Repetitions: 1}, Source: Measured})
				}
			}
			if c := Compare(rows[0], rows[1])[0]; c.Verdict != Higher || c.Low > 0.1 || c.High < 0.1 {
				t.Errorf("trial %d of %d runs: %+v", trial, runs, c)
			}
		}
	}
}

// A single run is compared by its repetitions, and not at all without them. Figures without
// spread differ however little they do.
func TestCompareOneRun(t *testing.T) {
	row := func(value float64, repetitions int, spread float64) []Row {
		return []Row{{Case: "a", Value: value, Repeated: Repeated{repetitions, spread}, Source: Measured}}
	}
	for _, test := range []struct {
		old, new []Row
		want     Verdict
	}{
		{row(100, 5, 0.01), row(120, 5, 0.01), Higher},
		{row(100, 5, 0.01), row(102, 5, 0.01), Unchanged},
		{row(100, 5, 0.3), row(120, 5, 0.3), Unchanged},
		{row(100, 1, 0), row(200, 1, 0), Unknown},
		{row(100, 1, 0), row(200, 5, 0.01), Unknown},
		{row(100, 5, 0), row(99, 5, 0), Lower},
		{row(100, 5, 0), row(100, 5, 0), Unchanged},
	} {
		got := Compare(test.old, test.new)
		if len(got) != 1 || got[0].Verdict != test.want || math.IsNaN(got[0].Low) != (test.want == Unknown) {
			t.Errorf("%+v and %+v: %+v, want %v", test.old[0], test.new[0], got, test.want)
		}
	}
	published := row(100, 5, 0)
	published[0].Source = "Nguyen (2015)"
	if got := Compare(published, published); len(got) != 0 {
		t.Errorf("published figures are compared: %+v", got)
	}
}

// FuzzReadRows compares whatever is read as records: no figures are NaN but those that are
// not known.
func FuzzReadRows(f *testing.F) {
	for _, row := range recorded(rand.New(rand.NewPCG(1, 1)), 1, nil)[:3] {
		line, err := json.Marshal(row)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(line))
	}
	f.Add(record(`"value":5e-324,"repetitions":1000000000,"spread":1000000000`))
	f.Add(record(`"value":1.7e308,"repetitions":2,"spread":1e-320`))
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := ReadRows(strings.NewReader(text), "x")
		if err != nil {
			return
		}
		for _, c := range Compare(rows, rows) {
			if math.IsNaN(c.Old) || math.IsNaN(c.Change) || math.IsNaN(c.Low) != (c.Verdict == Unknown) ||
				c.Low > c.High {
				t.Errorf("%q: %+v", text, c)
			}
			if c.Verdict != Unchanged && c.Verdict != Unknown {
				t.Errorf("%q differs from itself: %+v", text, c)
			}
		}
	})
}

// record is a record with some more fields.
func record(fields string) string {
	return `{"bench":"b","metric":"time","source":"measured",` + fields + `}`
}

func TestReadRows(t *testing.T) {
	line, err := json.Marshal(Row{Bench: "hand", Metric: "time", Value: 3, Source: Measured})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := ReadRows(strings.NewReader(string(line)+"\n\n"+string(line)+"\n"), "x")
	if err != nil || len(rows) != 2 || rows[1].Value != 3 {
		t.Errorf("%v, %+v", err, rows)
	}
	for text, want := range map[string]string{
		"":                         "x: no records",
		string(line) + "\nhand ":   "x:2: not a record of gamebench --json: ",
		`{"bench":"hand"}`:         "x:1: not a record of gamebench --json, or of an old version",
		record(`"repetitions":-1`): "x:1: no record has 0 threads, -1 repetitions and the spread 0",
		record(`"repetitions":9000000000000000000`): "x:1: no record has",
		record(`"threads":-2`):                      "x:1: no record has -2 threads",
		record(`"spread":-0.1`):                     "x:1: no record has",
		record(`"spread":1e300`):                    "x:1: no record has",
		record(`"value":1e400`):                     "x:1: not a record of gamebench --json: ",
	} {
		if _, err := ReadRows(strings.NewReader(text), "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
