package spot

import (
	"slices"
	"testing"

	"gamebots/solvers/resolve/spot/internal/layout"
)

func TestOptions(t *testing.T) {
	all := func(bets, raises string) (m Menu) {
		for p := range 2 {
			for k := range layout.NumStreets {
				m.Bets[p][k], _ = ParseSizes(bets, false)
				m.Raises[p][k], _ = ParseSizes(raises, true)
			}
		}
		return m
	}
	for name, c := range map[string]struct {
		menu Menu
		at   bettor
		want []int
	}{
		"bets": {all("50,33,120c", ""), bettor{street: layout.River, pot: 100, stack: 1000},
			[]int{33, 50, 120}},
		"raises": {all("", "50,2.5x,30c"),
			bettor{street: layout.River, pot: 300, bet: 100, step: 100, bets: 1, stack: 1000}, []int{200, 250}},
		"least raise": {all("", "10"),
			bettor{street: layout.River, pot: 300, bet: 100, step: 80, bets: 1, stack: 1000}, []int{180}},
		"at most the stack": {all("150", ""), bettor{street: layout.River, pot: 100, stack: 120}, []int{120}},
		"all-in":            {all("a", ""), bettor{street: layout.River, pot: 100, stack: 1000}, []int{1000}},
		"geometric, twice":  {all("e", ""), bettor{street: layout.Turn, pot: 100, stack: 400}, []int{100}},
		"geometric, once":   {all("1e", ""), bettor{street: layout.Flop, pot: 100, stack: 400}, []int{400}},
		// The pot grows from 200 to 2100 in three equal steps: 200 * (10.5^(1/3) - 1) / 2 = 119 more than 50. The
		// second raise has a step less.
		"geometric raise": {all("", "e"),
			bettor{street: layout.Flop, pot: 200, bet: 50, step: 50, bets: 1, stack: 1000}, []int{169}},
		"geometric raise, four streets": {all("", "4e"),
			bettor{street: layout.Flop, pot: 200, bet: 50, step: 50, bets: 1, stack: 1000}, []int{130}},
		"geometric raise of a turn": {all("", "e"),
			bettor{street: layout.Turn, pot: 206, bet: 78, step: 78, bets: 1, stack: 400}, []int{184}},
		"second geometric raise": {all("", "e"),
			bettor{street: layout.Turn, pot: 418, bet: 184, step: 106, bets: 2, stack: 400}, []int{400}},
		"added all-in": {Menu{AddAllIn: 1.5, Bets: all("50", "").Bets},
			bettor{street: layout.River, pot: 100, stack: 150}, []int{50, 150}},
		"no added all-in": {Menu{AddAllIn: 1.5, Bets: all("50", "").Bets},
			bettor{street: layout.River, pot: 100, stack: 151}, []int{50}},
		"forced all-in": {Menu{ForceAllIn: .15, Bets: all("50,100", "").Bets},
			bettor{street: layout.River, pot: 100, stack: 130}, []int{50, 130}},
		"merged": {Menu{Merge: .1, Bets: all("50,60,95,100", "").Bets},
			bettor{street: layout.River, pot: 100, stack: 1000}, []int{60, 100}},
		"cap": {Menu{RaiseCap: 2, Raises: all("", "50").Raises},
			bettor{street: layout.River, pot: 300, bet: 100, step: 100, bets: 2, stack: 1000}, nil},
		"below the cap": {Menu{RaiseCap: 2, Raises: all("", "50").Raises},
			bettor{street: layout.River, pot: 300, bet: 100, step: 100, bets: 1, stack: 1000}, []int{250}},
		"all-in before": {all("", "50"),
			bettor{street: layout.River, pot: 300, bet: 100, step: 100, bets: 1, stack: 100}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.menu.options(c.at); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestParseBets(t *testing.T) {
	all, err := ParseBets("50,100; river: 33%,a; OOP turn: 120c; ip flop:", false)
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[[2]int]string{
		{0, layout.Flop}: "50,100", {1, layout.Flop}: "", {0, layout.Turn}: "120c", {1, layout.Turn}: "50,100",
		{0, layout.River}: "33,a", {1, layout.River}: "33,a",
	} {
		if got := all[at[0]][at[1]].String(); got != want {
			t.Errorf("player %d, %s: %q, want %q", at[0], streetNames[at[1]], got, want)
		}
	}
	if donks, err := ParseBets("river: 50", false); err != nil || donks[0][layout.Turn] != nil ||
		donks[0][layout.River] == nil {
		t.Errorf("%v, %v: a street that is not mentioned has the sizes of bets", donks, err)
	}
	for _, text := range []string{"50;x: 3", "50;100", "river: 50; 33", "2x", "0", "1e-7", "-5", "nan", "1e9", "1.5c",
		"50 60", "a5", "%", "river flop turn: z"} {
		if all, err := ParseBets(text, false); err == nil {
			t.Errorf("%q is read as %v", text, all)
		}
	}
}

func FuzzParseBets(f *testing.F) {
	for _, text := range []string{"50,100; river: 33,75,a; oop turn: 120c", "e,2e,3.3x", "flop:;ip:a"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ParseBets(text, true)
		if err != nil {
			return
		}
		for p := range all {
			for k, sizes := range all[p] {
				again, err := ParseSizes(sizes.String(), true)
				if err != nil || again.String() != sizes.String() {
					t.Fatalf("%q is written as %q: %v", text, sizes, err)
				}
				m := Menu{Raises: all, Bets: all, Merge: .1, AddAllIn: 1, ForceAllIn: .1}
				for _, at := range []bettor{{street: k, player: p, pot: 7, stack: 50},
					{street: k, player: p, pot: 1 << 22, bet: 3, step: 3, bets: 1, stack: 1 << 22}} {
					for i, x := range m.options(at) {
						if x <= at.bet || x > at.stack || i > 0 && x <= m.options(at)[i-1] {
							t.Fatalf("%q allows %v", text, m.options(at))
						}
					}
				}
			}
		}
	})
}
