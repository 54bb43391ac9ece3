package nimsolver_test

import (
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
		{nimsolver.Request{Depth: 11}, false}, // of the CPU
	} {
		if got := c.request.DeviceWorthwhile(); got != c.want {
			t.Errorf("%+v: %v", c.request, got)
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
