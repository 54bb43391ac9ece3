package hexproto_test

import (
	"testing"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// TestClocks plays games that last until the board is full, in which every turn
// loses all of the overhead, and must not run out of time.
func TestClocks(t *testing.T) {
	for _, test := range []struct {
		side                    int
		clock                   wire.Clock
		overhead, left, atLeast time.Duration
	}{
		{8, wire.Clock{Main: 60_000}, 100 * time.Millisecond, time.Minute, 0},
		{8, wire.Clock{Main: 10_000}, 100 * time.Millisecond, 10 * time.Second, 0},
		{10, wire.Clock{Main: 300_000, Increment: 2000}, 500 * time.Millisecond, 5 * time.Minute, time.Second},
		{5, wire.Clock{Main: 1000, Increment: 100}, 50 * time.Millisecond, time.Second, 10 * time.Millisecond},
		{4, wire.Clock{Main: 500}, 0, 500 * time.Millisecond, 0},
		{5, wire.Clock{PerMove: 200}, 20 * time.Millisecond, 0, 100 * time.Millisecond},
	} {
		cells, left := 3*test.side*(test.side-1)+1, test.left
		for moves := 0; moves < cells; moves += 2 {
			state := &wire.Game{Clock: test.clock}
			state.Time.Left = []int64{left.Milliseconds(), 0}
			b := hexproto.NewBudget(state, 0, time.Time{}, test.overhead)
			used := b.ForMove(bounded{turns: (cells - moves + 1) / 2})
			if used <= 0 || used < test.atLeast {
				t.Errorf("%+v: only %v of %v after %d moves", test, used, left, moves)
			}
			increment := time.Duration(test.clock.Increment) * time.Millisecond
			perMove := time.Duration(test.clock.PerMove) * time.Millisecond
			left -= max(0, used+max(test.overhead, 3*time.Millisecond)-perMove)
			if left < 0 {
				t.Fatalf("%+v: out of time after %d moves", test, moves)
			}
			left += increment
		}
	}
}

// bounded is a game with a bound of the turns to come.
type bounded struct {
	game.Game
	turns int
}

func (b bounded) MaxTurns() int { return b.turns }

// A game of Havannah has half of the empty cells for each seat, one without a bound has its share, and one without
// clocks no time.
func TestForMove(t *testing.T) {
	budget := hexproto.Budget{Left: time.Minute, Share: 2 * time.Second}
	havannah, err := boards.Havannah{}.New([]byte(`{"side":4}`))
	if err != nil {
		t.Fatal(err)
	}
	nim, err := boards.Nim{}.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := havannah.Play([]string{"a1", ""}); err != nil {
		t.Fatal(err)
	}
	if got, want := budget.ForMove(havannah), budget.ForMove(bounded{turns: 18}); got != want || got < 5*time.Second {
		t.Errorf("Havannah: %v, want %v", got, want)
	}
	if got := budget.ForMove(nim); got != budget.Share {
		t.Errorf("Nim: %v, want the share", got)
	}
	for _, g := range []game.Game{havannah, nim} {
		if got := (hexproto.Budget{}).ForMove(g); got != 0 {
			t.Errorf("without clocks: %v", got)
		}
	}
}

// Where people have days for a move, an engine does not think for days.
func TestCorrespondence(t *testing.T) {
	state := &wire.Game{Clock: wire.Clock{PerMove: 3 * 24 * 3_600_000}}
	state.Time.Left = []int64{0, 0}
	b := hexproto.NewBudget(state, 0, time.Time{}, time.Second)
	if used := b.ForMove(bounded{turns: 100}); used < time.Second || b.Share < time.Second || used > time.Minute ||
		b.Share > time.Minute || b.None() {
		t.Errorf("%+v, and %v for a move", b, used)
	}
}
