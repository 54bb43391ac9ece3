package money_test

import (
	"math"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/money"
)

// game returns a game with a largest blind, of two players.
func game(blind int32) *acpc.Game {
	g := &acpc.Game{Name: "small", NumPlayers: 2}
	g.Blind[0], g.Blind[1] = blind/2, blind
	return g
}

// Every unit writes the same amount, 0.5 chips a hand with a blind of 2.
func TestUnits(t *testing.T) {
	for _, test := range []struct {
		unit                         money.Unit
		blind                        int32
		amount, within, least, title string
		chip                         float64
		data                         string
		dataChip                     float64
	}{
		{money.Usual, 2, "0.5 chips (250 mb)", "0.5 chips (250 mb) ± 0.25 chips (125 mb)",
			"at least 0 (-0.5 chips (-250 mb) ± ?)", "mb a hand", 500, "chips", 1},
		{money.Usual, 0, "0.5 chips", "0.5 chips ± 0.25 chips", "at least 0 (-0.5 chips ± ?)", "chips a hand", 1,
			"chips", 1},
		{money.Chips, 2, "0.5 chips", "0.5 chips ± 0.25 chips", "at least 0 (-0.5 chips ± ?)", "chips a hand", 1,
			"chips", 1},
		{money.MB, 2, "250 mb", "250 mb ± 125 mb", "at least 0 (-250 mb ± ?)", "mb a hand", 500, "mb", 500},
		{money.BB100, 2, "25 bb/100", "25 bb/100 ± 12.5 bb/100", "at least 0 (-25 bb/100 ± ?)", "bb/100", 50, "bb100",
			50},
	} {
		f, err := test.unit.In(game(test.blind))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Amount(0.5); got != test.amount {
			t.Errorf("%q: %s, want %s", test.unit, got, test.amount)
		}
		if got := f.Within(0.5, 0.25); got != test.within {
			t.Errorf("%q: %s, want %s", test.unit, got, test.within)
		}
		if got := f.AtLeast(-0.5, math.Inf(1)); got != test.least {
			t.Errorf("%q: %s, want %s", test.unit, got, test.least)
		}
		if got, want := f.AtLeast(0.5, 0.25), "at least "+test.within; got != want {
			t.Errorf("%q: %s, want %s", test.unit, got, want)
		}
		if title, chip := f.Column(); title != test.title || chip != test.chip {
			t.Errorf("%q: column %s of %v, want %s of %v", test.unit, title, chip, test.title, test.chip)
		}
		if want := strings.ReplaceAll(test.data, "bb100", "bb/100"); f.Symbol() != want {
			t.Errorf("%q: the symbol is %s, want %s", test.unit, f.Symbol(), want)
		}
		if name, chip := f.Data(); name != test.data || chip != test.dataChip {
			t.Errorf("%q: data in %s of %v, want %s of %v", test.unit, name, chip, test.data, test.dataChip)
		}
	}
}

// A sentence says once of how many hands its amount is.
func TestAHand(t *testing.T) {
	for unit, want := range map[money.Unit]string{
		money.Usual: "0.5 chips (250 mb) a hand", money.Chips: "0.5 chips a hand", money.MB: "250 mb a hand",
		money.BB100: "25 bb/100",
	} {
		f, err := unit.In(game(2))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.AHand(f.Amount(0.5)); got != want {
			t.Errorf("%q: %s, want %s", unit, got, want)
		}
	}
}

// A decision's amount is in one unit.
func TestBrief(t *testing.T) {
	for unit, want := range map[money.Unit]string{
		money.Usual: "617 mb", money.MB: "617 mb", money.BB100: "61.7 bb/100", money.Chips: "1.23 chips",
	} {
		f, err := unit.In(game(2))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Brief(1.2345); got != want {
			t.Errorf("%q: %s, want %s", unit, got, want)
		}
	}
	if f, err := money.Usual.In(game(0)); err != nil || f.Brief(1.2345) != "1.23 chips" {
		t.Errorf("without blinds: %s: %v", f.Brief(1.2345), err)
	}
}

// Large amounts have no exponent.
func TestLargeAmounts(t *testing.T) {
	f, err := money.MB.In(game(2))
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range map[float64]string{
		65.06: "32530 mb", 19.9994: "10000 mb", -20000: "-10000000 mb", 0.0012345: "0.6172 mb",
	} {
		if got := f.Amount(x); got != want {
			t.Errorf("%v chips: %s, want %s", x, got, want)
		}
	}
}

