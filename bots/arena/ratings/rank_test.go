package ratings

import (
	"errors"
	"math"
	"testing"

	"gamebots/acpc/money"
	"gamebots/bots/arena"
	"gamebots/configs"
	"gamebots/internal/stats"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// near compares floats to some digits.
func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// met is the result of independent games.
func met(a, b int, score, games float64) Encounter {
	return Encounter{A: a, B: b, Score: score, Games: games}
}

// The American League East of 1987, as Agresti, Categorical Data Analysis (1990),
// has it: games won against each other, of 13 a pair. Estimates and standard errors,
// against Baltimore, are those that the package BradleyTerry2 of R prints.
func TestRateBaseball(t *testing.T) {
	teams := []string{"Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"}
	won := [][]float64{
		{0, 7, 9, 7, 7, 9, 11},
		{6, 0, 7, 5, 11, 9, 9},
		{4, 6, 0, 7, 7, 8, 12},
		{6, 8, 6, 0, 6, 7, 10},
		{6, 2, 6, 7, 0, 7, 12},
		{4, 4, 5, 6, 6, 0, 6},
		{2, 4, 1, 3, 1, 7, 0},
	}
	logits := []float64{1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839}
	errors := []float64{0.3433, 0.3396, 0.3367, 0.3359, 0.3339, 0.3319}
	var results []Encounter
	for a := range teams {
		for b := range a {
			results = append(results, met(a, b, won[a][b], won[a][b]+won[b][a]))
		}
	}
	r, err := Rate(len(teams), results)
	if err != nil || r.Prior != 0 {
		t.Fatalf("%v, prior %v", err, r.Prior)
	}
	sum := 0.0
	for i, team := range teams {
		sum += r.Elo[i]
		if i == 6 {
			break
		}
		points, sigma := difference(r, i, 6)
		near(t, team, points/pointsPerLogit, logits[i], 6e-5)
		near(t, team+"'s error", sigma/pointsPerLogit, errors[i], 6e-5)
	}
	near(t, "the sum", sum, 0, 1e-9)
}

// difference returns how many points one player is above another, and the standard error of that.
func difference(r *Ratings, a, b int) (points, sigma float64) {
	variance := 0.0
	for _, e := range r.results {
		moved := func(p int) float64 { return r.perPoint[p][e.A] - r.perPoint[p][e.B] }
		variance += e.Error.Times(moved(a) - moved(b)).Variance
	}
	return r.Elo[a] - r.Elo[b], math.Sqrt(variance)
}

// By hand: 75 of 100 points are 400 log10(3) points of Elo, with a standard error of
// 400/ln(10) / sqrt(100 * 0.75 * 0.25).
func TestRateTwo(t *testing.T) {
	r, err := Rate(2, []Encounter{met(0, 1, 75, 100)})
	if err != nil {
		t.Fatal(err)
	}
	points, sigma := difference(r, 0, 1)
	near(t, "difference", points, 190.8485, 1e-3)
	near(t, "error", sigma, 40.1188, 1e-3)
	near(t, "rating", r.Elo[0], 95.42425, 1e-3)
	near(t, "interval", r.Interval95(0), 1.959964*40.1188/2, 1e-3)
	// Of 50 openings whose mean score has a standard error of 0.02: 400/ln(10) * 0.02 / (0.75 * 0.25).
	e := met(0, 1, 75, 100)
	e.Error = stats.Uncertainty{Variance: .02 * .02, Freedom: 49}.Times(100)
	if r, err = Rate(2, []Encounter{e}); err != nil {
		t.Fatal(err)
	}
	_, sigma = difference(r, 0, 1)
	near(t, "error by openings", sigma, 18.5301, 1e-3)
	near(t, "interval by openings", r.Interval95(0), 2.009575*18.5301/2, 1e-3)
}

// Who has won all has no finite rating: a drawn game is added to each pair, and said.
func TestRatePrior(t *testing.T) {
	for _, test := range []struct {
		name    string
		results []Encounter
		prior   float64
		err     error
	}{
		{"won all", []Encounter{met(0, 1, 10, 10), met(1, 2, 5, 10), met(0, 2, 10, 10)}, 1, nil},
		{"a draw is enough", []Encounter{met(0, 1, 9.5, 10), met(1, 2, 5, 10), met(0, 2, 10, 10)}, 0, nil},
		{"two groups", []Encounter{met(0, 1, 5, 10), met(2, 0, 0, 0)}, 0, ErrNotConnected},
		{"in a circle", []Encounter{met(0, 1, 4, 4), met(1, 2, 4, 4), met(2, 0, 4, 4)}, 0, nil},
	} {
		r, err := Rate(3, test.results)
		if !errors.Is(err, test.err) {
			t.Errorf("%s: %v", test.name, err)
		} else if err == nil &&
			(r.Prior != test.prior || math.IsInf(r.Elo[0], 0) || math.IsNaN(r.Elo[0]) || !(r.Interval95(0) > 0)) {
			t.Errorf("%s: %+v ± %v", test.name, r, r.Interval95(0))
		}
	}
	r, err := Rate(2, []Encounter{met(0, 1, 10, 10)})
	if err != nil {
		t.Fatal(err)
	}
	points, _ := difference(r, 0, 1) // 10.5 of 11
	near(t, "with a drawn game", points, 400*math.Log10(21), 1e-6)
}

// uncertain are uncertainties with a variance and degrees of freedom each.
func uncertain(of ...float64) (list []stats.Uncertainty) {
	for ; len(of) > 0; of = of[2:] {
		list = append(list, stats.Uncertainty{Variance: of[0], Freedom: of[1]})
	}
	return list
}

// known are uncertainties with these standard errors, which are known.
func known(errors ...float64) (list []stats.Uncertainty) {
	for _, x := range errors {
		list = append(list, stats.Uncertainty{Variance: x * x, Freedom: math.Inf(1)})
	}
	return list
}

// Player 0 beats everybody a little, 1 gains more in all, by beating 3, which loses to everybody, most. Player 4 has
// met nobody.
func TestBankrolls(t *testing.T) {
	won := map[[2]int]float64{{0, 1}: 10, {0, 2}: 20, {0, 3}: 30, {1, 2}: 40, {1, 3}: 300, {2, 3}: 50}
	l := &League{Players: 5}
	for a := range 4 {
		for b := a + 1; b < 4; b++ {
			l.Tables = append(l.Tables, TableResult{
				Players: []int{a, b}, Won: []float64{won[[2]int{a, b}], -won[[2]int{a, b}]}, Errors: known(3, 3),
			})
		}
	}
	got := l.Bankrolls()
	half := 1.959963984540054 * math.Sqrt(27) / 3
	want := []Bankroll{{20, half}, {110, half}, {-10.0 / 3, half}, {-380.0 / 3, half}, {math.NaN(), math.NaN()}}
	if d := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9), cmpopts.EquateNaNs()); d != "" {
		t.Error(d)
	}
	order := ""
	for _, s := range PokerStandings(&arena.Plan{Players: []configs.Entry{
		{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}, {Name: "e"},
	}}, l, "mb a hand") {
		order += s.Player
	}
	if order != "bacde" {
		t.Errorf("ranked %s, want bacde", order)
	}
}

