package main

import (
	"strings"
	"testing"

	"gamebots/bots/files"
)

// The flags and names of convert say what is converted, or cannot be.
func TestConvertJob(t *testing.T) {
	for _, test := range []struct {
		flags   convertFlags
		in, out string
		want    files.Job
		err     string
	}{
		{convertFlags{}, "a.log", "", files.Job{Name: "a.log"}, ""},
		{convertFlags{}, "-", "-", files.Job{Name: "standard input"}, ""},
		{convertFlags{}, "a.log", "b.phh", files.Job{Name: "a.log", To: files.PHH, One: true}, ""},
		{convertFlags{to: "csv"}, "a.log", "b.phhs", files.Job{Name: "a.log", To: files.CSV}, ""},
		{convertFlags{from: "phh", game: "leduc"}, "a", "b.log", files.Job{Name: "a", From: files.PHH,
			To: files.ACPC}, ""},
		{convertFlags{scale: -1}, "a.log", "", files.Job{}, "--scale must be greater than 0"},
		{convertFlags{}, "a.log", "b.efg", files.Job{}, "its extension is not that of a format"},
		{convertFlags{}, "a.log", "b.strategy", files.Job{}, "its extension is not that of a format"},
		{convertFlags{game: "chess"}, "a.log", "", files.Job{}, "chess"},
	} {
		if test.flags.scale == 0 {
			test.flags.scale = 1
		}
		job, err := test.flags.job(test.in, test.out)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s to %s: %v, want %s", test.in, test.out, err, test.err)
			}
			continue
		}
		if err != nil || job.Scale != 1 || (job.Game != nil) != (test.flags.game != "") {
			t.Errorf("%s to %s: %+v: %v", test.in, test.out, job, err)
		}
		if job.Name != test.want.Name || job.From != test.want.From || job.To != test.want.To ||
			job.One != test.want.One {
			t.Errorf("%s to %s: %+v, want %+v", test.in, test.out, job, test.want)
		}
	}
}

// Flags of records have no effect on a strategy, nor those of strategies on records.
func TestConvertStrategyFlags(t *testing.T) {
	f := convertFlags{bits: 4}
	for _, name := range recordFlags {
		if f.checkStrategy(given(name), "a.strategy", "b.strategy") == nil {
			t.Errorf("--%s is accepted for a strategy", name)
		}
	}
	for _, name := range strategyFlags {
		if f.checkRecords(given(name), "files.go") == nil {
			t.Errorf("--%s is accepted for records", name)
		}
	}
	for out, bits := range map[string]int{"": 4, "-": 4, "b.strategy": 9} {
		if (&convertFlags{bits: bits}).checkStrategy(given(""), "a.strategy", out) == nil {
			t.Errorf("%d bits to %q are accepted", bits, out)
		}
	}
	if err := f.checkStrategy(given("bits rounds"), "a.strategy", "b.strategy"); err != nil {
		t.Error(err)
	}
}
