package main

import (
	"slices"
	"strings"
	"testing"

	"gamebots/cudalib"
	"gamebots/hexproto/nim"
	"gamebots/solvers/nimsolver"
)

// Flags make a request, or are refused.
func TestNimRequest(t *testing.T) {
	table := nimsolver.Request{Version: nimsolver.AnyVersion, Transposition: true}
	search := table
	search.Depth = 7
	version := search
	version.Version = 4
	for _, c := range []struct {
		name   string
		change func(*nimFlags)
		given  string // flags that were set
		want   nimsolver.Request
		err    string
	}{
		{name: "the default", want: table},
		{name: "exact", change: func(f *nimFlags) { f.exact = true }, want: table},
		{name: "a depth", given: "depth", want: search},
		{name: "a method", change: func(f *nimFlags) { f.method = "v4" }, given: "method", want: version},
		{name: "exact to a depth", change: func(f *nimFlags) { f.exact = true }, given: "depth",
			err: "--exact cannot be combined"},
		{name: "no depth", change: func(f *nimFlags) { f.depth = 0 }, given: "depth",
			err: "--depth: 0 is not from 1 to 63"},
		{name: "no method", change: func(f *nimFlags) { f.method = "v9" }, err: `--method: "v9" is not one of`},
		{name: "no take", change: func(f *nimFlags) { f.rules.MaxTake = 16 }, err: "--max-take: 16"},
		{
			name: "on a CPU only", change: func(f *nimFlags) { f.method, f.device = "v0", cudalib.GPU(0) },
			err: "--method: v0 is for the CPU",
		},
	} {
		f := &nimFlags{depth: nimsolver.DefaultDepth, table: true, method: "auto"}
		if c.change != nil {
			c.change(f)
		}
		got, err := f.request(nim.Rows(3),
			func(flag string) bool { return slices.Contains(strings.Fields(c.given), flag) })
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want %q", c.name, err, c.err)
			}
			continue
		}
		if c.want.Heaps = nim.Rows(3); err != nil || got != c.want {
			t.Errorf("%s: %+v, want %+v: %v", c.name, got, c.want, err)
		}
	}
}
