package spotstudy

import (
	"fmt"
	"strings"
	"testing"

	"gamebots/bots/grid/jobs"
)

func TestReadBoards(t *testing.T) {
	all, err := ReadBoards(strings.NewReader("# flops\nQsJh2h 0.5\n\n Q♠ J♥ 3h : 12 # more\nAsKs2d\n"))
	if want := "[{QsJh2h 0.5} {QsJh3h 12} {AsKs2d 1}]"; err != nil || fmt.Sprint(all) != want {
		t.Errorf("%v, %v, want %s", all, err, want)
	}
	for text, want := range map[string]string{
		"": "has no boards", "QsJh2h x": `line 1: "x" is neither`, "\nQsJh": "line 2: ", "QsQs2h": "line 1: ",
		"QsJh2h\nQsJh2h3h": "line 2: 4 cards, and 3 before", "QsJh2h -1": "line 1: ", "1": "line 1: ",
		"QsJh2h NaN": "line 1: ",
	} {
		if all, err := ReadBoards(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v, want %q", text, all, err, want)
		}
	}
}

// FuzzReadBoards reads any text: what is read reads again as it is printed.
func FuzzReadBoards(f *testing.F) {
	f.Add("QsJh2h 0.5\nQ♠ J♥ 3h:12 # x")
	f.Add("2c3c4c5c6c,1e300")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ReadBoards(strings.NewReader(text))
		if err != nil {
			return
		}
		var again strings.Builder
		for _, b := range all {
			fmt.Fprintln(&again, b.Cards, b.Weight)
		}
		second, err := ReadBoards(strings.NewReader(again.String()))
		if err != nil || fmt.Sprint(second) != fmt.Sprint(all) {
			t.Fatalf("%q: %v, then %v: %v", text, all, second, err)
		}
	})
}

// All flops are dealt 22,100 times, and fewer ones stand for as many: in the parts in which they have pairs and suits.
func TestFlops(t *testing.T) {
	for _, n := range []int{1, 25, 184, 1000, NumFlops} {
		all := Flops(n)
		total, paired, monotone := 0.0, 0.0, 0.0
		for _, b := range all {
			total += b.Weight
			if b.Cards[0] == b.Cards[2] || b.Cards[2] == b.Cards[4] {
				paired += b.Weight
			}
			if b.Cards[1] == b.Cards[3] && b.Cards[3] == b.Cards[5] {
				monotone += b.Weight
			}
		}
		if len(all) > n || len(all) < n*9/10 || total < 22099 || total > 22101 {
			t.Errorf("%d: %d flops of weight %g", n, len(all), total)
		}
		// 17.2% have a pair or are trips, 5.2% are of one suit.
		if n >= 184 && (paired/total < .16 || paired/total > .19 || monotone/total < .045 || monotone/total > .06) {
			t.Errorf("%d: %g with a pair, %g of one suit", n, paired/total, monotone/total)
		}
	}
	if all := Flops(NumFlops); len(all) != NumFlops || all[0] != (Board{"AcKdQh", 24}) {
		t.Errorf("%d flops, first %v", len(all), all[0])
	}
}

// A table has a line for each point of a board, and the means by weight, of later points where they are reached.
func TestTable(t *testing.T) {
	for asJSON, want := range map[bool]string{
		false: "board,line,weight,exploitability,value_oop,value_ip,equity_oop,equity_ip,actions\n" +
			"a,,3.0000,1.000,20.00,80.00,25.00,75.00,x 100.00 b50 0.00\n" +
			"b,,1.0000,3.000,60.00,40.00,75.00,25.00,x 0.00 b50 100.00\n" +
			"c,,0.0000,0.000,0.00,100.00,0.00,100.00,x 0.00 b50 100.00\n" +
			"mean,,4.0000,1.500,30.00,70.00,37.50,62.50,x 75.00 b50 25.00\n",
		true: `{"board":"mean","weight":4,"exploitability":1.5,"line":"","reached":1,` +
			`"values":[30,70],"equities":[0.375,0.625],"actions":["x","b50"],"frequencies":[0.75,0.25]}`,
	} {
		var out strings.Builder
		table := &Table{Out: &out, JSON: asJSON, Pot: 100}
		add := func(b Board, exploitability, value, equity, check float64) {
			r := &jobs.BoardResult{Exploitability: exploitability, Points: []jobs.BoardPoint{{
				Reached: 1, Values: [2]float64{value, 100 - value}, Equities: [2]float64{equity, 1 - equity},
				Actions: []string{"x", "b50"}, Frequencies: []float64{check, 1 - check},
			}}}
			if err := table.Add(b, r); err != nil {
				t.Fatal(err)
			}
		}
		add(Board{"a", 3}, 1, 20, .25, 1)
		add(Board{"b", 1}, 3, 60, .75, 0)
		add(Board{"c", 0}, -1e-9, -1e-9, 0, 0)
		if err := table.Mean(); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%t:\n%s%v\nwant\n%s", asJSON, &out, err, want)
		}
	}
}
