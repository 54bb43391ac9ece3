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

// equity is Equities on a board, of ranges as texts.
func equity(t *testing.T, board string, exact bool, texts ...string) ([]Equity, error) {
	t.Helper()
	cards, err := ParseBoard(board)
	if err != nil {
		t.Fatal(err)
	}
	var of []*ranges.Range
	for _, text := range texts {
		r, err := ranges.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		of = append(of, r)
	}
	return Equities(t.Context(), of, cards, exact, 2, func(float64) {})
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
		won, tied, pairs := 0.0, 0.0, 0.0
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
						tied += weight
					}
				})
			})
		})
		got, err := equity(t, c.board, true, c.a, c.b)
		if err != nil {
			t.Fatal(err)
		}
		for p, want := range [2]Equity{
			{Win: won / pairs, Tie: tied / pairs, Equity: (won + tied/2) / pairs},
			{Win: 1 - (won+tied)/pairs, Tie: tied / pairs, Equity: 1 - (won+tied/2)/pairs},
		} {
			g := got[p]
			off := math.Abs(g.Win-want.Win) + math.Abs(g.Tie-want.Tie) + math.Abs(g.Equity-want.Equity)
			if off > 3e-6 || g.Interval != 0 {
				t.Errorf("%+v: %+v, want %+v", c, g, want)
			}
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
	got, err := equity(t, "", false, "AA", "KK")
	if err != nil || math.Abs(got[0].Equity-.8195) > 5e-5 || got[0].Interval != 0 {
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

// Deals drawn at random have the exact equities of several ranges within their interval, and equities sum to 1.
func TestEquitiesDrawn(t *testing.T) {
	exact, err := equity(t, "Th9h2c3d", true, "AA,KQs:0.5", "random", "22+,JT")
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := equity(t, "Th9h2c3d", false, "AA,KQs:0.5", "random", "22+,JT")
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.
	for p, e := range drawn {
		want := exact[p]
		sum += want.Equity
		if e.Interval == 0 || e.Interval > .001 || math.Abs(e.Equity-want.Equity) > 2*e.Interval ||
			math.Abs(e.Win-want.Win) > .002 || math.Abs(e.Tie-want.Tie) > .002 {
			t.Errorf("player %d: %+v, exactly %+v", p, e, want)
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("equities sum to %g", sum)
	}
}

// Ranges of which hardly any hands can be held at the same time are not drawn for ever.
func TestEquitiesHardlyDrawn(t *testing.T) {
	rare := "AA,22:0.0000001"
	got, err := equity(t, "", false, rare, rare, rare)
	if err != nil {
		t.Fatal(err)
	}
	for p, e := range got { // two have aces, one has twos
		if e.Interval != 0 || math.Abs(e.Equity-1./3) > 1e-9 {
			t.Errorf("player %d: %+v", p, e)
		}
	}
}

// Ranges that cannot be held at the same time, or hardly, are refused, however many hands they have.
func TestEquitiesOfNoHands(t *testing.T) {
	rare := "random:0.00000001,AhAs"
	for _, texts := range [][]string{
		{"22+,A2s+", "22+,A2s+", "22+,A2s+", "22+,A2s+", "AsKs", "AsKd"}, {rare, rare, rare}, {"AA:1e-50", "KK"},
	} {
		if got, err := equity(t, "", false, texts...); !errors.Is(err, ErrNoHands) {
			t.Errorf("%q: %v, %v", texts, got, err)
		}
	}
}

// Deals that all went the same way leave an interval.
func TestEquityOfOneKind(t *testing.T) {
	sum := equitySum{all: 100, of: []Equity{{Win: 100, Equity: 100, Interval: 100}, {}}}
	for p, e := range sum.means(false) {
		if e.Interval < .01 || e.Interval > .03 {
			t.Errorf("player %d: %+v", p, e)
		}
	}
}

func TestEquityErrors(t *testing.T) {
	if _, err := equity(t, "", false, "AhAd", "AhAd"); !errors.Is(err, ErrNoHands) {
		t.Errorf("ranges without a pair: %v", err)
	}
	if _, err := equity(t, "2c2c3h", false, "AA", "KK"); !errors.As(err, new(*FieldError)) {
		t.Errorf("a card twice: %v", err)
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	r, _ := ranges.Parse("random")
	_, err := Equities(ctx, []*ranges.Range{r, r}, nil, false, 1, func(float64) {})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
