package belief

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/configs"
)

func game(t testing.TB, name string) *acpc.Game {
	t.Helper()
	g, err := configs.Game(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func set(t testing.TB, text string) card.Set {
	t.Helper()
	s, err := card.ParseSet(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rest returns the cards of a game's deck that are not in used.
func rest(g *acpc.Game, used card.Set) []card.Card { return slices.DeleteFunc(g.Deck(), used.Has) }

// naive returns the equity of rivals against one hand by dealing every board.
func naive(g *acpc.Game, rivals []card.Set, dead, other, board card.Set) float64 {
	sum, n := 0.0, 0.0
	card.Subsets(rest(g, dead|other|board), g.BoardCards(g.NumRounds-1)-board.Len(), func(come card.Set) {
		rank, beaten, tied := g.HandRanking.Rank(other|board|come), false, 1.0
		for _, hole := range rivals {
			switch r := g.HandRanking.Rank(hole | board | come); {
			case r > rank:
				beaten = true
			case r == rank:
				tied++
			}
		}
		if beaten {
			sum++
		} else {
			sum += 1 - 2/tied
		}
		n++
	})
	return sum / n
}

// Equities are those of dealing every board, for every hand that is possible, and 0 for
// others: with one rival or several, some of whom tie, and with cards of players who have folded.
func TestEquity(t *testing.T) {
	for _, test := range []struct {
		game, rivals, folded, board string
		round, step                 int
	}{
		{"kuhn", "Ks", "", "", 0, 1},
		{"leduc", "Ks", "", "", 0, 1},
		{"leduc", "Ks", "", "Qs", 1, 1},
		{"rhode-island", "Ks", "", "", 0, 7},
		{"rhode-island", "Ks", "", "Qs", 1, 5},
		{"holdem-limit-12", "AsKs", "", "", 0, 1},
		{"holdem-limit-20", "AsKs", "", "", 0, 40},
		{"holdem-nolimit-2p", "AsKd", "", "2c7dKs", 1, 50},
		{"holdem-nolimit-2p", "4s4d", "", "2c7dKs9h", 2, 10},
		{"holdem-nolimit-2p", "4s4d", "", "2c7dKs9h4c", 3, 1},
		{"kuhn-3p", "Ks Qs", "", "", 0, 1},
		{"leduc-3p", "Ks Kh", "", "", 0, 1},
		{"leduc-3p", "Kh", "Qs", "Qh", 1, 1},
		{"holdem-limit-3p", "AsKd AcKh", "", "2c7dJs", 1, 50},
		{"holdem-limit-3p", "AsKd", "AcQc", "2c7dKs", 1, 50},
		{"holdem-limit-3p", "4s4d 5h6h", "", "2c7dKs9h", 2, 10},
		{"holdem-nolimit-6p", "AsKd AcKh AhKc", "9c9d 9h2c", "7dJs2h", 1, 99},
	} {
		t.Run(fmt.Sprintf("%s, %s on %s, %s folded", test.game, test.rivals, test.board, test.folded),
			func(t *testing.T) {
				g := game(t, test.game)
				var rivals []card.Set
				for _, hole := range strings.Fields(test.rivals) {
					rivals = append(rivals, set(t, hole))
				}
				dead, board := set(t, strings.ReplaceAll(test.rivals+test.folded, " ", "")), set(t, test.board)
				e := NewEquities(g)
				got := e.Of(rivals, dead, board, test.round)
				for i := 0; i < len(e.holes); i += test.step {
					want := 0.0
					if e.holes[i]&(dead|board) == 0 {
						want = naive(g, rivals, dead, e.holes[i], board)
					}
					if math.Abs(got[i]-want) > 1e-12 {
						t.Errorf("against %v: %v, want %v", e.holes[i], got[i], want)
					}
				}
			})
	}
}

// Before the flop, equities are near the known ones, and the same for hands that differ in
// the names of suits, once the other hand's are renamed, too.
func TestEquityBeforeTheFlop(t *testing.T) {
	e := NewEquities(game(t, "holdem-nolimit-2p"))
	of := func(hole string) []float64 {
		cards := set(t, hole)
		return e.Of([]card.Set{cards}, cards, 0, 0)
	}
	for _, test := range []struct {
		hole, other string
		want        float64 // the parts of boards that are won minus those that are lost
	}{
		{"AsAh", "KsKh", .8236 - .1709},
		{"AcKc", "QdQh", .4583 - .5378},
		{"7c2d", "AsKs", .3085 - .6864},
	} {
		if got := of(test.hole)[e.number[set(t, test.other)]]; math.Abs(got-test.want) > 4./64 {
			t.Errorf("%s against %s: %v, want about %v", test.hole, test.other, got, test.want)
		}
	}
	a, b := of("AsKh"), of("AdKc")
	for _, pair := range [][2]string{{"QsJh", "QdJc"}, {"AhKs", "AcKd"}} {
		x, y := a[e.number[set(t, pair[0])]], b[e.number[set(t, pair[1])]]
		if x != y || x == 0 && pair[0] == "QsJh" {
			t.Errorf("AsKh has %v against %s, AdKc %v against %s", x, pair[0], y, pair[1])
		}
	}
}

func BenchmarkEquity(b *testing.B) {
	for _, rivals := range [][]string{{"AsKh"}, {"AsKh", "QdQh"}} {
		var holes []card.Set
		var dead card.Set
		for _, hole := range rivals {
			holes = append(holes, set(b, hole))
			dead |= holes[len(holes)-1]
		}
		e := NewEquities(game(b, fmt.Sprintf("holdem-limit-%dp", len(rivals)+1)))
		for round, board := range []string{"", "2c7dKs", "2c7dKs9h", "2c7dKs9h4c"} {
			cards := set(b, board)
			b.Run(fmt.Sprintf("%d rivals, round %d", len(rivals), round+1), func(b *testing.B) {
				for b.Loop() {
					e.compute(holes, dead, cards, round)
				}
			})
		}
	}
}
