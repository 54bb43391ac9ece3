package lbr

import (
	"fmt"
	"math"
	"testing"

	"gamebots/internal/stats"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/evaluate/bestresponse"
	"gamebots/solvers/policy"
)

// In Kuhn and Leduc, what the response wins from simple players can be computed by hand.
// From a player who folds it wins the ante, if it may raise. Of the three hands of Kuhn,
// one wins the ante and a bet from a player who calls, one ties with the mean, and one
// loses the ante.
func TestPlainSmallGames(t *testing.T) {
	for _, test := range []struct {
		game string
		kind policy.Plain
		menu string
		want float64
	}{
		{"kuhn", policy.PlainFold, "fc", 0},
		{"kuhn", policy.PlainFold, "fcpa", 1},
		{"kuhn", policy.PlainCall, "fc", 0},
		{"kuhn", policy.PlainCall, "fcpa", 1. / 3},
		{"kuhn", policy.PlainRaise, "fc", 1. / 3},
		{"kuhn", policy.PlainRaise, "fcpa", 1. / 3},
		{"leduc", policy.PlainFold, "fcpa", 1},
		{"leduc", policy.PlainCall, "fc", 0},
		{"leduc-nolimit", policy.PlainFold, "56", 100},
		{"leduc-nolimit", policy.PlainCall, "fc", 0},
	} {
		j, err := New(game(t, test.game), Options{Menu: menu(t, test.menu)})
		if err != nil {
			t.Fatal(err)
		}
		won, _, _, _ := value(t, j, belief.NewPlain(test.kind))
		for i, x := range won {
			if math.Abs(x-test.want) > 1e-9 {
				t.Errorf("%s, %s against %s: it wins %.9f in position %d, want %g", test.game, test.menu, test.kind,
					x, i+1, test.want)
			}
		}
	}
}

// In hold'em the response wins no more from simple players than exact best responses do
// (gamebots evaluate --by real), and a known amount from those who fold: 750 mb, or 250 if it
// does not raise.
func TestPlainHoldem(t *testing.T) {
	const most, exactly = false, true
	for _, test := range []struct {
		game  string
		kind  policy.Plain
		menu  string
		deals int
		mb    float64
		exact bool
	}{
		{"holdem-limit-12", policy.PlainCall, "fcpa", 100, math.NaN(), most},
		{"holdem-limit-12", policy.PlainRaise, "fcpa", 100, math.NaN(), most},
		{"holdem-limit-20", policy.PlainCall, "fcpa", 50, 923.272, most},
		{"holdem-limit-20", policy.PlainRaise, "fcpa", 50, 2894.916, most},
		{"holdem-limit-20", policy.PlainFold, "fcpa", 2, 750, exactly},
		{"holdem-limit-20", policy.PlainFold, "fc", 100, 250, exactly},
		{"holdem-nolimit-2p", policy.PlainFold, "56", 2, 750, exactly},
	} {
		t.Run(fmt.Sprintf("%s, %s against %s", test.game, test.menu, test.kind), func(t *testing.T) {
			g := game(t, test.game)
			if math.IsNaN(test.mb) {
				s, err := bestresponse.PlainIn(test.kind, g, betting.Actions{})
				if err != nil {
					t.Fatal(err)
				}
				best := answered(t, bestresponse.New(s))
				test.mb = 1000 * (best[0] + best[1]) / 2 / float64(g.MaxBlind())
			}
			j, err := New(g, Options{Menu: menu(t, test.menu)})
			if err != nil {
				t.Fatal(err)
			}
			var won stats.Sample
			for deal := range test.deals {
				o, err := j.Deal(t.Context(), belief.NewPlain(test.kind), 1, deal)
				if err != nil {
					t.Fatal(err)
				}
				won.Add(1000 * o.Estimated / float64(g.MaxBlind()))
			}
			t.Logf("%.1f ± %.1f mb, a best response %.1f", won.Mean(), won.Interval95(), test.mb)
			over := won.Mean() - test.mb
			if bound := 2*won.Interval95() + 1e-6; over > bound || test.exact && over < -bound {
				t.Errorf("it wins %.1f ± %.1f mb, a best response %.1f", won.Mean(), won.Interval95(), test.mb)
			}
			if !test.exact && won.Mean() < won.Interval95() {
				t.Errorf("it wins nothing: %.1f ± %.1f mb", won.Mean(), won.Interval95())
			}
		})
	}
}

// answered returns what an exact best response wins, in chips.
func answered(t *testing.T, r *bestresponse.Response) [2]float64 {
	t.Helper()
	parts := make([]bestresponse.PartValues, r.Parts())
	err := r.Value(t.Context(), r.Missing(parts), 2, func(part int, v bestresponse.PartValues) error {
		parts[part] = v
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return r.Total(parts)
}
