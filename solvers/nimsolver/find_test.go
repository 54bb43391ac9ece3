package nimsolver_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"gamebots/hexproto/nim"
	"gamebots/solvers/nimsolver"
)

// All ways to find the value of a position agree.
func TestFind(t *testing.T) {
	p := nimsolver.Position{Heaps: nim.Rows(3)} // 1, 3 and 5
	for _, r := range []nimsolver.Request{
		{Version: nimsolver.AnyVersion}, {Depth: 9, Version: nimsolver.AnyVersion},
		{Depth: 9, Version: nimsolver.AnyVersion, Transposition: true},
		{Depth: 9}, {Depth: 9, Version: nimsolver.SolveVersion},
	} {
		r.Position = p
		got, err := r.Find(t.Context(), nil, 2, func(float64) {})
		if err != nil || got.Value != nimsolver.Win || got.Move != (nim.Move{Heap: 2, Take: 3}) {
			t.Errorf("%+v: %v: %v", r, got, err)
		}
	}
}

// A GPU is used where there is enough to do.
func TestDeviceWorthwhile(t *testing.T) {
	for _, c := range []struct {
		request nimsolver.Request
		want    bool
	}{
		{nimsolver.Request{Position: nimsolver.Position{Heaps: nim.Rows(4)}}, false},
		{nimsolver.Request{Position: nimsolver.Position{Heaps: 0xffffffff}}, true},
		{nimsolver.Request{Depth: 10, Version: nimsolver.AnyVersion}, false},
		{nimsolver.Request{Depth: 11, Version: nimsolver.AnyVersion}, true},
		{nimsolver.Request{Depth: 11}, false}, // version 0 is solved on the CPU
	} {
		if got, reason := c.request.DeviceWorthwhile(); got != c.want {
			t.Errorf("%+v: %v: %s", c.request, got, reason)
		}
	}
}

func TestParseVersion(t *testing.T) {
	for i, name := range []string{"auto", "v0", "v1", "v2", "v3", "v4", "v5"} {
		v, err := nimsolver.ParseVersion(name)
		if err != nil || int(v) != i-1 || v.NeedsDevice() != (i > 1 && i < 6) {
			t.Errorf("%s is %d: %v", name, v, err)
		}
	}
	for _, name := range []string{"", "v6", "V1", "0"} {
		if v, err := nimsolver.ParseVersion(name); err == nil {
			t.Errorf("%q is %d", name, v)
		}
	}
}

// An answer says how it was found, and has the XOR rule's where a search was not deep enough.
func TestAnswer(t *testing.T) {
	r := nimsolver.Request{Position: nimsolver.Position{Heaps: nim.Rows(3)}, Depth: 2}
	won := nimsolver.Answer{Request: r, Count: 3, Device: "CPU", Result: nimsolver.Result{
		Move: nim.Move{Heap: 2, Take: 3}, Value: nimsolver.Win, Nodes: 7,
	}}
	unknown := won
	unknown.Value = nimsolver.Unknown
	rule := r.Rule()
	rule.Count = 3
	for _, c := range []struct {
		name       string
		answer     nimsolver.Answer
		text, json string
	}{
		{"a search", won, "1;3;5: win: first wins\nmove    3:3, take 3 of heap 3\nnodes   7\ntime    0 s on CPU\n",
			`{"heap":3,"take":3,"value":"win","nodes":7,"seconds":0,"device":"CPU"}`},
		{"a short search", unknown, "1;3;5: unknown 2 plies ahead; win: first wins, by the XOR rule, with 3:3\n" +
			"move    3:3, take 3 of heap 3\nnodes   7\ntime    0 s on CPU\n",
			`{"heap":3,"take":3,"value":"unknown","rule":"win","nodes":7,"seconds":0,"device":"CPU"}`},
		{"no search", rule, "1;3;5: win: first wins\nmove    3:3, take 3 of heap 3\n",
			`{"heap":3,"take":3,"value":"win","rule":"win","nodes":0,"seconds":0}`},
	} {
		var text strings.Builder
		written, err := json.Marshal(c.answer.JSON())
		if err := errors.Join(err, c.answer.WriteText(&text)); err != nil {
			t.Fatal(err)
		}
		if text.String() != c.text || string(written) != c.json {
			t.Errorf("%s: %s%s", c.name, &text, written)
		}
	}
}
