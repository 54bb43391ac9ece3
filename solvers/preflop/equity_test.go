package preflop

import (
	"bytes"
	"encoding/binary"
	"flag"
	"math"
	"os"
	"runtime"
	"slices"
	"testing"

	"gamebots/acpc/card"
	"gamebots/acpc/hand"
	"gamebots/acpc/ranges"
	"gamebots/internal/parallel"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/resolve/spot"
)

var update = flag.Bool("update", false, "write equities.bin, in some minutes")

// counts adds up twice the wins, and the ties, of each class against each, on boards.
type counts [classes][classes]int64

// held is a hand, with its rank on a board.
type held struct {
	rank, class int
	hole        card.Set
	cards       [2]card.Card
}

// every lists all hands.
func every() (list []held) {
	for class := range classes {
		for _, hole := range ranges.Class(class).Hands() {
			cards := slices.Collect(hole.All())
			list = append(list, held{class: class, hole: hole, cards: [2]card.Card(cards)})
		}
	}
	return list
}

// add adds a board that stands for some.
func (c *counts) add(all []held, board card.Set, times int64) {
	hands, order := make([]held, 0, len(all)), make([]uint64, 0, len(all))
	for i, x := range all {
		if x.hole&board == 0 {
			order = append(order, uint64(hand.ACPC.Rank(x.hole|board))<<16|uint64(i))
		}
	}
	slices.Sort(order)
	var with [card.DeckSize][card.DeckSize - 6]uint16 // numbers of hands by card
	var many [card.DeckSize]int
	for i, x := range order {
		hands = append(hands, all[x&0xffff])
		hands[i].rank = int(x >> 16)
		for _, one := range hands[i].cards {
			with[one][many[one]] = uint16(i)
			many[one]++
		}
	}
	var below [classes]int64 // twice the worse hands, by class
	for from := 0; from < len(hands); {
		to := from
		for to < len(hands) && hands[to].rank == hands[from].rank {
			to++
		}
		for _, x := range hands[from:to] { // those of the rank tie
			below[x.class]++
		}
		for i := from; i < to; i++ {
			row := &c[hands[i].class]
			for class, n := range below {
				row[class] += times * n
			}
			row[hands[i].class] += times // itself is in the sums by both of its cards
			for _, one := range hands[i].cards {
				for _, j := range with[one][:many[one]] {
					switch {
					case int(j) >= to:
					case int(j) < from:
						row[hands[j].class] -= 2 * times
					default:
						row[hands[j].class] -= times
					}
				}
			}
		}
		for _, x := range hands[from:to] {
			below[x.class]++
		}
		from = to
	}
}

// enumerate returns the equities over all boards.
func enumerate() []byte {
	var boards []card.Set
	var times []int64
	card.Subsets(card.Deck(card.NumSuits, card.NumRanks), 5, func(board card.Set) {
		var same []card.Set
		for _, r := range abstraction.Renamings() {
			to := r.Of(board)
			if to < board {
				return
			}
			if !slices.Contains(same, to) {
				same = append(same, to)
			}
		}
		boards, times = append(boards, board), append(times, int64(len(same)))
	})
	threads := runtime.NumCPU()
	sums, all := make([]counts, threads), every()
	parallel.For(threads, len(boards), func(worker, i int) { sums[worker].add(all, boards[i], times[i]) })
	pairs, _ := tables()
	var out bytes.Buffer
	const each = 48 * 47 * 46 * 45 * 44 / 120 // boards of two hands
	for a := range classes {
		for b := a + 1; b < classes; b++ {
			won := int64(0)
			for i := range sums {
				won += sums[i][a][b]
			}
			equity := float64(won) / 2 / each / pairs[a][b]
			_ = binary.Write(&out, binary.LittleEndian, uint16(math.Round(65535*equity)))
		}
	}
	return out.Bytes()
}

// The equities are those of all boards.
func TestEquities(t *testing.T) {
	if *update {
		equities = make([]byte, classes*(classes-1))
		if err := os.WriteFile("equities.bin", enumerate(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	testkit.SlowOnly(t)
	if !bytes.Equal(enumerate(), equities) {
		t.Error("-update writes other equities")
	}
}

// Some of them are those that package spot finds.
func TestSomeEquities(t *testing.T) {
	pairs, won := tables()
	for _, test := range [][2]string{{"AA", "KK"}, {"AKs", "22"}} {
		var both [2]*ranges.Range
		var class [2]int
		for i, text := range test {
			var err error
			if both[i], err = ranges.Parse(text); err != nil {
				t.Fatal(err)
			}
			for c := range classes {
				if ranges.Class(c).String() == text {
					class[i] = c
				}
			}
		}
		want, err := spot.Equities(t.Context(), both[:], nil, true, 2, func(float64) {})
		if err != nil {
			t.Fatal(err)
		}
		got := won[class[0]][class[1]] / pairs[class[0]][class[1]]
		if math.Abs(got-want[0].Equity) > 1e-5 {
			t.Errorf("%v: %v, want %v", test, got, want[0].Equity)
		}
	}
}
