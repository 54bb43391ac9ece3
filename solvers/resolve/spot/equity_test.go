package spot

import (
	"context"
	"errors"
	"math"
	"testing"

	"gamebots/acpc/card"
	"gamebots/acpc/hand"
	"gamebots/acpc/ranges"
)

// equity is Equity of two ranges on a board, as texts.
func equity(t *testing.T, a, b, board string) ([2]float64, error) {
	t.Helper()
	cards, err := ParseBoard(board)
	if err != nil {
		t.Fatal(err)
	}
	var r [2]*ranges.Range
	for p, text := range []string{a, b} {
		if r[p], err = ranges.Parse(text); err != nil {
			t.Fatal(err)
		}
	}
	return Equity(t.Context(), r, cards, 2, func(float64) {})
}

// Equities are those of all pairs of hands on all boards, with weights, ties and cards in common.
func TestRangeEquity(t *testing.T) {
	for _, c := range []struct{ a, b, board string }{
		{"AA,AKs:0.5,T9s", "QQ,AQ:0.3,9h8h", "Qs7h2c5d"}, {"AA,AKs:0.5", "AK,22", "AsKh2c2d3h"},
		{"AhKh,7c6c:0.25", "QQ,JTs", "Th9h2c"}, {"22+,A2+:0.7", "random", "AsKh2c2d3h"}, // more than fewPairs
	} {
		cards, _ := ParseBoard(c.board)
		dealt := card.SetOf(cards...)
		a, _ := ranges.Parse(c.a)
		b, _ := ranges.Parse(c.b)
		won, pairs := 0.0, 0.0
		card.Subsets(undealt(dealt), 2, func(x card.Set) {
			card.Subsets(undealt(dealt|x), 2, func(y card.Set) {
				weight := a.Weight(x) * b.Weight(y)
				if weight == 0 {
					return
				}
				card.Subsets(undealt(dealt|x|y), 5-len(cards), func(more card.Set) {
					own, other := hand.ACPC.Rank(dealt|more|x), hand.ACPC.Rank(dealt|more|y)
					pairs += weight
					switch {
					case own > other:
						won += weight
					case own == other:
						won += weight / 2
					}
				})
			})
		})
		got, err := equity(t, c.a, c.b, c.board)
		if want := won / pairs; err != nil || math.Abs(got[0]-want) > 1e-6 || math.Abs(got[0]+got[1]-1) > 1e-12 {
			t.Errorf("%+v: %v, want %g: %v", c, got, want, err)
		}
	}
}

// undealt returns the cards that are not dealt.
func undealt(dealt card.Set) (all []card.Card) {
	for c := range card.Card(card.DeckSize) {
		if !dealt.Has(c) {
			all = append(all, c)
		}
	}
	return all
}

// Before the flop aces have the equity against kings that every table has, and all suits count.
func TestEquityBeforeFlop(t *testing.T) {
	got, err := equity(t, "AA", "KK", "")
	if err != nil || math.Abs(got[0]-.8195) > 5e-5 {
		t.Errorf("%v: %v", got, err)
	}
	empty := &Spot{Ranges: [2]*ranges.Range{new(ranges.Range), new(ranges.Range)}}
	boards, counts := completions(0, empty.symmetries(0))
	total := 0.0
	for _, n := range counts {
		total += n
	}
	if len(boards) != 134459 || total != 2598960 {
		t.Errorf("%d boards that stand for %g", len(boards), total)
	}
}

func TestEquityErrors(t *testing.T) {
	if _, err := equity(t, "AhAd", "AhAd", ""); !errors.Is(err, ErrNoHands) {
		t.Errorf("ranges without a pair: %v", err)
	}
	if _, err := equity(t, "AA", "KK", "2c2c3h"); !errors.As(err, new(*FieldError)) {
		t.Errorf("a card twice: %v", err)
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	r, _ := ranges.Parse("random")
	if _, err := Equity(ctx, [2]*ranges.Range{r, r}, nil, 1, func(float64) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