// Estimates replace the winnings of their players, in chips. A player alone without one has what the others lose by
// deal.
func TestEstimated(t *testing.T) {
	// estimate has the estimates of two deals.
	estimate := func(player int, first, second float64) (e TableEstimate) {
		e.Player, e.ByDeal = player, []float64{first, second}
		e.Estimated.Add(first)
		e.Estimated.Add(second)
		return e
	}
	three := []float64{8, -6, -2}
	for name, test := range map[string]struct {
		players   []int
		won       []float64 // with errors of ten
		estimates []TableEstimate
		want      []float64
		error     []stats.Uncertainty
	}{
		"two": {[]int{4, 2}, []float64{8, -8}, []TableEstimate{estimate(2, 2, 4)},
			[]float64{-3, 3}, uncertain(1, 1, 1, 1)},
		"one of three": {[]int{0, 1, 2}, three, []TableEstimate{estimate(0, 1, 3)},
			[]float64{2, -6, -2}, uncertain(1, 1, 100, 50, 100, 50)},
		"two of three": {[]int{0, 1, 2}, three, []TableEstimate{estimate(0, 1, 3), estimate(2, 2, 4)},
			[]float64{2, -5, 3}, uncertain(1, 1, 4, 1, 1, 1)},
		"two of three that differ": {[]int{0, 1, 2}, three, []TableEstimate{estimate(0, 1, 3), estimate(2, 4, 2)},
			[]float64{2, -5, 3}, uncertain(1, 1, 0, 1, 1, 1)},
		"all of three": {[]int{0, 1, 2}, three,
			[]TableEstimate{estimate(0, 1, 3), estimate(1, 1, -1), estimate(2, 0, 2)},
			[]float64{2, 0, 1}, uncertain(1, 1, 1, 1, 1, 1)},
		"of other tables": {[]int{0, 1}, []float64{8, -8}, nil, []float64{8, -8}, uncertain(100, 50, 100, 50)},
	} {
		p := &arena.Plan{Kind: arena.Poker, Tables: [][]int{{3, 5}, test.players}}
		l := &League{Players: 6, Tables: []TableResult{{Players: test.players, Won: test.won}}}
		for range test.players {
			l.Tables[0].Errors = append(l.Tables[0].Errors, stats.Uncertainty{Variance: 100, Freedom: 50})
		}
		for i := range test.estimates {
			test.estimates[i].Table = 1
		}
		got := l.Estimated(p, append(test.estimates, estimate(5, 7, 7)), money.Format{})
		want := []TableResult{{Players: test.players, Won: test.want, Errors: test.error}}
		if d := cmp.Diff(want, got.Tables, cmpopts.EquateApprox(0, 1e-9)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}
