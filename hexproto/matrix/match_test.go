package matrix

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
)

func rats(x ...int64) (out []*big.Rat) {
	for _, n := range x {
		out = append(out, big.NewRat(n, 3))
	}
	return out
}

// Payoffs add up exactly.
func TestMatch(t *testing.T) {
	m, err := New([2][]string{{"up", "down"}, {"a", "a", "b"}},
		[2][]*big.Rat{rats(1, 2, 3, 4, 5, 6), rats(0, 0, 9, 0, 0, 0)}, 2, 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, round := range [][2]string{{"up", "3"}, {"2", "1"}, {"down", "2"}} {
		row, err := m.Parse(0, round[0])
		column, err2 := m.Parse(1, round[1])
		if err := errors.Join(err, err2, m.Play(row, column)); err != nil {
			t.Fatal(err)
		}
	}
	const want = "rounds=3 : up/3 down/1 down/2 : 4 3"
	if m.String() != want || !m.Over() || m.Winner() != 0 {
		t.Errorf("%s, want %s; over %v, winner %d", m, want, m.Over(), m.Winner())
	}
	if err := m.Play(0, 0); !errors.Is(err, ErrOver) {
		t.Errorf("a round after the last: %v", err)
	}
	if again := m.Restart(); again.Total(0).Sign() != 0 || again.Total(1).Sign() != 0 || again.Winner() != -1 ||
		again.String() != "rounds=3 : : 0 0" || m.String() != want {
		t.Errorf("from the start: %s, and %s", again, m)
	}
	for _, bad := range []string{"", "0", "4", "-1", "up", "A"} {
		if _, err := m.Parse(1, bad); err == nil {
			t.Errorf("%q is an action", bad)
		}
	}
	if m.Play(2, 0) == nil || m.Play(0, -1) == nil {
		t.Error("unknown actions are played")
	}
}

func TestNew(t *testing.T) {
	one := [2][]*big.Rat{rats(1), rats(1)}
	for _, c := range []struct{ rows, columns, rounds int }{{0, 1, 1}, {1, 2, 1}, {1, 1, 0}, {1, 1, MaxRounds + 1},
		{65, 1, 1}} {
		if _, err := New([2][]string{}, one, c.rows, c.columns, c.rounds); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
	// Each action beats the one before it.
	m, found, err := Named("rock-paper-scissors", 1)
	if !found || err != nil {
		t.Fatal(found, err)
	}
	for _, c := range []struct {
		x, y string
		want int64
	}{{"rock", "scissors", 1}, {"paper", "rock", 1}, {"scissors", "paper", 1}, {"rock", "rock", 0},
		{"rock", "paper", -1}} {
		x, _ := m.Parse(0, c.x)
		y, _ := m.Parse(1, c.y)
		if m.Payoff(0, x, y).Cmp(big.NewRat(c.want, 1)) != 0 || m.Payoff(1, x, y).Cmp(big.NewRat(-c.want, 1)) != 0 {
			t.Errorf("%s against %s: %v and %v", c.x, c.y, m.Payoff(0, x, y), m.Payoff(1, x, y))
		}
	}
	for _, name := range Games() {
		if _, found, err := Named(name, 5); !found || err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Totals can be written as floating-point numbers, and do not grow without limit.
func TestSizesOfPayoffs(t *testing.T) {
	number := func(text string) *big.Rat {
		x, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatal(text)
		}
		return x
	}
	for _, c := range []struct {
		payoffs [2]string
		rounds  int
		fine    bool
	}{
		{[2]string{"1e300", "-1e300"}, 1, true},
		{[2]string{"1e297", "-1e297"}, MaxRounds, true},
		{[2]string{"1e-300", "0"}, MaxRounds, true},
		{[2]string{"1e306", "0"}, 1, false},
		{[2]string{"0", "-9999999999999e300"}, 1, false},
		{[2]string{"1e300", "0"}, MaxRounds, false},    // too much in all rounds
		{[2]string{"1e200", "1e-200"}, 1, false},       // as fractions of one denominator
		{[2]string{"1e-250", "1/" + primes}, 1, false}, // without a small one
	} {
		m, err := New([2][]string{}, [2][]*big.Rat{{number(c.payoffs[0])}, {number(c.payoffs[1])}}, 1, 1, c.rounds)
		if (err == nil) != c.fine {
			t.Errorf("%v in %d rounds: %v", c.payoffs, c.rounds, err)
		}
		if err != nil {
			continue
		}
		for !m.Over() {
			if err := m.Play(0, 0); err != nil {
				t.Fatal(err)
			}
		}
		for seat := range c.payoffs {
			if f, _ := m.Total(seat).Float64(); math.IsInf(f, 0) {
				t.Errorf("%v in %d rounds: a total is %v", c.payoffs, c.rounds, f)
			}
		}
	}
}

// primes has no factor in common with a power of ten.
var primes = strings.Repeat("3", 250)

// Payoffs are exact, whether or not all of them are small, and small ones take little memory.
func TestPayoffs(t *testing.T) {
	largest := big.NewRat(math.MaxInt64, 7)
	beyond := new(big.Rat).Add(largest, big.NewRat(1, 7))
	for _, c := range []struct {
		name  string
		all   []*big.Rat
		bytes int // at most
	}{
		{"small", []*big.Rat{big.NewRat(1, 2), big.NewRat(-1, 3), big.NewRat(0, 1), big.NewRat(5, 6)}, 250},
		{"largest", []*big.Rat{largest, big.NewRat(-1, 7), new(big.Rat).Neg(largest), big.NewRat(1, 7)}, 250},
		{"large", []*big.Rat{beyond, big.NewRat(-1, 7), big.NewRat(1, 3), new(big.Rat).Neg(beyond)}, 1200},
	} {
		ones := slices.Repeat([]*big.Rat{big.NewRat(1, 1)}, 4)
		m, err := New([2][]string{}, [2][]*big.Rat{ones, c.all}, 2, 2, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.all {
			if got := m.Payoff(1, i/2, i%2); got.Cmp(want) != 0 || m.Payoff(0, i/2, i%2).Cmp(ones[i]) != 0 {
				t.Errorf("%s: payoff %d is %s, want %s", c.name, i, got, want)
			}
		}
		if n := m.Bytes(); n < 64 || n > c.bytes {
			t.Errorf("%s: %d bytes", c.name, n)
		}
	}
}
