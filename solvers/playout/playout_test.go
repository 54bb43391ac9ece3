package playout

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/internal/stats"
	"gamebots/internal/testkit"
)

func board(t testing.TB, text string) *havannah.Board {
	t.Helper()
	var b havannah.Board
	if err := b.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return &b
}

// The test vectors are those of Random123, the authors' own library.
func TestPhilox(t *testing.T) {
	for _, v := range []struct {
		counter [4]uint32
		key     [2]uint32
		want    [4]uint32
	}{
		{[4]uint32{}, [2]uint32{}, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{[4]uint32{^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0)}, [2]uint32{^uint32(0), ^uint32(0)},
			[4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{[4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, [2]uint32{0xa4093822, 0x299f31d0},
			[4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		a, b, c, d := philox(v.counter[0], v.counter[1], v.counter[2], v.counter[3], v.key[0], v.key[1])
		if got := [4]uint32{a, b, c, d}; got != v.want {
			t.Errorf("%x under %x: %x, want %x", v.counter, v.key, got, v.want)
		}
	}
}

// bySpecification plays a playout as the package documentation specifies it, with
// havannah.Board and big integers.
func bySpecification(
	t *testing.T, b *havannah.Board, first havannah.Move, seed, playout uint64,
) (plies int, won havannah.Structures) {
	t.Helper()
	after := *b
	if err := after.Play(first); err != nil {
		t.Fatal(err)
	}
	move := uint32(first)
	if first == havannah.Swap {
		move = uint32(b.Grid().NumCells)
	}
	cells := after.AppendMoves(nil)
	if after.CanSwap() {
		cells = cells[:len(cells)-1]
	}
	one := big.NewInt(1)
	var fraction *big.Int // probability in units of 2^-64
	for i := 0; !after.Over(); i++ {
		if i%4 == 0 {
			x, y, z, w := philox(uint32(i/8), uint32(playout), uint32(playout>>32),
				move, uint32(seed), uint32(seed>>32))
			if i%8 == 4 {
				x, y = z, w
			}
			fraction = new(big.Int).SetUint64(uint64(y)<<32 | uint64(x))
		}
		fraction.Mul(fraction, big.NewInt(int64(len(cells))))
		j := new(big.Int).Rsh(fraction, 64).Int64()
		fraction.And(fraction, new(big.Int).Sub(new(big.Int).Lsh(one, 64), one))
		if err := after.Play(cells[j]); err != nil {
			t.Fatal(err)
		}
		last := len(cells) - 1
		cells[j] = cells[last]
		cells = cells[:last]
	}
	return after.NumMoves() - b.NumMoves(), after.Won()
}

// TestPlayBySpecification compares playouts of every side, from the start and from the
// middle of games, with the specification.
func TestPlayBySpecification(t *testing.T) {
	for side := havannah.MinSide; side <= havannah.MaxSide; side++ {
		rng := rand.New(rand.NewPCG(uint64(side), 3))
		for range 600/(side*side) + 3 {
			b, err := havannah.New(side)
			if err != nil {
				t.Fatal(err)
			}
			for range rng.IntN(b.Grid().NumCells) {
				moves := b.AppendMoves(nil)
				if err := b.Play(moves[rng.IntN(len(moves))]); err != nil {
					t.Fatal(err)
				}
				if b.Over() {
					b.Undo()
					break
				}
			}
			moves := b.AppendMoves(nil)
			first := moves[rng.IntN(len(moves))]
			if b.CanSwap() {
				first = havannah.Swap
			}
			start, err := NewStart(b, first)
			if err != nil {
				t.Fatal(err)
			}
			var p Player
			seed := rng.Uint64()
			for range 10 {
				playout := rng.Uint64()
				plies, won := bySpecification(t, b, first, seed, playout)
				var want Tally
				want.count(plies, won, 1)
				if got := p.Play(start, seed, playout, 1); got != want {
					t.Fatalf("%v, first %s, seed %d, playout %d: %+v, want %+v", b, b.Grid().Format(first), seed,
						playout, got, want)
				}
			}
		}
	}
}

// TestRateIsDeterministic compares counts of several numbers of threads, and of playouts
// in parts.
func TestRateIsDeterministic(t *testing.T) {
	b := board(t, "side=5 : e5 swap c3 g7")
	want, err := Rate(t.Context(), b, Options{Playouts: 1100, Seed: 7, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{2, 3, 8} {
		got, err := Rate(t.Context(), b, Options{Playouts: 1100, Seed: 7, Threads: threads})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d threads rate otherwise: %v", threads, err)
		}
	}
	other, err := Rate(t.Context(), b, Options{Playouts: 1100, Seed: 8, Threads: 2})
	if err != nil || slices.Equal(other, want) {
		t.Errorf("the seed changes nothing: %v", err)
	}
	start, err := NewStart(b, want[3].Move)
	if err != nil {
		t.Fatal(err)
	}
	var p Player
	sum := p.Play(start, 7, 0, 500)
	rest := p.Play(start, 7, 500, 600)
	if sum.Add(&rest); sum != want[3].Tally {
		t.Errorf("in parts %+v, at once %+v", sum, want[3].Tally)
	}
}

func TestRate(t *testing.T) {
	for _, c := range []struct {
		game, move string
		want       func(r Rating) bool
	}{
		{"side=4 : a1 g7 a2 g6 a3 g5", "a4", func(r Rating) bool {
			return r.Wins == 50 && r.Ends[havannah.Bridge] == 50 && r.Plies == 50
		}},
		{"side=4 : a1 g7 a2 g6 a3 g5", "d4", func(r Rating) bool { return r.Playouts() == 50 && r.Losses > 0 }},
		{"side=4 : d4", "swap", func(r Rating) bool { return r.Playouts() == 50 && r.Wins > 0 && r.Losses > 0 }},
		{"side=2 : a1", "c3", func(r Rating) bool { return r.Playouts() == 50 }},
	} {
		b := board(t, c.game)
		ratings, err := Rate(t.Context(), b, Options{Playouts: 50, Seed: 1, Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		if len(ratings) != len(b.AppendMoves(nil)) {
			t.Errorf("%s: %d moves are rated", c.game, len(ratings))
		}
		for _, r := range ratings {
			if b.Grid().Format(r.Move) == c.move && !c.want(r) {
				t.Errorf("%s: %s: %+v", c.game, c.move, r)
			}
		}
	}
	if _, err := Rate(t.Context(), board(t, "side=2 : a1 c3 a2"), Options{Playouts: 1, Threads: 1}); !errors.Is(err,
		havannah.ErrOver) {
		t.Errorf("a game that is over: %v", err)
	}
	for _, o := range []Options{{Playouts: 1}, {Threads: 1}} {
		if _, err := Rate(t.Context(), board(t, "side=2 :"), o); err == nil {
			t.Errorf("rated with %+v", o)
		}
	}
	if _, err := NewStart(board(t, "side=2 : a1"), 0); !errors.Is(err, havannah.ErrTaken) {
		t.Errorf("a cell that is taken: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Rate(ctx, board(t, "side=10 :"), Options{Playouts: 1 << 40, Threads: 2}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestRateStopped stops a rating: the result is that of fewer playouts, the same number
// after each move.
func TestRateStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	b := board(t, "side=2 : a1")
	done := uint64(0)
	got, err := Rate(ctx, b, Options{Playouts: 1 << 40, Seed: 3, Threads: 2, Progress: func(n uint64) {
		if done = n; done > 10_000 {
			stop()
		}
	}})
	if !errors.Is(err, context.Canceled) || len(got) == 0 || got[0].Playouts() != done {
		t.Fatalf("stopped after %d playouts: %v, %+v", done, err, got)
	}
	want, err := Rate(t.Context(), b, Options{Playouts: done, Seed: 3, Threads: 1})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v: %v", got, want, err)
	}
}

// TestHeat maps scores of cells, but not of a swap, to 0 to 1.
func TestHeat(t *testing.T) {
	b := board(t, "side=2 : a1")
	ratings := []Rating{{Move: 1, Tally: Tally{Wins: 3, Losses: 1}}, {Move: 2, Tally: Tally{Wins: 1, Losses: 3}},
		{Move: 3, Tally: Tally{Draws: 4}}, {Move: havannah.Swap, Tally: Tally{Wins: 4}}}
	heat, worst, best := Heat(b, ratings)
	if worst != 0.25 || best != 0.75 || heat[1] != 1 || heat[2] != 0 || heat[3] != 0.5 {
		t.Errorf("%v from %v to %v", heat, worst, best)
	}
	if heat, _, _ := Heat(b, ratings[:1]); heat[1] != 0.5 {
		t.Errorf("one move: %v", heat)
	}
	if m := ratings[0].Margin95(); m < 0.33 || m > 0.34 {
		t.Errorf("%v ± %v", ratings[0].Score(), m)
	}
}

// Scores of moves spread over the seeds as is stated.
func TestSpreadScores(t *testing.T) {
	b := board(t, "side=3 : a1 b2")
	testkit.Spread(t, "side 3", 100, func(seed uint64) map[string]testkit.Stated {
		ratings, err := Rate(t.Context(), b, Options{Playouts: 100, Seed: seed, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]testkit.Stated{}
		for _, r := range ratings[:4] {
			m := r.Margin95()
			all[b.Grid().Format(r.Move)] = testkit.Stated{
				Result: r.Score(), StandardError: m / stats.Z95, Interval95: m,
			}
		}
		return all
	})
}
