package playout

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gamebots/hexproto/havannah"
)

// TestPairs compares pairs with what all pairs of stones complete in random games.
func TestPairs(t *testing.T) {
	found, filled := 0, 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		board, err := havannah.New(2 + int(seed)%7)
		if err != nil {
			t.Fatal(err)
		}
		for moves := board.AppendMoves(nil); ; moves = board.AppendMoves(moves[:0]) {
			if err := board.Play(moves[rng.IntN(len(moves))]); err != nil {
				t.Fatal(err)
			}
			if board.Over() {
				break
			}
			if rng.IntN(1+board.Grid().Side/2) > 0 {
				continue
			}
			p := NewPosition(board)
			for _, c := range []havannah.Colour{havannah.White, havannah.Black} {
				f, n := samePairs(t, p, c, board)
				found, filled = found+f, filled+n
			}
		}
	}
	if found < 3000 || filled < 100 {
		t.Errorf("only %d pairs and %d filled rings", found, filled)
	}
}

// samePairs compares the pairs of a colour, if it completes nothing with one stone,
// and returns how many there are, and how many more fill a ring.
func samePairs(t *testing.T, p *Position, c havannah.Colour, board *havannah.Board) (pairs, filled int) {
	t.Helper()
	empty := p.EmptyCells(nil)
	list, ok := p.Pairs(c, empty, nil)
	for _, s := range empty {
		if won, _, _ := p.Probe(c, int(s.Cell)); won != 0 {
			if ok {
				t.Fatalf("%d completes %v after %v", s.Cell, won, board)
			}
			return 0, 0
		}
	}
	got := map[Pair]bool{}
	for _, pair := range list {
		slices.Sort(pair[:])
		if got[pair] {
			t.Fatalf("%v is there twice", pair)
		}
		got[pair] = true
	}
	if pairs = len(got); !ok {
		t.Fatalf("nothing is completed after %v", board)
	}
	for i, first := range empty {
		for _, second := range empty[i+1:] {
			after := p.game.colours[colour(c)]
			after.put(p.packed[first.Cell])
			won := after.put(p.packed[second.Cell])
			pair := Pair{first.Cell, second.Cell}
			switch {
			case got[pair] == (won != 0):
			case won == havannah.Ring && p.MayFillRing(c, int(first.Cell)) && p.MayFillRing(c, int(second.Cell)):
				filled++
			default:
				t.Fatalf("%v on %v completes %v after %v", c, pair, won, board)
			}
			delete(got, pair)
		}
	}
	if len(got) > 0 {
		t.Fatalf("%v are no pairs", got)
	}
	return pairs, filled
}
