//go:build linux

package jobs

import (
	"encoding/json"
	"errors"
	"testing"

	"gamebots/acpc/ranges"
	"gamebots/bots/grid"
	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
	"gamebots/solvers/resolve/spot"
)

// Boards that a GPU has no memory for are solved on the CPU, unless all are to be solved there.
func TestBoardsWithLittleDeviceMemory(t *testing.T) {
	s := &spot.Spot{Pot: 100, Stack: 900}
	s.Board, _ = spot.ParseBoard("Ks9d7h4c")
	for p := range s.Ranges {
		s.Ranges[p], _ = ranges.Parse("22+,A2+,K2+,Q2+,J2+,T2+")
	}
	s.Menu.Bets, _ = spot.ParseBets("50", false)
	all, err := json.Marshal(&Boards{Spot: s, Algorithm: "dcfr", Iterations: 1, Lines: []string{""}})
	if err != nil {
		t.Fatal(err)
	}
	d := cudatest.OpenFake(t, "memory=1000", "spot")
	open := func() (*cudalib.Device, error) { return d, nil }
	for choice, want := range map[cudalib.Choice]error{{}: nil, cudalib.GPU(0): spot.ErrDeviceMemory} {
		_, err := BoardJob(BoardMeans{Open: open, Device: choice, Threads: 1})(t.Context(),
			grid.Job{Shared: all, Spec: []byte("Ks9d7h4c")})
		if !errors.Is(err, want) {
			t.Errorf("on %v: %v, want %v", choice, err, want)
		}
	}
}
