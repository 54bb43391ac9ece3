package main

import (
	"slices"
	"strings"
	"testing"

	"gamebots/configs"
)

// Flags that cannot be combined are refused.
func TestSpotFlags(t *testing.T) {
	for _, c := range []struct {
		flags      spotFlags
		given, err string
	}{
		{flags: spotFlags{spotFormat: spotFormat{csv: true}}, given: "spot"},
		{flags: spotFlags{spotFormat: spotFormat{svg: "a.svg", table: true}, at: []string{"x"}}, given: "board"},
		{given: "pot", err: "--board or --spot is needed"},
		{flags: spotFlags{spotFormat: spotFormat{csv: true, json: true}}, given: "spot", err: "cannot be combined"},
		{flags: spotFlags{spotFormat: spotFormat{json: true, table: true}}, given: "spot", err: "cannot be combined"},
		{flags: spotFlags{spotFormat: spotFormat{svg: "a.png"}}, given: "spot", err: "is not an .svg file"},
		{flags: spotFlags{spotFormat: spotFormat{svg: "a.svg"}, at: []string{"x", "b60"}}, given: "spot", err: "--svg draws one point, not 2"},
	} {
		err := c.flags.check(func(flag string) bool { return slices.Contains(strings.Fields(c.given), flag) })
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%+v: error %v, want %q", c.flags, err, c.err)
		}
	}
}

// Flags override a spot, and make options of its solver.
func TestSpotOptions(t *testing.T) {
	f := spotFlags{spot: "river-bluffs", threads: 2}
	settings, s, err := f.load([]string{"solve.bits=16", "spot.pot=70"})
	if err != nil || s.Pot != 70 {
		t.Fatalf("%+v: %v", s, err)
	}
	o, err := f.options(settings.Solve)
	if err != nil || !o.Algorithm.Quantized || o.Threads != 2 || o.Memory <= 0 {
		t.Errorf("%+v: %v", o, err)
	}
	if _, err := f.options(configs.SpotSolve{Algorithm: "dcrf"}); err == nil ||
		!strings.Contains(err.Error(), "the nearest is dcfr") {
		t.Errorf("a misspelt algorithm: %v", err)
	}
	for override, want := range map[string]string{"spot.pot=x": "--pot",
		"rake.cap=3": "--rake-cap has no effect without --rake"} {
		if _, _, err := f.load([]string{override}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", override, err, want)
		}
	}
	f.locks = []string{"missing.csv"}
	if _, _, err := f.load(nil); err == nil {
		t.Error("a lock that is missing")
	}
}
