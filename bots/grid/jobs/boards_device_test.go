//go:build linux

package jobs

import (
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
	all := mustMarshal(&Boards{Spot: s, Algorithm: "dcfr", Iterations: 1, Lines: []string{""}})
	d := cudatest.OpenFake(t, "memory=1000", "spot")
	open := func() (*cudalib.Device, error) { return d, nil }
	for _, always := range []bool{false, true} {
		_, err := BoardJob(BoardMeans{Open: open, Always: always, Threads: 1})(t.Context(),
			grid.Job{Shared: all, Spec: []byte("Ks9d7h4c")})
		if always != errors.Is(err, spot.ErrDeviceMemory) || !always && err != nil {
			t.Errorf("always on the GPU %v: %v", always, err)
		}
	}
}
