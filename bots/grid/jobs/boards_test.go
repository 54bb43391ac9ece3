package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"gamebots/acpc/ranges"
	"gamebots/bots/grid"
	"gamebots/cudalib"
	"gamebots/solvers/cfr"
	"gamebots/solvers/resolve/spot"
)

func noGPU() (*cudalib.Device, error) { return nil, nil }

// Boards are solved on a grid as they are alone, and come in their order.
func TestSolveBoards(t *testing.T) {
	s := &spot.Spot{Pot: 100, Stack: 300}
	s.Board, _ = spot.ParseBoard("Qs7h2h5c5d")
	s.Ranges[0], _ = ranges.Parse("QQ,AhJh,KsTs")
	s.Ranges[1], _ = ranges.Parse("77,AQ")
	s.Menu.Bets, _ = spot.ParseBets("50,a", false)
	all := &Boards{Spot: s, Algorithm: "dcfr", Iterations: 30, Lines: []string{"", "x"}}
	boards := []string{"Qs7h2h5c5d", "Qs7h2h5c5h", "Qs7h2h5cAd"}
	var got []*BoardResult
	g := &grid.Local{Kinds: Kinds(), Threads: 2}
	err := SolveBoards(t.Context(), g, all, boards, func(i int, r *BoardResult) error {
		if i != len(got) {
			t.Errorf("board %d comes after %d", i, len(got))
		}
		got = append(got, r)
		return nil
	})
	if err != nil || len(got) != 3 {
		t.Fatalf("%d results: %v", len(got), err)
	}
	for i, board := range boards {
		alone := *s
		alone.Board, _ = spot.ParseBoard(board)
		solver, err := spot.New(&alone, spot.Options{Algorithm: cfr.Algorithms[0], Threads: 1, Memory: 1 << 24})
		if err != nil {
			t.Fatal(err)
		}
		x := solver.Solve(t.Context(), spot.Limits{Iterations: 30}, func(float64) {})
		n, err := solver.Solution().At("x")
		if err != nil {
			t.Fatal(err)
		}
		r := got[i]
		if r.Board != board || r.Exploitability != x || r.Iterations != 30 || len(r.Points) != 2 ||
			r.Points[1].Values[0] != n.Summary(0).Value || r.Points[1].Frequencies[1] != n.Summary(1).Probabilities[1] {
			t.Errorf("%s: %+v, exploitability alone %g", board, r, x)
		}
	}
	for what, change := range map[string]func(r *BoardResult){
		"another board": func(r *BoardResult) { r.Board = "Qs7h2h5c6d" },
		"no points":     func(r *BoardResult) { r.Points = nil },
		"another line":  func(r *BoardResult) { r.Points[1].Line = "c" },
		"no actions":    func(r *BoardResult) { r.Points[0].Actions = nil },
	} {
		r := *got[0]
		r.Points = slices.Clone(r.Points)
		change(&r)
		lies := grid.Kinds{BoardKind: func(context.Context, grid.Job) ([]byte, error) { return json.Marshal(r) }}
		err := SolveBoards(t.Context(), &grid.Local{Kinds: lies}, all, boards[:1], func(int, *BoardResult) error {
			t.Errorf("a result with %s is taken", what)
			return nil
		})
		if err == nil {
			t.Errorf("no error with %s", what)
		}
	}
	kinds := grid.Kinds{BoardKind: BoardJob(BoardMeans{Open: noGPU, Threads: 1, Memory: 1000})}
	err = SolveBoards(t.Context(), &grid.Local{Kinds: kinds}, all, boards[:1], nil)
	small, unwilling := (*spot.MemoryError)(nil), (*grid.UnwillingError)(nil)
	if !errors.As(err, &small) || !errors.As(err, &unwilling) {
		t.Errorf("with 1000 bytes: %v", err)
	}
	for _, bad := range []*Boards{
		{Spot: s, Algorithm: "none", Iterations: 1}, {Spot: s, Algorithm: "dcfr", Iterations: 1, Lines: []string{"b7"}},
	} {
		err := SolveBoards(t.Context(), g, bad, boards[:1], func(int, *BoardResult) error { return nil })
		if failed := (*grid.FailedJobsError)(nil); !errors.As(err, &failed) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// Boards that are solved at a time share the memory: one waits until there is enough, or until nobody wants it.
func TestBoardsShareMemory(t *testing.T) {
	s := &spot.Spot{Pot: 100, Stack: 300}
	s.Board, _ = spot.ParseBoard("Qs7h2h5c5d")
	s.Ranges[0], _ = ranges.Parse("QQ,AhJh,KsTs")
	s.Ranges[1], _ = ranges.Parse("77,AQ")
	o := spot.Options{Algorithm: cfr.Algorithms[0], Threads: 1}
	need, err := spot.Measure(s, o)
	if err != nil {
		t.Fatal(err)
	}
	b := newBoardJob(BoardMeans{Threads: 1, Memory: need * 3 / 2})
	_, end, err := b.open(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	unwanted, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	if _, _, err := b.open(unwanted, s, o); !errors.Is(err, context.Canceled) {
		t.Errorf("a second board: %v", err)
	}
	second := make(chan error)
	go func() {
		_, end, err := b.open(t.Context(), s, o)
		if err == nil {
			err = end()
		}
		second <- err
	}()
	if err := end(); err != nil {
		t.Error(err)
	}
	if err := <-second; err != nil || b.taken != 0 {
		t.Errorf("the second board, after the first: %v, %d bytes are taken", err, b.taken)
	}
}
