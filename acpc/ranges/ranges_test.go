package ranges

import (
	"strings"
	"testing"

	"gamebots/acpc/card"
)

func TestClasses(t *testing.T) {
	total := 0
	seen := card.Set(0)
	for c := range Class(NumClasses) {
		hands := c.Hands()
		want := map[bool]int{true: 12, false: 4}[c.Row() > c.Column()]
		if c.Row() == c.Column() {
			want = 6
		}
		if len(hands) != want {
			t.Errorf("%v has %d hands, not %d", c, len(hands), want)
		}
		for _, hole := range hands {
			var cards []card.Card
			for one := range hole.All() {
				cards = append(cards, one)
			}
			if ClassOf(cards[0], cards[1]) != c || ClassOf(cards[1], cards[0]) != c {
				t.Errorf("%v of %v is %v", hole, c, ClassOf(cards[0], cards[1]))
			}
			seen |= hole
		}
		total += len(hands)
	}
	if total != 1326 || seen.Len() != card.DeckSize {
		t.Errorf("%d hands of %d cards", total, seen.Len())
	}
	for text, place := range map[string][2]int{
		"AA": {0, 0}, "AKs": {0, 1}, "AKo": {1, 0}, "32s": {11, 12}, "22": {12, 12},
	} {
		if got := ClassAt(place[0], place[1]).String(); got != text {
			t.Errorf("row %d, column %d is %s, not %s", place[0], place[1], got, text)
		}
	}
}

func TestNotation(t *testing.T) {
	for _, test := range []struct {
		text, want string
		hands      float64
	}{
		{"", "", 0},
		{"AA", "AA", 6},
		{"tt+", "TT+", 30},
		{"99-66, 22", "99-66,22", 30},
		{"66-99", "99-66", 24},
		{"AK", "AKs,AKo", 16},
		{"ATs+", "ATs+", 16},
		{"A5s-A2s", "A5s-A2s", 16},
		{"KTo+", "KTo+", 36},
		{"K9-K7", "K9s-K7s,K9o-K7o", 48},
		{"AhKd", "AhKd", 1},
		{"KdAh,AsKs", "AsKs,AhKd", 2},
		{"QQ:0.5,JJ", "QQ:0.5,JJ", 9},
		{"QQ+,KK:0", "AA,QQ", 12},
		{"22+", "22+", 78},
		{"AKs,AsKs:0.25", "AsKs:0.25,AhKh,AdKd,AcKc", 3.25},
		{"random", "random", 1326},
		{"random:0.5", "random:0.5", 663},
	} {
		r, err := Parse(test.text)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		sum := 0.0
		for _, w := range r.weights {
			sum += w
		}
		if got := r.String(); got != test.want || sum != test.hands {
			t.Errorf("%q: %s with %g hands, want %s with %g", test.text, got, sum, test.want, test.hands)
		}
	}
}

func TestSigns(t *testing.T) {
	want, err := Parse("TdTh,AsKs:0.5,QQ")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Parse("10d10h, A♠K♠:0.5, QQ"); err != nil || *got != *want {
		t.Errorf("%v, error %v", got, err)
	}
}

func TestNotationRefused(t *testing.T) {
	for _, text := range []string{
		"A", "AX", "AAs", "AKx", "AKs-QJs", "AKs-KQs", "AK-A9s", "AA:2", "AA:x", "AA:NaN", "AhAh", "AKs+9", "-", "+",
		"AA-", "🂡",
	} {
		if r, err := Parse(text); err == nil {
			t.Errorf("%q is %v", text, r)
		}
	}
	if _, err := Parse("top10"); err == nil || !strings.Contains(err.Error(), `"top10" is not`) {
		t.Errorf("not as it was typed: %v", err)
	}
}

// Whatever Parse accepts, String writes so that it is read as the same range.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"AA,KQs:0.5,A5s-A2s", "random:0.1", "TT+,AhKd"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(r.String())
		if err != nil || *again != *r {
			t.Fatalf("%q: %v, read again %v, %v", text, r, again, err)
		}
		if strings.Contains(r.String(), " ") {
			t.Fatalf("%q: a space in %q", text, r)
		}
	})
}
