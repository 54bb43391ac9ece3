package limit

import (
	"testing"
	"time"

	"gamebots/internal/parallel"
)

// A payer uses what it has at once, and then as much as it regains, however it asks.
func TestFlow(t *testing.T) {
	f := NewFlow(10, 100)
	ada, start := Payer{"ada", 1}, time.Unix(1e9, 0)
	used, at := 0.0, start
	for ; at.Before(start.Add(time.Minute)); at = at.Add(10 * time.Millisecond) {
		if f.Wait(at, 5, ada) == 0 {
			f.Charge(at, 5, ada)
			used += 5
		}
	}
	if used < 695 || used > 700 {
		t.Errorf("used %v in a minute, want 700", used)
	}
	f.Charge(at, 200, ada) // more than it has
	wait := f.Wait(at, 50, ada)
	if f.Wait(at.Add(wait), 50, ada) > time.Microsecond || f.Wait(at.Add(wait-time.Second), 50, ada) == 0 {
		t.Errorf("the wait of %v is not that for 50", wait)
	}
	if f.Wait(at, 100, Payer{"bob", 1}) != 0 {
		t.Error("another payer waits")
	}
}

// Many accounts of one network share its amount.
func TestPayers(t *testing.T) {
	f := NewFlow(1, 10)
	at, total := time.Unix(1e9, 0), map[string]int{}
	for _, c := range []struct {
		name    string
		address func(i int) string
		want    int
	}{
		{"an address of IPv4", func(int) string { return Client("198.51.100.1:80") }, 40},
		{"a network of 64 bits", func(int) string { return Client("[2001:db8:1:2::7]:80") }, 40},
		{"a network of 56 bits", func(i int) string {
			return Client("[2001:db8:2:" + string("0123456789abcdef"[i%16]) + "::7]:80")
		}, 80},
		{"a network of 48 bits", func(i int) string {
			return Client("[2001:db8:3:" + string("0123456789abcdef"[i%16]) + "00::7]:80")
		}, 160},
	} {
		for i := range 1000 {
			payers := append(Payers(c.address(i)), Payer{[2]any{c.name, i}, 1})
			if f.Wait(at, 1, payers...) == 0 {
				f.Charge(at, 1, payers...)
				total[c.name]++
			}
		}
		if total[c.name] != c.want {
			t.Errorf("%s uses %d, want %d", c.name, total[c.name], c.want)
		}
	}
}

// Payers that have regained what they used are forgotten, and no others.
func TestFlowForgets(t *testing.T) {
	f := NewFlow(1, 10)
	at := time.Unix(1e9, 0)
	f.Charge(at, 1e6, Payer{"debtor", 1})
	for i := range 100_000 {
		at = at.Add(10 * time.Millisecond)
		f.Charge(at, 1, Payer{i, 1})
	}
	if n := parallel.Get(&f.uses, func(us *uses) int { return len(us.of) }); n > 1001 {
		t.Errorf("%d payers are remembered", n)
	}
	if f.Wait(at, 0, Payer{"debtor", 1}) == 0 {
		t.Error("the debtor is forgotten")
	}
}