// Units are set by name, and those of blinds need one.
func TestRefused(t *testing.T) {
	var u money.Unit
	for _, name := range []string{"", "bb", "MB"} {
		if err := u.Set(name); err == nil || u != money.Usual {
			t.Errorf("%q is accepted as %q", name, u)
		}
	}
	for _, name := range []string{"mb", "bb100"} {
		if err := u.Set(name); err != nil {
			t.Fatal(err)
		}
		if _, err := u.In(game(0)); err == nil {
			t.Errorf("%s is accepted for a game without blinds", name)
		}
	}
}

// The run of configs/arena.toml has such means; sums in another order are off by
// some bits, and must not be printed as other numbers.
func TestSigned(t *testing.T) {
	for x, want := range map[float64]string{
		445.15: "+445.2", 445.1499999999: "+445.2", 445.1500000000001: "+445.2", 445.149: "+445.1",
		-507.15: "-507.2", -507.14999999999986: "-507.2", 0: "+0.0", -0.04: "+0.0", 70: "+70.0",
	} {
		if got := money.Signed(x, 1); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
	if got := money.Signed(-0.4, 0); got != "+0" {
		t.Errorf("about nothing is %s", got)
	}
}

// A single observation has no interval.
func TestPlusMinus(t *testing.T) {
	for half, want := range map[float64]string{
		12.345: "± 12.3", 0: "± 0.0", math.Inf(1): "± ?", math.NaN(): "± ?",
	} {
		if got := money.PlusMinus(half, 1); got != want {
			t.Errorf("%v: %s, want %s", half, got, want)
		}
	}
}

// Values are written in the unit that is asked for, and with its name as people write it.
func TestByPosition(t *testing.T) {
	for unit, want := range map[money.Unit][2]string{
		money.Usual: {"0.5 chips to the first position", "0.5, -0.25, -0.25 chips by position"},
		money.MB:    {"250 mb to the first position", "250, -125, -125 mb by position"},
		money.BB100: {"25 bb/100 to the first position", "25, -12.5, -12.5 bb/100 by position"},
	} {
		format, err := unit.In(game(2))
		if err != nil {
			t.Fatal(err)
		}
		if got := format.ByPosition([]float64{0.5, -0.5}); got != want[0] {
			t.Errorf("%q: %s, want %s", unit, got, want[0])
		}
		if got := format.ByPosition([]float64{0.5, -0.25, -0.25}); got != want[1] {
			t.Errorf("%q: %s, want %s", unit, got, want[1])
		}
	}
}

// A column in chips shows thousandths of the blind, and so do the others with one decimal or none.
func TestDecimals(t *testing.T) {
	for _, test := range []struct {
		unit  money.Unit
		blind int32
		want  int
	}{
		{money.Chips, 1, 3}, {money.Chips, 2, 3}, {money.Chips, 10, 2}, {money.Chips, 99, 2}, {money.Chips, 100, 1},
		{money.Chips, 20000, 1}, {money.Chips, 0, 1}, {money.MB, 1, 1}, {money.BB100, 1, 1}, {money.Usual, 1, 1},
	} {
		f, err := test.unit.In(game(test.blind))
		if err != nil || f.Decimals() != test.want {
			t.Errorf("%q with a blind of %d: %d, want %d: %v", test.unit, test.blind, f.Decimals(), test.want, err)
		}
	}
}

// A line of progress has one unit and no exponent, however large the amounts are.
func TestProgress(t *testing.T) {
	for _, test := range []struct {
		unit     money.Unit
		blind    int32
		x, half  float64
		interval string
	}{
		{money.Usual, 100, 1205, 1547, "+12050 ± 15470 mb"},
		{money.Usual, 100, -347.493, 1827.16, "-3475 ± 18272 mb"},
		{money.Usual, 100, 0.087, math.Inf(1), "+1 ± ? mb"},
		{money.MB, 100, 0.5, 1, "+5.0 ± 10.0 mb"},
		{money.BB100, 100, 1205, 1547, "+1205 ± 1547 bb/100"},
		{money.Chips, 100, -1234567, 2, "-1234567.0 ± 2.0 chips"},
		{money.Usual, 0, 0.25, 1, "+0.3 ± 1.0 chips"},
	} {
		f, err := test.unit.In(game(test.blind))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.ProgressWithin(test.x, test.half); got != test.interval {
			t.Errorf("%q: %s, want %s", test.unit, got, test.interval)
		}
	}
	if got, want := money.UsualIn(game(2)).Amount(-1234567), "-1234567 chips (-617283500 mb)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
